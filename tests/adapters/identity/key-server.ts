import { generateKeyPairSync } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ExecutionContext } from 'ava'
import { type JWK, SignJWT } from 'jose'

type Answer = (response: ServerResponse) => void

/** A signing key for tests. */
export interface TestKey {
  readonly jwk: JWK
  sign(claims: object): Promise<string>
}

export const testKey = (kid: string, alg: 'ES256' | 'RS256' = 'ES256'): TestKey => {
  const { publicKey, privateKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return {
    jwk: { ...(publicKey.export({ format: 'jwk' }) as JWK), kid, alg, use: 'sig' },
    sign: (claims) => new SignJWT({ ...claims }).setProtectedHeader({ alg, kid }).sign(privateKey),
  }
}

export const answerKeys =
  (...keys: readonly TestKey[]): Answer =>
  (response) =>
    void response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }))

/** A server of a key set with a scripted answer, which counts requests. */
export const keyServer = async (t: Pick<ExecutionContext, 'teardown'>, answer: Answer) => {
  const state = { answer, requests: 0 }
  const server = createServer((_, response) => {
    state.requests += 1
    state.answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  t.teardown(close)
  const { port } = server.address() as AddressInfo
  return Object.assign(state, { url: `http://127.0.0.1:${port}/keys`, close })
}

import { generateKeyPairSync } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { ExecutionContext } from 'ava'
import { type JWK, SignJWT } from 'jose'
import { listening } from '../../listening.ts'

type Answer = (response: ServerResponse) => void

export const testKey = (kid: string, alg: 'ES256' | 'RS256' = 'ES256') => {
  const { publicKey, privateKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return {
    jwk: { ...(publicKey.export({ format: 'jwk' }) as JWK), kid, alg, use: 'sig' },
    sign: (claims: object) => new SignJWT({ ...claims }).setProtectedHeader({ alg, kid }).sign(privateKey),
  }
}

export type TestKey = ReturnType<typeof testKey>

export const answerKeys =
  (...keys: readonly TestKey[]): Answer =>
  (response) =>
    void response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }))

export const keyServer = async (t: Pick<ExecutionContext, 'teardown'>, answer: Answer) => {
  const state = { answer, requests: 0 }
  const server = createServer((_, response) => {
    state.requests += 1
    state.answer(response)
  })
  const { port, close } = await listening(server)
  t.teardown(close)
  return Object.assign(state, { url: `http://127.0.0.1:${port}/keys`, close })
}

import type { ExecutionContext } from 'ava'
import { namedKeys } from '../../../core/payments/access/named-key.ts'
import { confirmPassword, PASSWORD, user } from '../given/basics.ts'
import { codeAt, secured } from '../given/given.ts'
import { registerPasskey } from '../given/passkeys.ts'
import { type Merchant, PASSWORD as OWNERS_PASSWORD, type TestApi, worked } from '../payments/test-api.ts'
import type { KnownSecrets } from './fixtures.ts'
import type { Survivor } from './survivor.ts'

const post = async (api: TestApi, path: string, body: object, token?: string) =>
  worked(await api.ask('POST', path, { body, ...(token === undefined ? {} : { token }) }))

/** Logs a person in by the password, and returns the challenge of the second step. */
const challengeOf = async (api: TestApi, email: string): Promise<string> =>
  (await post(api, '/v1/auth/login', { email, password: PASSWORD })).data.challenge

const logIn = async (api: TestApi, email: string, code: string, more = {}): Promise<string> => {
  const challenge = await challengeOf(api, email)
  return (await post(api, '/v1/auth/second-step', { challenge, code, ...more })).data.access_token
}

/** Creates a person with an authenticator app and a trusted device, one with a passkey, and a key of the account. */
export const secrets = async (api: TestApi, owner: Merchant): Promise<KnownSecrets> => {
  const { secret, body } = await secured(api)
  const app = { email: body.email ?? '', secret }
  await logIn(api, app.email, body.code, { trust_device: true })
  const { token, body: person } = await user(api)
  const { id, recoveryCodes } = await registerPasskey(api, token)
  // In a log-in of its own: a session whose password was confirmed is guarded from then on.
  const { data } = await post(api, '/v1/auth/login', { email: owner.email, password: OWNERS_PASSWORD })
  await confirmPassword(api, data.access_token, OWNERS_PASSWORD)
  const key = { name: 'Loja', permissions: ['clients:read'] }
  return {
    app,
    passkey: { email: person.email, id, recoveryCode: recoveryCodes[0] ?? '' },
    key: (await post(api, '/v1/api-keys', key, data.access_token)).api_key.key,
  }
}

/** Begins two log-ins that end in neither: one waits for a code, one for a passkey. */
export const beginsLogIns = async (api: TestApi, { app }: KnownSecrets): Promise<void> => {
  await challengeOf(api, app.email)
  await post(api, '/v1/auth/login/passkey-options', {})
}

/** Uses and changes the factors and the key. Stores of releases without them have none. */
export const usesSecrets = async (t: ExecutionContext, { api, known }: Survivor, token: string): Promise<void> => {
  if (!known.secrets) return
  const { app, passkey, key } = known.secrets
  const byApp = await logIn(api, app.email, codeAt(api, app.secret))
  const { trusted_devices: devices } = worked(await api.ask('GET', '/v1/trusted-devices', { token: byApp }))
  worked(await api.ask('DELETE', `/v1/trusted-devices/${devices[0].id}`, { token: byApp }))
  const byRecovery = await logIn(api, passkey.email, passkey.recoveryCode)
  const body = { name: 'Celular novo' }
  worked(await api.ask('PATCH', `/v1/second-factor/passkeys/${passkey.id}`, { token: byRecovery, body }))
  t.is((await api.ask('GET', '/v1/clients', { token: key })).status, 200)
  await confirmPassword(api, token, known.owner.password)
  const [{ id } = { id: 0 }] = await api.every(namedKeys)
  worked(await api.ask('PATCH', `/v1/api-keys/${id}`, { token, body: { name: 'Loja nova' } }))
}

import { softwareAuthenticator } from '../../../adapters/passkeys/software-authenticator.ts'
import { worked } from '../../rows/wire.ts'
import type { TestApi } from '../test-api.ts'
import { confirmPassword, type Fixture, user } from './basics.ts'

export type Authenticator = ReturnType<typeof softwareAuthenticator>

/** Returns the authenticator of a browser at the public address of an API. */
export const authenticatorAt = ({ host, url }: Pick<TestApi, 'host' | 'url'>): Authenticator =>
  softwareAuthenticator(new URL(host.settings.PUBLIC_URL ?? url).origin)

/** Begins the registration of a passkey, and has it created. */
export const createPasskey = async (api: TestApi, token: string, authenticator = authenticatorAt(api)) => {
  const { data } = worked(await api.ask('POST', '/v1/second-factor/passkeys/options', { token }))
  return { ceremony: data.ceremony as string, credential: authenticator.create(data.public_key) }
}

/** Registers a passkey of the owner of a token, who has no second factor yet. */
export const registerPasskey = async (api: TestApi, token: string, authenticator = authenticatorAt(api)) => {
  await confirmPassword(api, token)
  const body = { name: 'Celular', ...(await createPasskey(api, token, authenticator)) }
  const { data } = worked(await api.ask('POST', '/v1/second-factor/passkeys', { token, body }))
  return { authenticator, id: data.passkey.id as string, recoveryCodes: data.recovery_codes as readonly string[] }
}

/** Begins the answer to a challenge, and has it signed. */
export const answerChallenge = async (api: TestApi, challenge: string, authenticator: Authenticator) => {
  const path = '/v1/second-factor/proofs/passkey-options'
  const { data } = worked(await api.ask('POST', path, { body: { challenge } }))
  return { challenge, ceremony: data.ceremony as string, credential: authenticator.get(data.public_key) }
}

/** A user who sent the password a moment ago. */
const confirmed = async (api: TestApi) => {
  const { token, body } = await user(api)
  await confirmPassword(api, token)
  return { token, body }
}

const holder = async (api: TestApi) => {
  const { token, body } = await user(api)
  return { token, body, ...(await registerPasskey(api, token)) }
}

const loggingIn = async (api: TestApi) => {
  const { body, authenticator } = await holder(api)
  const { data } = worked(await api.ask('POST', '/v1/auth/login', { body }))
  return { challenge: data.challenge as string, authenticator }
}

/** A user with a challenge that a passkey answered. */
const proving = async (api: TestApi) => {
  const { token, authenticator, id } = await holder(api)
  const { data } = worked(await api.ask('POST', '/v1/second-factor/challenges', { token }))
  return { token, id, answer: await answerChallenge(api, data.challenge, authenticator) }
}

export const passkeyFixtures: Readonly<Record<string, Fixture>> = {
  confirmed: async (api) => ({ token: (await confirmed(api)).token }),
  begunPasskey: async (api) => {
    const { token } = await confirmed(api)
    return { token, body: await createPasskey(api, token) }
  },
  passkey: async (api) => {
    const { token, id } = await holder(api)
    return { token, params: { id } }
  },
  passkeyAndProof: async (api) => {
    const { token, id, answer } = await proving(api)
    worked(await api.ask('POST', '/v1/second-factor/proofs/passkey', { token, body: answer }))
    return { token, params: { id }, headers: { 'x-second-factor': answer.challenge } }
  },
  passkeyProof: async (api) => {
    const { token, answer } = await proving(api)
    return { token, body: answer }
  },
  passkeyChallenge: async (api) => ({ body: { challenge: (await loggingIn(api)).challenge } }),
  passkeySecondStep: async (api) => {
    const { challenge, authenticator } = await loggingIn(api)
    return { body: await answerChallenge(api, challenge, authenticator) }
  },
  passkeyLogIn: async (api) => {
    const { authenticator } = await holder(api)
    const { data } = worked(await api.ask('POST', '/v1/auth/login/passkey-options', {}))
    return { body: { ceremony: data.ceremony, credential: authenticator.get(data.public_key) } }
  },
}

import { type EstateTestApi, worked } from '../test-api.ts'
import { type Fixture, next } from './basics.ts'

const PASSWORD = 'segredo-123'

const signUp = async (api: EstateTestApi) => {
  const body = { email: `dev${next()}@example.com`, password: PASSWORD }
  return worked(await api.ask('POST', '/identitytoolkit.googleapis.com/v1/accounts:signUp', { body }))
}

/** An e-mail that the development issuer does not know. */
const devNewcomer: Fixture = async () => ({ body: { email: `dev${next()}@example.com` } })

/** One that it knows, with the password of the examples. */
const devAccount: Fixture = async (api) => ({ body: { email: (await signUp(api)).email } })

const devSession: Fixture = async (api) => ({ body: { idToken: (await signUp(api)).idToken } })

const devGrant: Fixture = async (api) => ({ body: { refresh_token: (await signUp(api)).refreshToken } })

const devCode: Fixture = async (api) => {
  const { email } = await signUp(api)
  const body = { requestType: 'PASSWORD_RESET', email }
  worked(await api.ask('POST', '/identitytoolkit.googleapis.com/v1/accounts:sendOobCode', { body }))
  const [, oobCode = ''] = /oobCode=(\S+)/.exec((await api.mailsTo(email)).at(-1) ?? '') ?? []
  return { body: { oobCode } }
}

/** What the examples of the development issuer name. */
export const devIssuerGiven: Readonly<Record<string, Fixture>> = {
  devNewcomer,
  devAccount,
  devSession,
  devGrant,
  devCode,
}

import { randomUUID } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import { closingClock } from '../../../../adapters/clock/system-clock.ts'
import type { Role } from '../../../../core/real-estate/actor.ts'
import { type EstateTestApi, openEstateApi, type Person, worked } from '../test-api.ts'

export const PASSWORD = 'segredo-123'

const ACCOUNTS = '/identitytoolkit.googleapis.com/v1/accounts'

/**
 * The app as it is started: whoever signs in does so at the issuer that it runs. Its clock stands where it is set, and who waits
 * waits, so that a stream looks once a second as it does where it is served.
 */
export const openWithIssuer = (t: Pick<ExecutionContext, 'teardown'>) => {
  const { wait, close } = closingClock()
  t.teardown(close)
  return openEstateApi(t, { usualIdentity: true, instead: ({ clock }) => ({ clock: { ...clock, wait } }) })
}

/** Whoever has an account with this name, and is registered nowhere. */
export const signUp = async (api: EstateTestApi, email: string, displayName: string) => {
  const body = { email, password: PASSWORD, displayName }
  const { localId: uid, idToken: token } = worked(await api.ask('POST', `${ACCOUNTS}:signUp`, { body }))
  return { uid, token, email, name: displayName } as const
}

type Account = Awaited<ReturnType<typeof signUp>>

const register = async (api: EstateTestApi, by: string, { uid, email, name, token }: Account, more: object) => {
  const body = { firebaseUid: uid, email, name, ...more }
  const { id: userId, companyId } = worked(await api.ask('POST', '/api/auth/register', { token: by, body }))
  return { token, userId, companyId, email, uid } satisfies Person
}

/** Somebody who has founded an agency, and signs in at the issuer. */
export const founder = async (api: EstateTestApi, email = 'ana@example.com'): Promise<Person> => {
  const account = await signUp(api, email, 'Ana Souza')
  const company = { legalName: 'Imobiliária Aurora Ltda.' }
  return register(api, account.token, account, { role: 'Admin', companyId: randomUUID(), company })
}

/** Somebody of the same agency who signs in there, too. */
export const employee = async (
  api: EstateTestApi,
  { companyId, token }: Person,
  role: Role,
  email = `${role.toLowerCase()}@example.com`,
): Promise<Person> => register(api, token, await signUp(api, email, 'Bruno Lima'), { role, companyId })

import type { Role } from '../../../../core/real-estate/real-estate-ports.ts'
import { PASSWORD } from '../../payments/test-api.ts'
import { type Answer, type EstateTestApi, worked } from '../../real-estate/test-api.ts'
import type { Known } from '../fixtures.ts'

export const COMPANY = '0a7f3c52-5d1e-4b7a-9a57-3f0f6b2f9c11'
export const ADMIN: Known = { email: 'ines@lar.example', password: PASSWORD }
export const BROKER: Known = { email: 'breno@lar.example', password: PASSWORD }

/** The other users; those who are clients, too, are matched by e-mail. */
const COLLEAGUES = {
  Broker: BROKER.email,
  Financial: 'fatima@lar.example',
  Syndic: 'silvio@lar.example',
  Owner: 'olga@dona.example',
  Tenant: 'tito@inquilino.example',
} as const satisfies Partial<Record<Role, string>>

export interface Cast {
  readonly companyId: string
  /** The ids of the users, by role. */
  readonly users: Readonly<Record<keyof typeof COLLEAGUES, string>>
}

/** Founds a company and adds users in every role. */
export const founded = async (api: EstateTestApi): Promise<Cast> => {
  const admin = await signUp(api, ADMIN, 'Inês Prado')
  const about = { companyId: COMPANY, company: { legalName: 'Lar Imóveis Ltda.', taxId: '11444777000161' } }
  await admin.post('/api/auth/register', {
    ...about,
    ...{ firebaseUid: admin.uid, email: admin.email, name: 'Inês Prado', role: 'Admin' },
  })
  const users: Record<string, string> = {}
  for (const [role, email] of Object.entries(COLLEAGUES)) {
    const { uid: firebaseUid } = await signUp(api, { email, password: PASSWORD }, `Pessoa ${role}`)
    const own = { firebaseUid, email, name: `Pessoa ${role}`, role, companyId: COMPANY }
    users[role] = (await admin.post('/api/auth/register', own)).id
  }
  return { companyId: COMPANY, users: users as Cast['users'] }
}

const ACCOUNTS = '/identitytoolkit.googleapis.com/v1/accounts'

/** A logged-in user; each request fails unless it succeeds. */
export interface Member {
  readonly email: string
  readonly uid: string
  readonly token: string
  post(path: string, body: object): Promise<Answer['body']>
  patch(path: string, body: object): Promise<Answer['body']>
  put(path: string, body: object): Promise<Answer['body']>
  remove(path: string): Promise<void>
  show(path: string): Promise<Answer>
}

const memberOf = (api: EstateTestApi, session: { email: string; localId: string; idToken: string }): Member => {
  const { email, localId: uid, idToken: token } = session
  const sending = (method: string) => async (path: string, body: object) =>
    worked(await api.ask(method, path, { token, body }))
  return {
    ...{ email, uid, token },
    post: sending('POST'),
    patch: sending('PATCH'),
    put: sending('PUT'),
    async remove(path) {
      worked(await api.ask('DELETE', path, { token }))
    },
    async show(path) {
      const answer = await api.ask('GET', path, { token })
      worked(answer)
      return answer
    },
  }
}

const enter = async (
  api: EstateTestApi,
  how: 'signUp' | 'signInWithPassword',
  body: Known & { displayName?: string },
) => memberOf(api, worked(await api.ask('POST', `${ACCOUNTS}:${how}?key=any`, { body })))

/** Opens an account at the issuer that the app runs. */
export const signUp = (api: EstateTestApi, who: Known, displayName: string): Promise<Member> =>
  enter(api, 'signUp', { ...who, displayName })

export const signIn = (api: EstateTestApi, { email, password }: Known): Promise<Member> =>
  enter(api, 'signInWithPassword', { email, password })

/** Tries to log in with a wrong password. */
export const guess = async (api: EstateTestApi, { email }: Known): Promise<void> => {
  const { status } = await api.ask('POST', `${ACCOUNTS}:signInWithPassword?key=any`, {
    body: { email, password: 'errada-1' },
  })
  if (status !== 400) throw new Error(`a wrong password was answered ${status}`)
}

/** Changes the display name at the issuer. */
export const renameSelf = async (
  api: EstateTestApi,
  { token: idToken }: Member,
  displayName: string,
): Promise<void> => {
  worked(await api.ask('POST', `${ACCOUNTS}:update?key=any`, { body: { idToken, displayName } }))
}

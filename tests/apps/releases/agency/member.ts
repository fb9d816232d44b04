import { type Answer, type EstateTestApi, worked } from '../../real-estate/test-api.ts'
import type { Known } from '../known.ts'

const ACCOUNTS = '/identitytoolkit.googleapis.com/v1/accounts'

/** Somebody who is signed in, and what they ask: each answers what worked. */
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

/** Tries to, with a password that is not theirs. */
export const guess = async (api: EstateTestApi, { email }: Known): Promise<void> => {
  const { status } = await api.ask('POST', `${ACCOUNTS}:signInWithPassword?key=any`, {
    body: { email, password: 'errada-1' },
  })
  if (status !== 400) throw new Error(`a wrong password was answered ${status}`)
}

/** Changes their name where they sign in. */
export const renameSelf = async (
  api: EstateTestApi,
  { token: idToken }: Member,
  displayName: string,
): Promise<void> => {
  worked(await api.ask('POST', `${ACCOUNTS}:update?key=any`, { body: { idToken, displayName } }))
}

import { oneOf, timestamp } from '../../../kernel/input/scalars.ts'
import { guid } from '../../../kernel/input/texts.ts'
import { output, view } from '../../../kernel/input/view.ts'
import { type Instant, secondsBetween } from '../../../kernel/values/day.ts'
import type { Tokens } from '../../../ports/identity.ts'
import { permissionsByKey, permissionsField, roleOf, roleView } from '../../actor.ts'
import { memberView, type ShownUser, shownUser, type User, userView } from '../../members/user.ts'
import { claimsOf, type Session } from './session.ts'

/** What somebody gets who signed in. */
export interface SignedIn {
  readonly accessToken: string
  /** How long the token is good for, from when it was issued. */
  readonly expiresInSeconds: number
  readonly user: ShownUser
  readonly sessionId: string
  readonly device: string | null
  /** When the token runs out. */
  readonly expiresAt: Instant
  /** By which role the session's account was entered; null where it names none. */
  readonly roleId: number | null
}

export const signedIn = (tokens: Tokens, session: Session, user: User, roleId: number | null = null): SignedIn => ({
  accessToken: tokens.sign(claimsOf(session)),
  expiresInSeconds: secondsBetween(session.issuedAt, session.expiresAt),
  user: shownUser(user),
  sessionId: session.id,
  device: session.device,
  expiresAt: session.expiresAt,
  roleId,
})

const token = output.text({ about: 'Token de acesso' })

/** Source: 01-access.md, Token data. */
export const tokenView = view(
  'Token',
  {
    accessToken: token,
    tokenType: oneOf(['bearer'], { about: 'Tipo do token' }),
    expiresInSeconds: output.count({ wire: 'expires_in', about: 'Validade em segundos' }),
    user: output.view(userView, { about: 'Quem se autenticou' }),
  },
  (signed: SignedIn) => ({ ...signed, tokenType: 'bearer' as const }),
)

const sessionTokenFields = {
  token,
  sessionDuration: output.count({ about: 'Validade em segundos' }),
  expiresAt: output.localTime({ about: 'Quando o token expira, no horário de São Paulo' }),
}

const sessionTokenOf = ({ accessToken, expiresInSeconds, expiresAt }: SignedIn) => ({
  token: accessToken,
  sessionDuration: expiresInSeconds,
  expiresAt,
})

/** Source: 01-access.md, POST /access/auth/login; decisions.md §1, Sessions and codes. */
export const sessionTokenView = view(
  'SessionToken',
  { ...sessionTokenFields, sessionId: guid({ about: 'Sessão' }) },
  (signed: SignedIn) => ({ ...sessionTokenOf(signed), sessionId: signed.sessionId }),
)

/** The same for the dashboard that asks for who signed in. */
export const dashboardTokenView = view(
  'DashboardToken',
  {
    ...sessionTokenFields,
    user: output.view(memberView, { about: 'Quem se autenticou' }),
    roles: output.views(roleView, { about: 'Perfis na conta' }),
  },
  (signed: SignedIn) => ({
    ...sessionTokenOf(signed),
    user: signed.user,
    roles: signed.roleId === null ? [] : [roleOf(signed.roleId)],
  }),
)

/** Source: 01-access.md, POST /access/account/get-token; decisions.md §1, Sessions and codes. */
export const keyTokenView = view(
  'KeyToken',
  {
    token,
    tokenType: oneOf(['Bearer'], { about: 'Tipo do token' }),
    expiresAt: timestamp({ about: 'Quando o token expira' }),
    permissions: permissionsField('O que o token permite'),
  },
  ({ accessToken, expiresAt, roleId }: SignedIn) => ({
    token: accessToken,
    tokenType: 'Bearer' as const,
    expiresAt,
    permissions: roleId === null ? [] : permissionsByKey(roleId),
  }),
)

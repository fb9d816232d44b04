import type { DevAccount } from '../../../adapters/identity/dev-issuer/dev-accounts.ts'
import type { DevCode } from '../../../adapters/identity/dev-issuer/dev-codes.ts'
import { DEV_AUDIENCE, type DevKeys } from '../../../adapters/identity/dev-issuer/dev-keys.ts'
import { DEV_TOKEN_SECONDS, type DevSession } from '../../../adapters/identity/dev-issuer/dev-tokens.ts'
import { optional } from '../../../core/kernel/input/field.ts'
import { flag } from '../../../core/kernel/input/scalars.ts'
import { output, view } from '../../../core/kernel/input/view.ts'

const idToken = output.text({ about: 'O ID token, um JWT' })
const refreshToken = output.text({ about: 'O token que renova o ID token' })
const expiresIn = output.text({ about: 'Por quantos segundos o ID token vale' })
const localId = output.text({ about: 'Identificador da conta' })
const email = output.text({ about: 'E-mail' })
const displayName = optional(output.text({ about: 'Nome' }))
const photoUrl = optional(output.text({ about: 'Endereço da foto' }))

/** Firebase leaves out what there is not. */
const profileOf = ({ displayName: name, photoUrl: photo }: DevAccount) => ({
  ...(name !== null && { displayName: name }),
  ...(photo !== null && { photoUrl: photo }),
})

/** Somebody who is signed in, or changed what is known of them. */
export const sessionView = view(
  'DevSession',
  {
    localId,
    email,
    displayName,
    photoUrl,
    idToken,
    refreshToken,
    expiresIn,
    registered: flag({ about: 'Se a conta existe' }),
  },
  ({ account, ...tokens }: DevSession) => ({
    localId: account.id,
    email: account.email,
    ...profileOf(account),
    ...tokens,
    expiresIn: `${DEV_TOKEN_SECONDS}`,
    registered: true,
  }),
)

/** An account after a change: with a new session, unless a mailed code changed it. */
export const updatedView = view(
  'DevChangedAccount',
  {
    localId,
    email,
    emailVerified: optional(flag({ about: 'Se o e-mail está confirmado, depois de um código' })),
    displayName,
    photoUrl,
    idToken: optional(idToken),
    refreshToken: optional(refreshToken),
    expiresIn: optional(expiresIn),
    registered: optional(flag({ about: 'Se a conta existe' })),
  },
  (of: DevSession | DevAccount) => {
    const { account, ...tokens } = 'account' in of ? of : { account: of }
    const more =
      'account' in of ? { ...tokens, expiresIn: `${DEV_TOKEN_SECONDS}`, registered: true } : { emailVerified: true }
    return { localId: account.id, email: account.email, ...profileOf(account), ...more }
  },
)

/** An empty object. */
export const nothingView = view('DevNothing', {}, (_: null) => ({}))

export const sentView = view('DevSentCode', { email }, (to: string) => ({ email: to }))

/** The purpose of a mailed code. */
export const codeView = view(
  'DevCode',
  {
    email,
    requestType: output.text({ about: 'Para que serve o código' }),
    newEmail: optional(output.text({ about: 'O e-mail que ele confirma' })),
  },
  ({ account, requestType, newEmail }: DevCode) => ({
    email: account.email,
    requestType,
    ...(newEmail !== null && { newEmail }),
  }),
)

/** What a refresh token is changed for: OAuth names it otherwise. */
export const refreshedView = view(
  'DevTokens',
  {
    accessToken: output.text({ wire: 'access_token', about: 'O ID token, um JWT' }),
    idToken: output.text({ wire: 'id_token', about: 'O mesmo' }),
    refreshToken: output.text({ wire: 'refresh_token', about: 'O token que renova o ID token' }),
    expiresIn: output.text({ wire: 'expires_in', about: 'Por quantos segundos o ID token vale' }),
    tokenType: output.text({ wire: 'token_type', about: 'Sempre Bearer' }),
    userId: output.text({ wire: 'user_id', about: 'Identificador da conta' }),
    projectId: output.text({ wire: 'project_id', about: 'Para quem o ID token é' }),
  },
  ({ account, idToken: token, refreshToken: further }: DevSession) => ({
    accessToken: token,
    idToken: token,
    refreshToken: further,
    expiresIn: `${DEV_TOKEN_SECONDS}`,
    tokenType: 'Bearer',
    userId: account.id,
    projectId: DEV_AUDIENCE,
  }),
)

const providerView = view(
  'DevProvider',
  {
    providerId: output.text({ about: 'Como se entra: por senha' }),
    federatedId: output.text({ about: 'O e-mail' }),
    rawId: output.text({ about: 'O e-mail' }),
    email,
    displayName,
    photoUrl,
  },
  (account: DevAccount) => ({
    providerId: 'password',
    federatedId: account.email,
    rawId: account.email,
    email: account.email,
    ...profileOf(account),
  }),
)

const accountView = view(
  'DevAccount',
  {
    localId,
    email,
    emailVerified: flag({ about: 'Se o e-mail é de quem diz ser: sempre' }),
    displayName,
    photoUrl,
    providerUserInfo: output.views(providerView, { about: 'Como a pessoa entra' }),
    createdAt: output.text({ about: 'Criação, em milissegundos desde 1970' }),
    lastLoginAt: output.text({ about: 'Último acesso, em milissegundos desde 1970' }),
  },
  (account: DevAccount) => ({
    localId: account.id,
    email: account.email,
    emailVerified: true,
    ...profileOf(account),
    providerUserInfo: [account],
    createdAt: `${Date.parse(account.createdAt)}`,
    lastLoginAt: `${Date.parse(account.signedInAt)}`,
  }),
)

/** Source: Firebase Auth REST API, accounts:lookup. */
export const accountsView = view(
  'DevAccounts',
  { users: output.views(accountView, { about: 'A conta do ID token' }) },
  (account: DevAccount) => ({ users: [account] }),
)

/** The keys by which tokens are verified, as RFC 7517 has them. */
export const keySetView = view(
  'DevKeySet',
  { keys: output.json({ about: 'As chaves públicas' }) },
  ({ keys }: DevKeys['jwks']) => ({ keys: keys.map((key) => JSON.parse(JSON.stringify(key))) }),
)

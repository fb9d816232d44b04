import {
  DEV_AUDIENCE,
  DEV_TOKEN_SECONDS,
  type DevAccount,
  type DevKeys,
  type DevSession,
} from '../../adapters/identity/dev-accounts.ts'
import type { DevCode } from '../../adapters/identity/dev-codes.ts'
import type { DevIssuer } from '../../adapters/identity/dev-issuer.ts'
import { right } from '../../core/failure.ts'
import {
  clearable,
  email,
  flag,
  input,
  line,
  nullIfAbsent,
  oneOf,
  optional,
  output,
  pick,
  requiredWhen,
  secret,
  url,
  view,
} from '../../core/kernel/input/mod.ts'
import { json } from '../http/replies/json-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { route } from './api.ts'

/** The minimum of Firebase. */
const MIN_PASSWORD = 6
const MAX_TOKEN = 8_192

const address = email({ about: 'E-mail' })
const password = secret({ about: 'Senha' })
const newPassword = secret({ min: MIN_PASSWORD, about: 'Senha' })
const name = line({ max: 255, about: 'Nome' })
const idToken = secret({ max: MAX_TOKEN, about: 'O ID token da conta' })

const newAccount = input('NewDevAccount', { email: address, password: newPassword, displayName: nullIfAbsent(name) })

const credentials = input('DevCredentials', { email: address, password })

const tokenHolder = input('DevToken', { idToken })

const oobCode = secret({ max: MAX_TOKEN, about: 'O código que está no endereço do e-mail' })

const change = input('DevAccountChange', {
  idToken: optional(idToken),
  oobCode: optional(oobCode),
  email: optional(address),
  password: optional(newPassword),
  displayName: clearable(name),
  photoUrl: clearable(url({ about: 'Endereço da foto' })),
})

const codeRequest = input(
  'DevCodeRequest',
  {
    requestType: oneOf(['PASSWORD_RESET', 'VERIFY_EMAIL', 'VERIFY_AND_CHANGE_EMAIL'], {
      about: 'Para que serve o código',
    }),
    email: optional(address),
    idToken: optional(idToken),
    newEmail: optional(address),
  },
  requiredWhen(['email'], 'requestType', 'PASSWORD_RESET'),
  requiredWhen(['idToken'], 'requestType', 'VERIFY_EMAIL', 'VERIFY_AND_CHANGE_EMAIL'),
  requiredWhen(['newEmail'], 'requestType', 'VERIFY_AND_CHANGE_EMAIL'),
)

const passwordReset = input('DevPasswordReset', { oobCode, newPassword: optional(newPassword) })

const grant = input('DevGrant', {
  grantType: oneOf(['refresh_token'], { wire: 'grant_type', about: 'O que se troca por um ID token' }),
  refreshToken: secret({ max: MAX_TOKEN, wire: 'refresh_token', about: 'O token que renova o ID token' }),
})

const accountFields = {
  localId: output.text({ about: 'Identificador da conta' }),
  email: output.text({ about: 'E-mail' }),
  displayName: optional(output.text({ about: 'Nome' })),
  photoUrl: optional(output.text({ about: 'Endereço da foto' })),
}
const tokenFields = {
  idToken: output.text({ about: 'O ID token, um JWT' }),
  refreshToken: output.text({ about: 'O token que renova o ID token' }),
  expiresIn: output.text({ about: 'Por quantos segundos o ID token vale' }),
}

/** Returns the account as Firebase shows it: without a name or a photo that is null. */
const accountOf = ({ id: localId, email, displayName: name, photoUrl: photo }: DevAccount) => ({
  localId,
  email,
  ...(name !== null && { displayName: name }),
  ...(photo !== null && { photoUrl: photo }),
})

/** The session after a sign-up, a sign-in or a change of the account. */
const sessionView = view(
  'DevSession',
  {
    ...accountFields,
    ...tokenFields,
    registered: flag({ about: 'Se a conta existe' }),
  },
  ({ account, ...tokens }: DevSession) => ({
    ...accountOf(account),
    ...tokens,
    expiresIn: `${DEV_TOKEN_SECONDS}`,
    registered: true,
  }),
)

/** An account after a change: with a new session, unless a mailed code changed it. */
const updatedView = view(
  'DevChangedAccount',
  {
    ...pick(accountFields, 'localId', 'email'),
    emailVerified: optional(flag({ about: 'Se o e-mail está confirmado, depois de um código' })),
    ...pick(accountFields, 'displayName', 'photoUrl'),
    idToken: optional(tokenFields.idToken),
    refreshToken: optional(tokenFields.refreshToken),
    expiresIn: optional(tokenFields.expiresIn),
    registered: optional(flag({ about: 'Se a conta existe' })),
  },
  (of: DevSession | DevAccount) => {
    const { account, ...tokens } = 'account' in of ? of : { account: of }
    const more =
      'account' in of ? { ...tokens, expiresIn: `${DEV_TOKEN_SECONDS}`, registered: true } : { emailVerified: true }
    return { ...accountOf(account), ...more }
  },
)

const nothingView = view('DevNothing', {}, (_: null) => ({}))

const sentView = view('DevSentCode', { email: accountFields.email }, (to: string) => ({ email: to }))

/** The purpose of a mailed code. */
const codeView = view(
  'DevCode',
  {
    email: accountFields.email,
    requestType: output.text({ about: 'Para que serve o código' }),
    newEmail: optional(output.text({ about: 'O e-mail que ele confirma' })),
  },
  ({ account, requestType, newEmail }: DevCode) => ({
    email: account.email,
    requestType,
    ...(newEmail !== null && { newEmail }),
  }),
)

/** The tokens that replace a refresh token, under their OAuth names. */
const refreshedView = view(
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
  ({ account, idToken: token, refreshToken: next }: DevSession) => ({
    accessToken: token,
    idToken: token,
    refreshToken: next,
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
    ...pick(accountFields, 'email', 'displayName', 'photoUrl'),
  },
  (account: DevAccount) => ({
    providerId: 'password',
    federatedId: account.email,
    rawId: account.email,
    ...accountOf(account),
  }),
)

const accountView = view(
  'DevAccount',
  {
    ...pick(accountFields, 'localId', 'email'),
    emailVerified: flag({ about: 'Se o e-mail é de quem diz ser: sempre' }),
    ...pick(accountFields, 'displayName', 'photoUrl'),
    providerUserInfo: output.views(providerView, { about: 'Como a pessoa entra' }),
    createdAt: output.text({ about: 'Criação, em milissegundos desde 1970' }),
    lastLoginAt: output.text({ about: 'Último acesso, em milissegundos desde 1970' }),
  },
  (account: DevAccount) => ({
    ...accountOf(account),
    emailVerified: true,
    providerUserInfo: [account],
    createdAt: `${Date.parse(account.createdAt)}`,
    lastLoginAt: `${Date.parse(account.signedInAt)}`,
  }),
)

const accountsView = view(
  'DevAccounts',
  { users: output.views(accountView, { about: 'A conta do ID token' }) },
  (account: DevAccount) => ({ users: [account] }),
)

/** The keys that verify tokens, as a key set of RFC 7517. */
const keySetView = view(
  'DevKeySet',
  { keys: output.json({ about: 'As chaves públicas' }) },
  ({ keys }: DevKeys['jwks']) => ({ keys: keys.map((key) => JSON.parse(JSON.stringify(key))) }),
)

const ACCOUNTS = '/identitytoolkit.googleapis.com/v1/accounts\\'
const TOKEN_ERRORS = { 'issuer.token-invalid': {}, 'issuer.user-missing': {} } as const

const common = { area: 'Emissor de desenvolvimento', dialect: 'google', auth: 'public', methods: ['POST'] } as const

const EXAMPLE_TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJrVmgyYVEwbVpyOFRnVzV4WWMzTGRQMW5CcTQyIn0.c2ln'
const EXAMPLE_UID = 'kVh2aQ0mZr8TgW5xYc3LdP1nBq42'
const EXAMPLE_CODE = 'WyJrVmgyYVEwIiwiUEFTU1dPUkRfUkVTRVQiXQ.c2ln'
const EXAMPLE_REFRESH = `${EXAMPLE_UID}.1921582800.bWFyaw`
const sent = { email: 'ana@aurora.example', password: 'segredo-123' }
const session = {
  localId: EXAMPLE_UID,
  email: sent.email,
  idToken: EXAMPLE_TOKEN,
  refreshToken: EXAMPLE_REFRESH,
  expiresIn: '3600',
  registered: true,
}

/** The rows that act on accounts, each on the issuer that serves it. */
const ACCOUNT_ROWS: readonly ((issuer: DevIssuer) => AnyRow)[] = [
  (issuer) =>
    route({
      ...common,
      name: 'dev-issuer.sign-up',
      summary: 'Cria uma conta e entra com ela',
      paths: [`${ACCOUNTS}:signUp`],
      input: { body: newAccount },
      run: ({ request }, { body }) => issuer.signUp(body, request),
      reply: json({ view: sessionView }),
      errors: { 'issuer.email-exists': {} },
      example: { given: 'devNewcomer', request: { body: sent }, reply: session },
    }),
  (issuer) =>
    route({
      ...common,
      name: 'dev-issuer.sign-in',
      summary: 'Entra com e-mail e senha',
      paths: [`${ACCOUNTS}:signInWithPassword`],
      input: { body: credentials },
      run: ({ request }, { body }) => issuer.signIn(body, request),
      reply: json({ view: sessionView }),
      errors: { 'issuer.credentials-wrong': {}, 'login.throttled': {} },
      example: { given: 'devAccount', request: { body: sent }, reply: session },
    }),
  (issuer) =>
    route({
      ...common,
      name: 'dev-issuer.look-up',
      summary: 'Mostra a conta de um ID token',
      paths: [`${ACCOUNTS}:lookup`],
      input: { body: tokenHolder },
      run: (_call, { body }) => issuer.lookUp(body.idToken),
      reply: json({ view: accountsView }),
      errors: TOKEN_ERRORS,
      example: {
        given: 'devSession',
        request: { body: { idToken: EXAMPLE_TOKEN } },
        reply: {
          users: [
            {
              localId: EXAMPLE_UID,
              email: sent.email,
              emailVerified: true,
              providerUserInfo: [
                { providerId: 'password', federatedId: sent.email, rawId: sent.email, email: sent.email },
              ],
              createdAt: '1921582800000',
              lastLoginAt: '1921582800000',
            },
          ],
        },
      },
    }),
  (issuer) =>
    route({
      ...common,
      name: 'dev-issuer.update',
      summary: 'Altera a conta de um ID token; uma senha nova encerra o que a antiga abriu',
      paths: [`${ACCOUNTS}:update`],
      input: { body: change },
      run: ({ request }, { body: { idToken: token = '', oobCode: code, ...fields } }) =>
        code === undefined ? issuer.update(token, fields, request) : issuer.confirmEmail(code),
      reply: json({ view: updatedView }),
      errors: {
        ...TOKEN_ERRORS,
        'issuer.email-exists': {},
        'issuer.code-invalid': {},
        'issuer.code-expired': {},
      },
      example: {
        given: 'devSession',
        request: { body: { idToken: EXAMPLE_TOKEN, displayName: 'Ana Souza' } },
        reply: { ...session, displayName: 'Ana Souza' },
      },
    }),
  (issuer) =>
    route({
      ...common,
      name: 'dev-issuer.remove',
      summary: 'Exclui a conta de um ID token',
      paths: [`${ACCOUNTS}:delete`],
      input: { body: tokenHolder },
      run: (_call, { body }) => issuer.remove(body.idToken),
      reply: json({ view: nothingView }),
      errors: TOKEN_ERRORS,
      example: { given: 'devSession', request: { body: { idToken: EXAMPLE_TOKEN } }, reply: {} },
    }),
  (issuer) =>
    route({
      ...common,
      name: 'dev-issuer.send-code',
      summary: 'Envia por e-mail um código que cria uma senha nova ou confirma um e-mail',
      paths: [`${ACCOUNTS}:sendOobCode`],
      input: { body: codeRequest },
      run: (_call, { body }) => issuer.sendCode(body),
      reply: json({ view: sentView }),
      errors: { 'issuer.email-missing': {}, ...TOKEN_ERRORS, 'issuer.email-exists': {} },
      example: {
        given: 'devAccount',
        request: { body: { requestType: 'PASSWORD_RESET', email: sent.email } },
        reply: { email: sent.email },
      },
    }),
  (issuer) =>
    route({
      ...common,
      name: 'dev-issuer.reset-password',
      summary: 'Confere um código de e-mail; com `newPassword`, cria a senha nova',
      paths: [`${ACCOUNTS}:resetPassword`],
      input: { body: passwordReset },
      run: ({ request }, { body: { oobCode: code, newPassword: next } }) =>
        next === undefined ? issuer.checkCode(code) : issuer.resetPassword(code, next, request),
      reply: json({ view: codeView }),
      errors: { 'issuer.code-invalid': {}, 'issuer.code-expired': {}, 'issuer.email-exists': {} },
      example: {
        given: 'devCode',
        request: { body: { oobCode: EXAMPLE_CODE } },
        reply: { email: sent.email, requestType: 'PASSWORD_RESET' },
      },
    }),
  (issuer) =>
    route({
      ...common,
      name: 'dev-issuer.refresh',
      summary: 'Troca um token de renovação por um ID token',
      paths: ['/securetoken.googleapis.com/v1/token'],
      body: { kinds: ['form', 'json'] },
      input: { body: grant },
      run: (_call, { body }) => issuer.refresh(body.refreshToken),
      reply: json({ view: refreshedView }),
      errors: { 'issuer.refresh-invalid': {}, 'issuer.token-expired': {} },
      example: {
        given: 'devGrant',
        request: { body: { grant_type: 'refresh_token', refresh_token: EXAMPLE_REFRESH } },
        reply: {
          access_token: EXAMPLE_TOKEN,
          id_token: EXAMPLE_TOKEN,
          refresh_token: EXAMPLE_REFRESH,
          expires_in: '3600',
          token_type: 'Bearer',
          user_id: EXAMPLE_UID,
          project_id: 'portico',
        },
      },
    }),
]

const keysRow = (jwks: DevKeys['jwks']): AnyRow =>
  route({
    ...common,
    name: 'dev-issuer.keys',
    summary: 'Mostra as chaves públicas que conferem os ID tokens',
    methods: ['GET'],
    paths: ['/.well-known/jwks.json'],
    run: () => async () => right(jwks),
    reply: json({ view: keySetView }),
    // The only failure, if a rate limit is configured.
    errors: { 'rate.limited': {} },
    example: {
      reply: {
        keys: [{ kty: 'EC', crv: 'P-256', x: 'eHg', y: 'eXk', kid: 'bWFyY2EtZGEtY2hh', alg: 'ES256', use: 'sig' }],
      },
    },
  })

/** The development issuer, under the paths of the emulator of Firebase Authentication. */
export const devIssuerRows = (issuer: DevIssuer, jwks: DevKeys['jwks']): readonly AnyRow[] => [
  ...ACCOUNT_ROWS.map((row) => row(issuer)),
  keysRow(jwks),
]

import { input, line, viewBy, withDefault } from '../../../core/kernel/input/mod.ts'
import { selfChange } from '../../../core/payments/access/change-user.ts'
import { credentialFields } from '../../../core/payments/access/log-in.ts'
import { legacyMeView } from '../../../core/payments/access/organizations.ts'
import { dashboardTokenView, type SignInResult, sessionTokenView } from '../../../core/payments/access/session.ts'
import { memberView } from '../../../core/payments/members/user.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { accountExample } from '../accounts.ts'
import { originOf, route } from '../api.ts'
import { SECOND_STEP } from './authentication.ts'
import { memberExample } from './users.ts'

const area = 'Autenticação (legado)'

/** The device whose reply contains the user. */
const DASHBOARD = 'dashboard_sass'

const credentials = input('DeviceCredentials', {
  ...credentialFields,
  deviceName: withDefault(line({ max: 255, about: 'Dispositivo, como ele se apresenta' }), 'dashboard'),
})

const tokenExample = {
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  session_duration: 3600,
  expires_at: '2030-11-21 11:05:09',
  session_id: '9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10',
}

/** Sign-in and the own user on legacy routes. */
export const legacyAuthenticationRows: readonly AnyRow[] = [
  route({
    name: 'legacy-auth.login',
    area,
    summary: 'Autentica um usuário na sua conta mais recente',
    methods: ['POST'],
    paths: ['/access/auth/login'],
    dialect: 'login',
    auth: 'public',
    input: { body: credentials },
    run: ({ core, request }, { body: sent }) =>
      core.sessions.beginLogIn(sent, originOf(request, sent.deviceName), 'the newest account'),
    reply: json({
      view: viewBy<SignInResult>([sessionTokenView, dashboardTokenView], ({ device }) =>
        device === DASHBOARD ? dashboardTokenView : sessionTokenView,
      ),
      otherwise: SECOND_STEP,
    }),
    errors: { 'account.none': {}, 'credentials.wrong': { status: 401 }, 'login.throttled': { status: 429 } },
    deprecated: { use: '/v1/auth/login' },
    example: {
      given: 'member',
      request: { body: { email: 'maria@example.com', password: 'correto e longo' } },
      data: tokenExample,
    },
  }),
  route({
    name: 'legacy-auth.me',
    area,
    summary: 'Mostra o usuário, a conta ativa e as suas contas',
    paths: ['/access/auth/me'],
    dialect: 'bare',
    auth: 'account',
    run: ({ core, actor }) => core.people.readLegacyMe(actor),
    reply: json({ view: legacyMeView }),
    errors: { 'token.invalid': {} },
    example: {
      given: 'organization',
      data: {
        account: accountExample,
        user: memberExample,
        permissions: ['charges:read'],
        role: { id: 1, name: 'ADMIN' },
        accounts: [accountExample],
      },
    },
  }),
  route({
    name: 'legacy-auth.logout',
    area,
    summary: 'Encerra a sessão do token',
    methods: ['POST'],
    paths: ['/access/auth/logout'],
    dialect: 'bare',
    auth: 'anySession',
    key: false,
    run: ({ core, actor }) => core.sessions.logOut(actor),
    reply: json({ message: 'Successfully logged out' }),
    errors: { 'token.invalid': {}, 'permission.lacking': {} },
    deprecated: { use: '/v1/auth/logout' },
    example: { given: 'user' },
  }),
  route({
    name: 'legacy-auth.refresh',
    area,
    summary: 'Troca o token por um novo',
    methods: ['PUT'],
    paths: ['/access/auth/refresh'],
    dialect: 'bare',
    auth: 'refresh',
    run: ({ core, actor }) => core.sessions.refresh(actor),
    reply: json({ view: sessionTokenView }),
    errors: { 'token.invalid': {} },
    deprecated: { use: '/v1/auth/refresh' },
    example: { given: 'user', data: tokenExample },
  }),
  route({
    name: 'legacy-auth.edit',
    area,
    summary: 'Altera o próprio usuário',
    methods: ['PUT'],
    paths: ['/access/auth/edit'],
    dialect: 'envelope',
    auth: 'session',
    input: { body: selfChange },
    run: ({ core, actor, request }, { body: sent }) => core.people.editSelf(actor, sent, originOf(request)),
    reply: json({ key: 'user', message: 'Usuário atualizado com sucesso', view: memberView }),
    errors: { 'permission.lacking': {}, 'token.invalid': {}, 'password.wrong': {}, 'login.throttled': { status: 429 } },
    example: {
      given: 'user',
      request: { body: { current_password: 'correto e longo', name: 'Maria da Silva', document: '529.982.247-25' } },
      data: { ...memberExample, document: '52998224725' },
    },
  }),
]

import { t } from '../../../../core/fp.ts'
import { body } from '../../../../core/kernel/input/body.ts'
import { nullable, optional, withDefault } from '../../../../core/kernel/input/codec.ts'
import { email, line, secret, unmarked } from '../../../../core/kernel/input/fields/texts.ts'
import { out } from '../../../../core/kernel/input/outputs.ts'
import { legacyMeView } from '../../../../core/payments/access/people/read-legacy-me.ts'
import {
  dashboardTokenView,
  type SignedIn,
  sessionTokenView,
} from '../../../../core/payments/access/sessions/signed-in.ts'
import { memberView } from '../../../../core/payments/members/user.ts'
import { json } from '../../../http/replies/json-reply.ts'
import type { AnyRow } from '../../../http/rows/row.ts'
import { accountExample, accountShape } from '../../accounts/account-shape.ts'
import { route } from '../../api.ts'
import { originOf } from '../../origin.ts'
import { memberExample, memberShape, roleShape } from '../people/member-shape.ts'

const area = 'Autenticação (legado)'
const use = '/v1/auth/*'

/** The device whose answer shows who signed in. */
const DASHBOARD = 'dashboard_sass'

const credentials = body({
  email: email(),
  password: secret(),
  device_name: withDefault(line({ max: 255 }), 'dashboard'),
})

const selfChange = body({
  current_password: secret(),
  new_password: optional(secret({ min: 6 })),
  name: optional(line({ max: 255 })),
  email: optional(email({ max: 255 })),
  document: optional(unmarked({ max: 20 })),
  phone: optional(nullable(line({ max: 20 }))),
})

const tokenFields = { token: t.string, session_duration: out.integer, expires_at: t.string }
const tokenShape = t.type({ ...tokenFields, session_id: out.guid })
const loginShape = t.union([tokenShape, t.type({ ...tokenFields, user: memberShape, roles: t.array(roleShape) })])

const tokenExample = {
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  session_duration: 3600,
  expires_at: '2030-11-21 11:05:09',
  session_id: '9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10',
}

const meShape = t.type({
  account: accountShape,
  user: memberShape,
  permissions: t.array(t.string),
  role: roleShape,
  accounts: t.array(accountShape),
})

/** Source: 01-access.md, Legacy authentication; decisions.md §1 and §12. */
export const legacyAuthRows: readonly AnyRow[] = [
  route({
    name: 'legacy-auth.login',
    area,
    summary: 'Autentica um usuário na sua conta mais recente',
    methods: ['POST'],
    paths: ['/access/auth/login'],
    dialect: 'login',
    auth: 'public',
    input: { body: credentials },
    output: loginShape,
    run: ({ core, request }, { body: { device_name: device, ...sent } }) =>
      core.sessions.logIn(sent, originOf(request, device), 'the newest account'),
    reply: json<SignedIn>({
      view: (signed) => (signed.device === DASHBOARD ? dashboardTokenView(signed) : sessionTokenView(signed)),
    }),
    errors: { 'credentials.wrong': { status: 401 }, 'login.throttled': { status: 429 } },
    deprecated: { use },
    example: {
      given: 'member',
      request: { body: { email: 'maria@example.com', password: 'correto e longo' } },
      reply: tokenExample,
    },
  }),
  route({
    name: 'legacy-auth.me',
    area,
    summary: 'Mostra o usuário, a conta ativa e as suas contas',
    methods: ['GET'],
    paths: ['/access/auth/me'],
    dialect: 'bare',
    auth: 'account',
    input: {},
    output: meShape,
    run: ({ core, actor }) => core.people.readLegacyMe(actor),
    reply: json({ view: legacyMeView }),
    deprecated: { use },
    example: {
      given: 'organization',
      reply: {
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
    input: {},
    output: t.null,
    run: ({ core, actor }) => core.sessions.logOut(actor),
    reply: json({ message: 'Successfully logged out' }),
    deprecated: { use },
    example: { given: 'user', reply: { message: 'Successfully logged out' } },
  }),
  route({
    name: 'legacy-auth.refresh',
    area,
    summary: 'Troca o token por um novo',
    methods: ['PUT'],
    paths: ['/access/auth/refresh'],
    dialect: 'bare',
    auth: 'refresh',
    input: {},
    output: tokenShape,
    run: ({ core, actor }) => core.sessions.refresh(actor),
    reply: json({ view: sessionTokenView }),
    deprecated: { use },
    example: { given: 'user', reply: tokenExample },
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
    output: memberShape,
    run: ({ core, actor, request }, { body: { current_password, new_password, ...others } }) => {
      const change = { ...others, currentPassword: current_password, newPassword: new_password }
      return core.people.editSelf(actor, change, originOf(request))
    },
    reply: json({ key: 'user', message: 'Usuário atualizado com sucesso', view: memberView }),
    errors: { 'login.throttled': { status: 429 } },
    deprecated: { use: '/v1/users' },
    example: {
      given: 'user',
      request: {
        body: { current_password: 'correto e longo', name: 'Maria da Silva', document: '529.982.247-25' },
      },
      reply: {
        code: 200,
        success: true,
        user: { ...memberExample, document: '52998224725' },
        message: 'Usuário atualizado com sucesso',
      },
    },
  }),
]

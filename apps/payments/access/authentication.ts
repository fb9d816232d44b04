import { viewEach } from '../../../core/kernel/input/mod.ts'
import { confirmedPasswordView, passwordConfirmation } from '../../../core/payments/access/confirm-password.ts'
import { credentials, isSecondStepRequired, secondStepRequiredView } from '../../../core/payments/access/log-in.ts'
import { meView } from '../../../core/payments/access/organizations.ts'
import { sessionView } from '../../../core/payments/access/own-sessions.ts'
import { tokenView } from '../../../core/payments/access/session.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { originOf, route } from '../api.ts'
import { newUserExample, signUp, userExample } from './users.ts'

export const tokenExample = {
  access_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  token_type: 'bearer',
  expires_in: 3600,
  user: userExample,
}

const shared = { area: 'Autenticação', dialect: 'v1' } as const

const LOGGED_IN = 'Login realizado com sucesso.'

/** The reply to a right password that the second step must follow. */
export const SECOND_STEP = {
  status: 202,
  when: isSecondStepRequired,
  view: secondStepRequiredView,
  about: 'Confirme o segundo fator.',
} as const

/** Sign-up, sign-in, token refresh and sign-out. */
export const authenticationRows: readonly AnyRow[] = [
  route({
    ...shared,
    name: 'authentication.register',
    summary: 'Cadastra um usuário e o autentica',
    methods: ['POST'],
    paths: ['/v1/auth/register'],
    auth: 'public',
    input: { body: signUp },
    run: ({ core, request }, { body: person }) => core.people.register(person, originOf(request)),
    reply: json({ status: 201, message: 'Cadastro realizado com sucesso.', view: tokenView }),
    example: { given: 'newcomer', request: { body: newUserExample }, data: tokenExample },
  }),
  route({
    ...shared,
    name: 'authentication.login',
    summary: 'Autentica um usuário por e-mail e senha',
    methods: ['POST'],
    paths: ['/v1/auth/login'],
    auth: 'public',
    input: { body: credentials },
    run: ({ core, request }, { body: sent }) => core.sessions.beginLogIn(sent, originOf(request)),
    reply: json({
      message: (result) => (isSecondStepRequired(result) ? SECOND_STEP.about : LOGGED_IN),
      view: tokenView,
      otherwise: SECOND_STEP,
    }),
    errors: { 'account.none': {}, 'credentials.wrong': { status: 401 }, 'login.throttled': { status: 429 } },
    example: {
      given: 'user',
      request: { body: { email: 'maria@example.com', password: 'correto e longo' } },
      data: tokenExample,
      message: LOGGED_IN,
    },
  }),
  route({
    ...shared,
    name: 'authentication.me',
    summary: 'Mostra o usuário autenticado e suas organizações',
    paths: ['/v1/auth/me'],
    auth: 'anySession',
    run: ({ core, actor }) => core.people.readMe(actor),
    reply: json({ key: 'user', message: 'Usuário obtido com sucesso.', view: meView }),
    errors: { 'token.invalid': {} },
    example: {
      given: 'organization',
      data: {
        ...userExample,
        organizations: [
          { id: 1, uuid: '9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10', name: 'Padaria Central', status: 'ACTIVE' },
        ],
      },
    },
  }),
  route({
    ...shared,
    name: 'authentication.logout',
    summary: 'Encerra a sessão do token',
    methods: ['POST'],
    paths: ['/v1/auth/logout'],
    auth: 'anySession',
    // A repeated request has no open session: it could not read its key.
    key: false,
    run: ({ core, actor }) => core.sessions.logOut(actor),
    reply: json({ message: 'Sessão encerrada com sucesso.' }),
    errors: { 'token.invalid': {}, 'permission.lacking': {} },
    example: { given: 'user' },
  }),
  route({
    ...shared,
    name: 'authentication.refresh',
    summary: 'Troca o token por um novo; repetida em até 60 s com o mesmo Idempotency-Key, responde o mesmo',
    methods: ['POST'],
    paths: ['/v1/auth/refresh'],
    auth: 'refresh',
    run: ({ core, actor, request }) => core.sessions.refresh(actor, request.header('idempotency-key')),
    reply: json({ message: 'Token renovado com sucesso.', view: tokenView }),
    errors: { 'token.invalid': {} },
    example: { given: 'user', data: tokenExample },
  }),
  route({
    ...shared,
    name: 'authentication.confirm-password',
    summary: 'Confirma a senha outra vez: por dez minutos a sessão vê segredos e altera a conta',
    methods: ['POST'],
    paths: ['/v1/auth/confirm-password'],
    auth: 'session',
    // A replay would answer without the password.
    key: false,
    input: { body: passwordConfirmation },
    run: ({ core, actor, request }, { body }) => core.sessions.confirmPassword(actor, body, originOf(request)),
    reply: json({ message: 'Senha confirmada.', view: confirmedPasswordView }),
    errors: {
      'permission.lacking': {},
      'token.invalid': {},
      'password.wrong': { status: 403 },
      'login.throttled': { status: 429 },
    },
    example: {
      given: 'user',
      request: { body: { password: 'correto e longo' } },
      data: { expires_at: '2030-11-21T10:15:09-03:00' },
    },
  }),
  route({
    ...shared,
    name: 'authentication.logout-everywhere',
    summary: 'Encerra todas as sessões do usuário, esta também',
    methods: ['POST'],
    paths: ['/v1/auth/logout-everywhere'],
    auth: 'session',
    // A repeated request has no open session: it could not read its key.
    key: false,
    run: ({ core, actor }) => core.sessions.endAll(actor),
    reply: json({ message: 'Sessões encerradas com sucesso.' }),
    errors: { 'permission.lacking': {} },
    example: { given: 'user' },
  }),
]

const sessionExample = {
  id: '9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10',
  device: 'dashboard',
  address: '203.0.113.7',
  current: true,
  created_at: '2030-11-21T10:05:09-03:00',
  last_used_at: '2030-11-21T10:05:09-03:00',
}

const session = { area: 'Sessões', dialect: 'envelope', auth: 'session' } as const

/** The open sessions of a user, who can end each from another device, such as that of a lost phone. */
export const sessionRows: readonly AnyRow[] = [
  route({
    ...session,
    name: 'sessions.list',
    summary: 'Lista as sessões abertas do usuário',
    paths: ['/access/auth/sessions'],
    run: ({ core, actor }) => core.sessions.list(actor),
    reply: json({ message: 'Sessões listadas com sucesso.', view: viewEach(sessionView) }),
    errors: { 'permission.lacking': {} },
    example: { given: 'dashboard', data: [sessionExample] },
  }),
  route({
    ...session,
    name: 'sessions.end',
    summary: 'Encerra uma sessão do usuário',
    methods: ['DELETE'],
    paths: ['/access/auth/sessions/:id'],
    record: ({ core, actor, request }) => core.sessions.read(actor, request.params.id ?? ''),
    run: ({ core, actor, record }) => core.sessions.end(actor, record.id),
    reply: json({ message: 'Sessão encerrada com sucesso.' }),
    errors: { 'permission.lacking': {}, 'session.unknown': {} },
    example: { given: 'session', request: { params: { id: '9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10' } } },
  }),
]

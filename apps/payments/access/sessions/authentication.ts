import { credentials } from '../../../../core/payments/access/log-in.ts'
import { meView } from '../../../../core/payments/access/me.ts'
import { tokenView } from '../../../../core/payments/access/session.ts'
import { json } from '../../../http/replies/json-reply.ts'
import type { AnyRow } from '../../../http/rows/row.ts'
import { route } from '../../api.ts'
import { originOf } from '../../origin.ts'
import { newPerson } from '../people/person-body.ts'
import { newUserExample, userExample } from '../people/user-example.ts'

const area = 'Autenticação'

const tokenExample = {
  access_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  token_type: 'bearer',
  expires_in: 3600,
  user: userExample,
}

/** Source: 01-access.md, v1 authentication. */
export const authenticationRows: readonly AnyRow[] = [
  route({
    name: 'authentication.register',
    area,
    summary: 'Cadastra um usuário e o autentica',
    methods: ['POST'],
    paths: ['/v1/auth/register'],
    dialect: 'v1',
    auth: 'public',
    input: { body: newPerson },
    run: ({ core, request }, { body: person }) => core.people.register(person, originOf(request)),
    reply: json({ status: 201, message: 'Cadastro realizado com sucesso.', view: tokenView }),
    example: {
      given: 'newcomer',
      request: {
        body: newUserExample,
      },
      reply: { code: 201, success: true, data: tokenExample, message: 'Cadastro realizado com sucesso.' },
    },
  }),
  route({
    name: 'authentication.login',
    area,
    summary: 'Autentica um usuário por e-mail e senha',
    methods: ['POST'],
    paths: ['/v1/auth/login'],
    dialect: 'v1',
    auth: 'public',
    input: { body: credentials },
    run: ({ core, request }, { body: sent }) => core.sessions.logIn(sent, originOf(request)),
    reply: json({ message: 'Login realizado com sucesso.', view: tokenView }),
    errors: { 'account.none': {}, 'credentials.wrong': { status: 401 }, 'login.throttled': { status: 429 } },
    example: {
      given: 'user',
      request: { body: { email: 'maria@example.com', password: 'correto e longo' } },
      reply: { code: 200, success: true, data: tokenExample, message: 'Login realizado com sucesso.' },
    },
  }),
  route({
    name: 'authentication.me',
    area,
    summary: 'Mostra o usuário autenticado e suas organizações',
    methods: ['GET'],
    paths: ['/v1/auth/me'],
    dialect: 'v1',
    auth: 'anySession',
    input: {},
    run: ({ core, actor }) => core.people.readMe(actor),
    reply: json({ key: 'user', message: 'Usuário obtido com sucesso.', view: meView }),
    errors: { 'token.invalid': {} },
    example: {
      given: 'organization',
      reply: {
        code: 200,
        success: true,
        user: {
          ...userExample,
          organizations: [
            { id: 1, uuid: '9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10', name: 'Padaria Central', status: 'ACTIVE' },
          ],
        },
        message: 'Usuário obtido com sucesso.',
      },
    },
  }),
  route({
    name: 'authentication.logout',
    area,
    summary: 'Encerra a sessão do token',
    methods: ['POST'],
    paths: ['/v1/auth/logout'],
    dialect: 'v1',
    auth: 'anySession',
    // A repeat comes without a living session, and finds none of its keys.
    key: false,
    input: {},
    run: ({ core, actor }) => core.sessions.logOut(actor),
    reply: json({ message: 'Sessão encerrada com sucesso.' }),
    errors: { 'token.invalid': {} },
    example: { given: 'user', reply: { code: 200, success: true, message: 'Sessão encerrada com sucesso.' } },
  }),
  route({
    name: 'authentication.refresh',
    area,
    summary: 'Troca o token por um novo',
    methods: ['POST'],
    paths: ['/v1/auth/refresh'],
    dialect: 'v1',
    auth: 'refresh',
    input: {},
    run: ({ core, actor }) => core.sessions.refresh(actor),
    reply: json({ message: 'Token renovado com sucesso.', view: tokenView }),
    errors: { 'token.invalid': {} },
    example: {
      given: 'user',
      reply: { code: 200, success: true, data: tokenExample, message: 'Token renovado com sucesso.' },
    },
  }),
]

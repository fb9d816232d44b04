import { newUser, profileView, userView } from '../../../core/real-estate/access.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { EXAMPLE_COMPANY, EXAMPLE_MOMENT, EXAMPLE_USER } from '../examples.ts'

const about = { area: 'Autenticação', methods: ['POST'], dialect: 'estate' } as const

const sent = {
  firebaseUid: 'kVh2aQ0mZr8TgW5xYc3LdP1nBq42',
  email: 'ana@aurora.example',
  name: 'Ana Souza',
  role: 'Admin',
  companyId: EXAMPLE_COMPANY,
}

const profile = {
  id: EXAMPLE_USER,
  ...sent,
  isDarkMode: false,
  company: { id: EXAMPLE_COMPANY, legalName: 'Imobiliária Aurora Ltda.', taxId: '11222333000181' },
}

/** Source: 03-real-estate.md, Authentication. */
export const authenticationRows: readonly AnyRow[] = [
  route({
    ...about,
    name: 'auth.register',
    summary: 'Cadastra um usuário que já tem conta no provedor de identidade',
    paths: ['/api/auth/register'],
    auth: 'identity',
    input: { body: newUser },
    run: ({ core, actor }, { body }) => core.access.register(actor, body),
    reply: json({ status: 201, view: userView }),
    errors: { 'registration.forbidden': {}, 'user.uid.taken': {}, 'user.email.taken': {} },
    example: {
      given: 'newcomer',
      request: { body: { ...sent, company: { legalName: 'Imobiliária Aurora Ltda.', taxId: '11.222.333/0001-81' } } },
      reply: { id: EXAMPLE_USER, ...sent, createdAt: EXAMPLE_MOMENT },
    },
  }),
  route({
    ...about,
    name: 'auth.login',
    summary: 'Mostra o usuário do token, com o nome e o e-mail que o provedor tem agora',
    paths: ['/api/auth/login'],
    auth: 'identity',
    key: false,
    input: {},
    run: ({ core, actor }) => core.access.logIn(actor),
    reply: json({ view: profileView }),
    errors: { 'user.unknown': {} },
    example: { given: 'admin', request: { body: {} }, reply: profile },
  }),
  route({
    ...about,
    name: 'auth.refresh',
    summary: 'Confere o token e mostra o usuário como está',
    paths: ['/api/auth/refresh'],
    auth: 'member',
    key: false,
    input: {},
    run: ({ core, actor }) => core.access.readProfile(actor),
    reply: json({ view: profileView }),
    errors: { 'user.unknown': {} },
    example: { given: 'admin', reply: profile },
  }),
]

import { newUser, profileView, userView } from '../../core/real-estate/access.ts'
import {
  acceptance,
  invitationToken,
  invitationView,
  newInvitation,
  previewView,
  type ShownInvitation,
} from '../../core/real-estate/invitations.ts'
import { paging } from '../../core/real-estate/records/fields.ts'
import { json, page } from '../http/replies/json-reply.ts'
import { empty } from '../http/replies/raw-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { route } from './api.ts'
import { EXAMPLE_COMPANY, EXAMPLE_MOMENT, EXAMPLE_USER, exampleId } from './examples.ts'

const identity = { area: 'Autenticação', methods: ['POST'], dialect: 'estate' } as const

const registration = {
  firebaseUid: 'kVh2aQ0mZr8TgW5xYc3LdP1nBq42',
  email: 'ana@aurora.example',
  name: 'Ana Souza',
  role: 'Admin',
  companyId: EXAMPLE_COMPANY,
}

const profile = {
  id: EXAMPLE_USER,
  ...registration,
  isDarkMode: false,
  company: { id: EXAMPLE_COMPANY, legalName: 'Imobiliária Aurora Ltda.', taxId: '11222333000181' },
}

const BASE = '/api/invitations'
const invitation = { area: 'Convites', dialect: 'estate' } as const
const byMember = { ...invitation, auth: 'member' } as const

const token = 'tq3V8sKc0mZr8TgW5xYc3LdP1nBq42uJhE7aQ9oX'
const sent = { email: 'bruno@aurora.example', role: 'Broker' }
const shown = {
  id: exampleId(95),
  ...sent,
  status: 'Pending',
  expiresAt: '2030-11-28T13:05:09.123Z',
  acceptedAt: null,
  createdAt: EXAMPLE_MOMENT,
}

/** Registration, log-in and invitations. */
export const accessRows: readonly AnyRow[] = [
  route({
    ...identity,
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
      request: {
        body: { ...registration, company: { legalName: 'Imobiliária Aurora Ltda.', taxId: '11.222.333/0001-81' } },
      },
      reply: { id: EXAMPLE_USER, ...registration, createdAt: EXAMPLE_MOMENT },
    },
  }),
  route({
    ...identity,
    name: 'auth.login',
    summary: 'Mostra o usuário do token, com o nome e o e-mail que o provedor tem agora',
    paths: ['/api/auth/login'],
    auth: 'identity',
    key: false,
    run: ({ core, actor }) => core.access.logIn(actor),
    reply: json({ view: profileView }),
    errors: { 'user.unknown': {}, 'broker.barred': {} },
    example: { given: 'admin', request: { body: {} }, reply: profile },
  }),
  route({
    ...identity,
    name: 'auth.refresh',
    summary: 'Confere o token e mostra o usuário como está',
    paths: ['/api/auth/refresh'],
    auth: 'member',
    key: false,
    run: ({ core, actor }) => core.access.readProfile(actor),
    reply: json({ view: profileView }),
    errors: { 'user.unknown': {} },
    example: { given: 'admin', reply: profile },
  }),
  route({
    ...byMember,
    name: 'invitations.create',
    summary:
      'Convida um e-mail para a imobiliária; o endereço que ele recebe vale por 7 dias e uma só vez, e um convite anterior do mesmo e-mail deixa de valer',
    methods: ['POST'],
    paths: [BASE],
    permission: 'invitations:write',
    input: { body: newInvitation },
    run: ({ core, actor }, { body }) => core.invitations.create(actor, body),
    reply: json({ status: 201, view: invitationView }),
    errors: { 'user.email.taken': {}, 'invitation.too-many': {}, 'invitation.unmailable': {} },
    example: { given: 'admin', request: { body: sent }, reply: shown },
  }),
  route({
    ...byMember,
    name: 'invitations.list',
    summary: 'Lista os convites da imobiliária, do mais novo ao mais antigo',
    paths: [BASE],
    permission: 'invitations:read',
    input: { query: paging },
    run: ({ core, actor }, { query }) => core.invitations.list(actor, query),
    reply: page<ShownInvitation>({ view: invitationView }),
    example: { given: 'invitation', data: shown },
  }),
  route({
    ...byMember,
    name: 'invitations.revoke',
    summary: 'Cancela um convite que ainda não foi aceito',
    methods: ['DELETE'],
    paths: [`${BASE}/:id`],
    permission: 'invitations:write',
    run: ({ core, actor, request }) => core.invitations.revoke(actor, request.params.id ?? ''),
    reply: empty(),
    errors: { 'invitation.unknown': {}, 'invitation.accepted': {} },
    example: { given: 'invitation', request: { params: { id: shown.id } }, reply: null },
  }),
  route({
    ...invitation,
    name: 'invitations.preview',
    summary: 'Mostra de qual imobiliária é um convite, e para qual e-mail e papel',
    methods: ['POST'],
    paths: [`${BASE}/preview`],
    auth: 'public',
    input: { body: invitationToken },
    run: ({ core }, { body }) => core.invitations.preview(body),
    reply: json({ view: previewView }),
    errors: { 'invitation.unknown': {} },
    example: {
      given: 'invited',
      request: { body: { token } },
      reply: { company: 'Imobiliária Aurora Ltda.', ...sent, expiresAt: shown.expiresAt },
    },
  }),
  route({
    ...invitation,
    name: 'invitations.accept',
    summary: 'Cadastra na imobiliária quem foi convidado; pede um token cujo e-mail é o do convite e está confirmado',
    methods: ['POST'],
    paths: [`${BASE}/accept`],
    auth: 'identity',
    input: { body: acceptance },
    run: ({ core, actor }, { body }) => core.invitations.accept(actor, body),
    reply: json({ status: 201, view: userView }),
    errors: {
      'invitation.unknown': {},
      'invitation.other-email': {},
      'invitation.email-unverified': {},
      'user.uid.taken': {},
      'user.email.taken': {},
    },
    example: {
      given: 'invited',
      request: { body: { token, name: 'Bruno Lima' } },
      reply: {
        id: EXAMPLE_USER,
        firebaseUid: 'kVh2aQ0mZr8TgW5xYc3LdP1nBq42',
        ...sent,
        name: 'Bruno Lima',
        companyId: EXAMPLE_COMPANY,
        createdAt: EXAMPLE_MOMENT,
      },
    },
  }),
]

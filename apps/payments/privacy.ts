import { input } from '../../core/kernel/input/mod.ts'
import { parseId } from '../../core/kernel/values/text.ts'
import { erasureView } from '../../core/payments/privacy/erasure.ts'
import { type MemberDataPdf, memberDataView } from '../../core/payments/privacy/member-data.ts'
import { memberErasureView } from '../../core/payments/privacy/member-erasure.ts'
import type { PersonalDataPdf } from '../../core/payments/privacy/paper.ts'
import { personalDataView } from '../../core/payments/privacy/personal-data.ts'
import { json } from '../http/replies/json-reply.ts'
import { formatField, jsonOrPdf, wantsPdf } from '../http/replies/pdf-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { route } from './api.ts'
import { clientExample } from './clients.ts'

const formatQuery = input('PersonalDataQuery', { format: formatField })

const message = 'Dados pessoais obtidos com sucesso.'

const MOMENT = '2030-11-21T10:05:09-03:00'

const KEPT_AUDIT = {
  record: 'audit',
  fields: ['action', 'subject', 'actor', 'created_at'],
  reason: 'Prova de que o pedido foi atendido: LGPD, arts. 16, I, e 37',
  until: null,
}

const erasureExample = {
  client_id: 1,
  status: 'processing',
  requested_at: MOMENT,
  completed_at: null,
  kept: [KEPT_AUDIT],
}

const personalDataExample = {
  client: { ...clientExample, fb_id: null, removed_at: null },
  ...{ payer: null, charges: [], transactions: [], refunds: [], links: [] },
  ...{ messages: [], events: [], deliveries: [], audit: [], erasure: null },
  issued_at: MOMENT,
}

const memberExample = {
  user: {
    name: 'Maria da Silva',
    email: 'maria@example.com',
    phone: '+55 11 99999-0000',
    document: null,
    email_verified_at: null,
    created_at: MOMENT,
    removed_at: null,
  },
  membership: { id: 1, status: 1, role: { id: 1, name: 'ADMIN' }, created_at: MOMENT, updated_at: MOMENT },
  ...{ sessions: [], second_factor: null, passkeys: [], trusted_devices: [], notifications: [] },
  audit: [
    {
      action: 'user.added',
      subject: 'user:2',
      changes: {
        name: { from: null, to: 'Maria da Silva' },
        email: { from: null, to: 'maria@example.com' },
        phone: { from: null, to: '+55 11 99999-0000' },
        roleId: { from: null, to: 2 },
        passwordHash: '***',
      },
      ...{ address: null, device: null, created_at: MOMENT },
    },
  ],
  erasure: null,
  issued_at: MOMENT,
}

const memberErasureExample = {
  user_id: 2,
  status: 'processing',
  requested_at: MOMENT,
  completed_at: null,
  kept: [
    {
      record: 'access',
      fields: ['address', 'device', 'created_at'],
      reason: 'Registro de acesso, por seis meses: LGPD, art. 16, I; Lei 12.965/2014, art. 15',
      until: null,
    },
    KEPT_AUDIT,
  ],
}

const shared = { area: 'Dados pessoais', dialect: 'v1', auth: 'organization' } as const

/** The rights of payers, and of members of the team, over their personal data. */
export const privacyRows: readonly AnyRow[] = [
  route({
    ...shared,
    name: 'clients.personal-data',
    summary: 'Mostra todos os dados armazenados de um cliente, também em PDF',
    paths: ['/v1/clients/:id/personal-data'],
    permission: 'clients:read',
    input: { query: formatQuery },
    run: ({ core, actor, request }, { query: { format } }) => {
      const id = parseId(request.params.id ?? '')
      return wantsPdf(request, format)
        ? core.personalData.drawClient(actor, id)
        : core.personalData.readClient(actor, id)
    },
    reply: jsonOrPdf({
      view: personalDataView,
      message,
      fileName: ({ clientId }: PersonalDataPdf) => `dados-pessoais-${clientId}.pdf`,
    }),
    errors: { 'client.unknown': {} },
    example: { given: 'client', request: { params: { id: '1' } }, data: personalDataExample },
  }),
  route({
    ...shared,
    name: 'clients.erase',
    summary: 'Elimina os dados pessoais de um cliente, menos os que a lei manda guardar',
    methods: ['POST'],
    paths: ['/v1/clients/:id/erase'],
    permission: 'account:write',
    run: ({ core, actor, request }) => core.personalData.eraseClient(actor, parseId(request.params.id ?? '')),
    reply: json({ view: erasureView, message: 'Eliminação dos dados pessoais registrada.' }),
    errors: { 'client.unknown': {}, 'client.charges-open': {} },
    example: { given: 'client', request: { params: { id: '1' } }, data: erasureExample },
  }),
  route({
    ...shared,
    name: 'users.personal-data',
    summary: 'Mostra todos os dados armazenados de um usuário da equipe, também de quem saiu, também em PDF',
    paths: ['/v1/users/:id/personal-data'],
    permission: 'account:write',
    input: { query: formatQuery },
    run: ({ core, actor, request }, { query: { format } }) => {
      const id = parseId(request.params.id ?? '')
      return wantsPdf(request, format)
        ? core.personalData.drawMember(actor, id)
        : core.personalData.readMember(actor, id)
    },
    reply: jsonOrPdf({
      view: memberDataView,
      message,
      fileName: ({ userId }: MemberDataPdf) => `dados-pessoais-${userId}.pdf`,
    }),
    errors: { 'user.unknown': {} },
    example: { given: 'teamMember', request: { params: { id: '1' } }, data: memberExample },
  }),
  route({
    ...shared,
    name: 'users.erase',
    summary: 'Elimina os dados pessoais de um usuário que saiu da equipe',
    methods: ['POST'],
    paths: ['/v1/users/:id/erase'],
    permission: 'account:write',
    run: ({ core, actor, request }) => core.personalData.eraseMember(actor, parseId(request.params.id ?? '')),
    reply: json({ view: memberErasureView, message: 'Eliminação dos dados pessoais registrada.' }),
    errors: { 'user.unknown': {}, 'user.member': {} },
    example: { given: 'formerMember', request: { params: { id: '2' } }, data: memberErasureExample },
  }),
]

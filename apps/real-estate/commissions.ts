import { commissionMove, commissionView, newCommission } from '../../core/real-estate/commissions.ts'
import { commission } from '../../core/real-estate/records/commission.ts'
import { json } from '../http/replies/json-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { AGENCY_CRUD, crud, route } from './api.ts'
import { EXAMPLE_MOMENT, exampleId } from './examples.ts'

const area = 'Comissões'

const sent = {
  brokerId: exampleId(20),
  contractId: exampleId(40),
  value: null,
  percentage: 8.5,
  notes: 'Metade do primeiro aluguel.',
}

const shown = {
  id: exampleId(60),
  value: 212.5,
  percentage: 8.5,
  status: 'Pending',
  notes: 'Metade do primeiro aluguel.',
  brokerId: exampleId(20),
  contractId: exampleId(40),
  broker: { id: exampleId(20), name: 'Bruno Lima', creci: 'CRECI-SP 12345' },
  contract: {
    id: exampleId(40),
    type: 'Lease',
    value: 2500,
    client: { id: exampleId(10), name: 'Maria da Silva' },
    property: { id: exampleId(30), code: 'AP-101' },
  },
  approvedAt: null,
  paidAt: null,
  createdAt: EXAMPLE_MOMENT,
}

export const commissionRows: readonly AnyRow[] = [
  ...crud({
    ...AGENCY_CRUD,
    module: 'commissions',
    resource: { ...commission, createInput: newCommission },
    view: commissionView,
    area,
    paths: ['/api/commissions'],
    permissions: { read: 'commissions:read', write: 'commissions:write', remove: 'commissions:remove' },
    noun: { one: 'comissão', many: 'comissões', gender: 'f' },
    words: {
      create: { summary: 'Cria uma comissão por valor ou por percentual do contrato' },
      update: { summary: 'Substitui o que se sabe de uma comissão que não foi paga' },
      remove: { summary: 'Exclui uma comissão que não foi paga' },
    },
    errors: { update: { 'commission.closed': {} }, remove: { 'commission.paid': {} } },
    example: {
      begin: 'commissionable',
      sent,
      change: { ...sent, notes: 'Metade da primeira renda.' },
      shown,
    },
  }),
  route({
    area,
    dialect: 'estate',
    auth: 'member',
    name: 'commissions.move',
    summary: 'Aprova uma comissão, ou registra que foi paga',
    methods: ['PATCH'],
    paths: ['/api/commissions/:id/status'],
    permission: 'commissions:write',
    record: ({ core, actor, request }) => core.commissions.read(actor, request.params.id ?? ''),
    input: { body: commissionMove },
    run: ({ core, actor, record }, { body }) => core.commissions.move(actor, record.id, body),
    reply: json({ view: commissionView }),
    errors: { 'commission.unknown': {}, 'commission.move.refused': {} },
    example: {
      given: 'commission',
      request: { params: { id: exampleId(60) }, body: { status: 'Approved', notes: 'Conferida.' } },
      reply: { ...shown, status: 'Approved', notes: 'Conferida.', approvedAt: EXAMPLE_MOMENT },
    },
  }),
]

import { condominiumDetailView, condominiumView } from '../../core/real-estate/condominiums.ts'
import { expense, type Split, splitView } from '../../core/real-estate/expense-split.ts'
import { condominium } from '../../core/real-estate/records/property.ts'
import { json } from '../http/replies/json-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { AGENCY_CRUD, crud, route } from './api.ts'
import { EXAMPLE_ADDRESS, EXAMPLE_MOMENT, exampleId, paymentExample, SENT_ADDRESS } from './examples.ts'

const sent = {
  name: 'Edifício Aurora',
  taxId: '11.222.333/0001-81',
  syndicId: exampleId(3),
  email: 'contato@edificioaurora.example',
  phone: '(11) 3333-0000',
  address: SENT_ADDRESS,
}

const { syndicId, ...described } = sent

const listed = {
  id: exampleId(40),
  ...described,
  taxId: '11222333000181',
  phone: '1133330000',
  address: EXAMPLE_ADDRESS,
  syndic: { id: syndicId, name: 'Sílvia Prado', email: 'silvia@example.com' },
  totalUnits: 0,
  createdAt: EXAMPLE_MOMENT,
}

const area = 'Condomínios'

/** Returns the header that names the units without a share of an expense, if any. */
const skippedUnits = ({ skipped }: Split): Readonly<Record<string, string>> =>
  skipped.length === 0 ? {} : { 'X-Skipped-Units': skipped.map(encodeURIComponent).join(',') }

const payment = {
  ...paymentExample,
  id: exampleId(60),
  type: 'Condo',
  period: '2030-12',
  value: 450.5,
  dueDate: '2030-12-10',
  notes: 'Água de novembro',
  contractId: exampleId(50),
  contract: { ...paymentExample.contract, id: exampleId(50) },
}

export const condominiumRows: readonly AnyRow[] = [
  ...crud({
    ...AGENCY_CRUD,
    module: 'condominiums',
    resource: condominium,
    view: condominiumDetailView,
    listed: { view: condominiumView, shown: listed },
    area,
    paths: ['/api/condominiums'],
    permissions: { read: 'condominiums:read', write: 'condominiums:write', remove: 'condominiums:remove' },
    noun: { one: 'condomínio', many: 'condomínios', gender: 'm' },
    words: {
      list: { summary: 'Lista os condomínios, do mais novo ao mais antigo; um síndico vê os seus' },
      show: { summary: 'Mostra um condomínio, com suas unidades' },
      remove: { summary: 'Exclui um condomínio sem unidades' },
    },
    example: {
      begin: 'syndic',
      sent,
      change: { ...sent, name: 'Edifício Aurora II' },
      shown: { ...listed, properties: [] },
    },
  }),
  route({
    name: 'condominiums.splitExpense',
    summary: 'Rateia uma despesa entre as unidades com locação ativa, um pagamento para cada',
    area,
    dialect: 'estate',
    auth: 'member',
    methods: ['POST'],
    paths: ['/api/condominiums/:id/expense-split'],
    permission: 'condominiums:write',
    record: ({ core, actor, request }) => core.condominiums.read(actor, request.params.id ?? ''),
    input: { body: expense },
    run: ({ core, actor, record }, { body }) => core.condominiums.splitExpense(actor, record.id, body),
    reply: json({
      status: 201,
      view: splitView,
      headers: skippedUnits,
      headerDocs: {
        'X-Skipped-Units':
          'Códigos das unidades sem locação ativa ou de fração ideal 0, codificados (%) e separados por vírgula.',
      },
    }),
    errors: {
      'condominium.unknown': {},
      'condominium.not-leased': {},
      'condominium.share-too-small': {},
      'condominium.too-many-units': {},
    },
    example: {
      given: 'leased-unit',
      request: {
        params: { id: exampleId(40) },
        body: {
          description: payment.notes,
          totalValue: payment.value,
          period: payment.period,
          dueDate: payment.dueDate,
        },
      },
      reply: [payment],
    },
  }),
]

import {
  day,
  dayOrInstant,
  decimal,
  flag,
  guid,
  input,
  integer,
  line,
  list,
  money,
  month,
  nullIfAbsent,
  object,
  oneOf,
  url,
  withDefault,
} from '../../kernel/input/mod.ts'
import { all, eq, stateMachine } from '../../kernel/records/record.ts'
import type { RecordOf } from '../../kernel/resources/resource.ts'
import { counter, percentage, resource, searched, statusHistory } from './fields.ts'
import { brokers, clients } from './people.ts'
import { properties } from './property.ts'

export const CONTRACT_STATUSES = ['Active', 'Renewed', 'Terminated', 'Cancelled'] as const
export type ContractStatus = (typeof CONTRACT_STATUSES)[number]

export const contractMoves = stateMachine<ContractStatus>({
  Active: ['Renewed', 'Terminated', 'Cancelled'],
  Renewed: [],
  Terminated: [],
  Cancelled: [],
})

const LAST_DUE_DAY = 28
/** The limit of renewals and of adjustments of a contract: one a year for 200 years. */
export const MAX_PERIODS = 200
const MAX_FIXED_RISE = 1_000

export const indexer = oneOf(['IGPM', 'IPCA', 'Fixed'], { about: 'Índice de reajuste' })
export const indexerPercentage = nullIfAbsent(percentage('Percentual do reajuste fixo', MAX_FIXED_RISE))
const dueDay = integer({ min: 1, max: LAST_DUE_DAY, about: 'Dia do vencimento' })
const contractValue = money({ wire: 'value', minCents: 1, about: 'Valor' })

export const contractFields = {
  type: oneOf(['Lease', 'Sale', 'Management'], { about: 'Locação, venda ou administração' }),
  propertyId: guid({ about: 'Identificador do imóvel' }),
  clientId: guid({ about: 'Identificador do cliente' }),
  brokerId: nullIfAbsent(guid({ about: 'Identificador do corretor' })),
  proposalId: nullIfAbsent(guid({ about: 'Identificador da proposta de que veio' })),
  valueCents: contractValue,
  startDate: dayOrInstant({ about: 'Primeiro dia' }),
  endDate: dayOrInstant({ about: 'Último dia' }),
  dueDay,
  indexer,
  indexerPercentage,
  documentUrl: nullIfAbsent(url({ about: 'Endereço do documento assinado' })),
  finePercentage: nullIfAbsent(percentage('Multa por atraso, em % do valor')),
  interestPercentage: nullIfAbsent(percentage('Juros por atraso, em % ao mês')),
  discountValueCents: nullIfAbsent(money({ wire: 'discountValue', about: 'Desconto para quem paga até o vencimento' })),
  administrationPercentage: nullIfAbsent(percentage('Taxa de administração, em % do aluguel')),
  terminationFineCents: nullIfAbsent(money({ wire: 'terminationFine', about: 'Multa por rescisão antecipada' })),
  allowNegativeAdjustment: withDefault(flag({ about: 'Se um índice negativo reduz o valor' }), false),
}

const period = input(null, {
  startDate: day({ about: 'Primeiro dia' }),
  endDate: day({ about: 'Último dia' }),
  valueCents: contractValue,
  indexer,
  indexerPercentage,
})

/** The largest rise of an index in a month, and the largest rise of a value, in percent. */
const MAX_INDEX_RISE = 100
export const MAX_RISE = 1_000_000
const MONTHS_OF_A_YEAR = 12

/** The figure of a price index for a month. */
export const indexFigureFields = {
  month: month({ about: 'Mês' }),
  percent: decimal({ min: -100, max: MAX_INDEX_RISE, decimals: 4, about: 'Variação no mês, em %' }),
  source: line({ max: 255, about: 'Fonte' }),
  date: day({ about: 'Quando foi publicada ou lida' }),
}

/** An applied adjustment: of an index by a renewal, or agreed by a change of the rent. */
const adjustment = input(null, {
  since: day({ about: 'Desde quando valia o valor anterior' }),
  dueOn: day({ about: 'Data-base' }),
  indexer,
  figures: list(object(input(null, indexFigureFields)), { max: MONTHS_OF_A_YEAR, about: 'Variações que o compõem' }),
  measuredPercentage: decimal({ min: -100, max: MAX_RISE, decimals: 4, about: 'Variação apurada, em %' }),
  appliedPercentage: decimal({ min: -100, max: MAX_RISE, decimals: 4, about: 'Variação aplicada, em %' }),
  valueCents: contractValue,
  newValueCents: money({ wire: 'newValue', minCents: 1, about: 'Novo valor' }),
  adjustedFrom: nullIfAbsent(day({ about: 'Desde quando o aluguel é cobrado pelo novo valor; null nos mais antigos' })),
})

/** A contract about a property. It has no plain operations; use cases compose its parts. */
export const contract = resource({
  one: 'contract',
  many: 'contracts',
  input: contractFields,
  internal: {
    status: withDefault(oneOf(CONTRACT_STATUSES, { about: 'Situação' }), 'Active'),
    statusHistory: statusHistory(CONTRACT_STATUSES),
    endedOn: nullIfAbsent(day({ about: 'Dia em que foi rescindido ou cancelado' })),
    periods: withDefault(list(object(period), { max: MAX_PERIODS, about: 'Períodos que a renovação encerrou' }), []),
    adjustments: withDefault(
      list(object(adjustment), { max: MAX_PERIODS, about: 'Reajustes do valor, do mais antigo ao mais novo' }),
      [],
    ),
    paymentCount: counter('Pagamentos que não foram excluídos'),
    /**
     * The month of its creation, from which the automatic run bills it; null once a rent of the first month of the
     * lease was created, and if an older release created the contract.
     */
    automaticFrom: nullIfAbsent(month()),
    /**
     * Counts payments that are created or replaced as rents, and payments that a refund opens or cancels. Rent runs,
     * ends and changes of the rent guard it.
     */
    rentWrites: counter('Aluguéis que foram criados ou mudados'),
    propertyCode: searched,
    clientName: searched,
  },
  search: ['propertyCode', 'clientName'],
  filters: { status: 'tally', type: 'tally', brokerId: 'index', propertyId: 'index', clientId: 'index' },
  references: { propertyId: [{ to: properties }], clientId: [{ to: clients }], brokerId: [{ to: brokers }] },
  blockedBy: ['paymentCount'],
  extra: {
    conditions: { active: all(eq('removedAt', null), eq('status', 'Active')) },
    indexes: [{ sort: 'endDate', when: 'active' }],
    tallies: [
      { by: ['companyId', 'brokerId', 'type', 'status'], sum: [], when: 'live' },
      { by: ['companyId', 'endDate'], sum: [], when: 'active' },
      { by: ['companyId', 'brokerId', 'endDate'], sum: [], when: 'active' },
    ],
  },
})

export const contracts = contract.collection
export type Contract = RecordOf<typeof contract>

/** Returns the fields that a payment or a commission copies from its contract, for lists and searches. */
export const copiedFields = ({ propertyId, clientId, propertyCode, clientName }: Contract) => ({
  propertyId,
  clientId,
  propertyCode,
  clientName,
})

import { decimal, guid, instant, money, nullIfAbsent, oneOf, withDefault } from '../../kernel/input/mod.ts'
import { stateMachine } from '../../kernel/records/record.ts'
import type { RecordOf } from '../../kernel/resources/resource.ts'
import { contracts } from './contract.ts'
import { notes, resource, searched } from './fields.ts'
import { brokers } from './people.ts'

export const COMMISSION_STATUSES = ['Pending', 'Approved', 'Paid'] as const
export type CommissionStatus = (typeof COMMISSION_STATUSES)[number]

export const commissionMoves = stateMachine<CommissionStatus>({ Pending: ['Approved'], Approved: ['Paid'], Paid: [] })

const LEAST_PERCENT = 0.0001

export const commissionFields = {
  brokerId: guid({ about: 'Identificador do corretor' }),
  contractId: guid({ about: 'Identificador do contrato' }),
  /** Calculated from the percentage, if that is given. */
  valueCents: nullIfAbsent(money({ wire: 'value', minCents: 1, about: 'Valor' })),
  percentage: nullIfAbsent(
    decimal({ min: LEAST_PERCENT, max: 100, decimals: 4, about: 'Percentual do valor do contrato' }),
  ),
  notes,
}

/** The commission of a broker for a contract. */
export const commission = resource({
  one: 'commission',
  many: 'commissions',
  input: commissionFields,
  internal: {
    status: withDefault(oneOf(COMMISSION_STATUSES, { about: 'Situação' }), 'Pending'),
    approvedAt: nullIfAbsent(instant({ about: 'Quando foi aprovada' })),
    paidAt: nullIfAbsent(instant({ about: 'Quando foi paga' })),
    /** Copies from the contract, by which renames find the commission. */
    propertyId: nullIfAbsent(guid()),
    clientId: nullIfAbsent(guid()),
    brokerName: searched,
    propertyCode: searched,
    clientName: searched,
  },
  search: ['brokerName', 'propertyCode', 'clientName'],
  filters: { status: 'tally', brokerId: 'own', contractId: 'index' },
  references: { brokerId: [{ to: brokers }], contractId: [{ to: contracts }] },
  extra: {
    indexes: [
      { eq: 'propertyId', sort: 'createdAt', when: 'live' },
      { eq: 'clientId', sort: 'createdAt', when: 'live' },
    ],
  },
})

export const commissions = commission.collection
export type Commission = RecordOf<typeof commission>

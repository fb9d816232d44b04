import {
  day,
  guid,
  input,
  instant,
  list,
  money,
  month,
  nullIfAbsent,
  object,
  oneOf,
  url,
  withDefault,
} from '../../kernel/input/mod.ts'
import { all, eq, isIn, stateMachine } from '../../kernel/records/record.ts'
import type { RecordOf } from '../../kernel/resources/resource.ts'
import { contracts } from './contract.ts'
import { notes, percentage, resource, searched } from './fields.ts'

export const PAYMENT_STATUSES = ['Pending', 'Paid', 'Defaulted', 'Cancelled'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

export const paymentMoves = stateMachine<PaymentStatus>({
  Pending: ['Paid', 'Defaulted', 'Cancelled'],
  Defaulted: ['Paid'],
  Paid: [],
  Cancelled: [],
})

/** Statuses in which a payment can be paid and changed. */
export const OPEN_PAYMENTS: readonly PaymentStatus[] = ['Pending', 'Defaulted']

export const isOpen = ({ status }: { readonly status: PaymentStatus }): boolean => OPEN_PAYMENTS.includes(status)

export const paymentMethod = oneOf(['Pix', 'Boleto', 'Transfer', 'Cash'], { about: 'Como foi pago' })

export const PAYMENT_TYPES = ['Rent', 'Condo', 'IPTU', 'Fine', 'Expense'] as const
export type PaymentType = (typeof PAYMENT_TYPES)[number]

export const PAYMENT_TYPE_TEXTS: Readonly<Record<PaymentType, string>> = {
  Rent: 'Aluguel',
  Condo: 'Condomínio',
  IPTU: 'IPTU',
  Fine: 'Multa',
  Expense: 'Despesa',
}

export const paymentFields = {
  contractId: guid({ about: 'Identificador do contrato' }),
  type: oneOf(PAYMENT_TYPES, { about: 'Aluguel, condomínio, IPTU, multa ou despesa' }),
  period: month({ about: 'Mês de referência' }),
  valueCents: money({ wire: 'value', minCents: 1, about: 'Valor' }),
  dueDate: day({ about: 'Vencimento' }),
  notes,
}

/** The most spans in a month that do not touch: every second day. */
const MAX_SPANS = 16

const billedDays = input(null, { firstDay: day({ about: 'Primeiro dia' }), lastDay: day({ about: 'Último dia' }) })

/** A payment that is owed under a contract. */
export const payment = resource({
  one: 'payment',
  many: 'payments',
  input: paymentFields,
  internal: {
    status: withDefault(oneOf(PAYMENT_STATUSES, { about: 'Situação' }), 'Pending'),
    method: nullIfAbsent(paymentMethod),
    paidAt: nullIfAbsent(instant({ about: 'Quando foi pago' })),
    /** `YYYY-MM` of the São Paulo day of `paidAt`, by which revenue is summed. */
    paidMonth: nullIfAbsent(month()),
    paidValueCents: nullIfAbsent(money({ wire: 'paidValue', about: 'Quanto foi pago' })),
    /**
     * The owner of the property and the administration at the time of payment; null if release 0.10.0 marked it as
     * paid. A payment that is open again keeps them while it has `statedCents`.
     */
    paidOwnerId: nullIfAbsent(guid()),
    paidAdministrationPercentage: nullIfAbsent(percentage('Taxa de administração')),
    /**
     * The money of all charges less their refunds, partial payments included, and the money by hand of a payment that
     * is open again.
     */
    receivedCents: nullIfAbsent(
      money({
        wire: 'receivedValue',
        about:
          'Quanto já chegou por cobranças, também em parte, e à mão por um pagamento reaberto; nulo se nada chegou',
      }),
    ),
    /**
     * The method of the newest charge whose money is in `receivedCents`; null before this field, and if it is all by
     * hand.
     */
    receivedMethod: nullIfAbsent(paymentMethod),
    /**
     * The money by hand that paid a payment, which is not in `receivedCents`: 0 if charges paid it; null for an open
     * payment, and if a release before this field marked it as paid.
     */
    byHandCents: nullIfAbsent(money()),
    /**
     * The money of a payment that receipt entries state, less their returns. Its present receipt, `paidValueCents`,
     * states only the rest. Negative if money of that receipt went back in a later month.
     */
    statedCents: nullIfAbsent(money()),
    receiptUrl: nullIfAbsent(url({ about: 'Endereço do comprovante' })),
    boletoUrl: nullIfAbsent(url({ about: 'Endereço do boleto' })),
    /**
     * The days of the month that a rent of a run bills. Null for other payments, and for a rent that counts for the
     * whole month: created or moved by hand, or by a release that did not store the days.
     */
    billedDays: nullIfAbsent(list(object(billedDays), { max: MAX_SPANS, about: 'Dias do mês que o aluguel cobra' })),
    /** The current charge, at most one. Other ways to pay, change or end the payment settle it first. */
    chargeId: nullIfAbsent(guid()),
    /** Copies from the contract, for sums and for the lists of owners and tenants. */
    propertyId: nullIfAbsent(guid()),
    clientId: nullIfAbsent(guid()),
    propertyCode: searched,
    clientName: searched,
  },
  search: ['propertyCode', 'clientName'],
  filters: { status: 'tally', type: 'tally', period: 'index', contractId: 'index' },
  references: { contractId: [{ to: contracts, counts: 'paymentCount' }] },
  extra: {
    conditions: {
      pending: all(eq('removedAt', null), eq('status', 'Pending')),
      open: all(eq('removedAt', null), isIn('status', OPEN_PAYMENTS)),
      paid: all(eq('removedAt', null), eq('status', 'Paid')),
    },
    indexes: [
      { sort: 'createdAt', when: 'open' },
      { sort: 'dueDate', when: 'pending' },
      { eq: 'paidOwnerId', sort: 'paidMonth', when: 'paid' },
      { eq: 'propertyId', sort: 'createdAt', when: 'live' },
      { eq: 'clientId', sort: 'createdAt', when: 'live' },
    ],
    tallies: [
      { by: ['companyId', 'status'], sum: ['valueCents'], when: 'live' },
      { by: ['companyId', 'status', 'paidMonth'], sum: ['paidValueCents'], when: 'live' },
    ],
    oldest: { indexes: [{ sort: 'createdAt', when: 'open' }] },
  },
})

export const payments = payment.collection
export type Payment = RecordOf<typeof payment>

/** Returns all the money that paid a payment; null if it is open or cancelled. */
export const totalPaidCents = ({ paidValueCents, statedCents }: Payment): number | null =>
  paidValueCents === null ? null : paidValueCents + (statedCents ?? 0)

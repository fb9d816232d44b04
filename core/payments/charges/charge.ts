import {
  day,
  id,
  input,
  integer,
  line,
  money,
  nullIfAbsent,
  object,
  oneOf,
  output,
  storedTypes,
  text,
  timestamp,
  url,
  view,
} from '../../kernel/input/mod.ts'
import {
  all,
  type Change,
  type Collection,
  eq,
  not,
  orNull,
  patch,
  record,
  stateMachine,
  t,
  word,
} from '../../kernel/records/record.ts'
import { addDays, type Day, dayOf, type Instant, nextBusinessDay, startOfDay } from '../../kernel/values/day.ts'
import { foldLines } from '../../kernel/values/text.ts'
import { addressParts } from '../accounts/account.ts'
import { storedSplits } from '../splits/split.ts'
import { discountFields, fineFields, interestRate, interestType } from '../terms.ts'

/** The charge statuses; the API numbers them from 1 in this order. `paidwithpix`: a bolepix that was paid by Pix. */
export const CHARGE_STATUSES = ['pending', 'paid', 'cancelled', 'expired', 'failed', 'DELETED', 'paidwithpix'] as const

const DESCRIPTIONS: Readonly<Record<(typeof CHARGE_STATUSES)[number], string>> = {
  pending: 'Pendente',
  paid: 'Pago',
  cancelled: 'Cancelado',
  expired: 'Expirado',
  failed: 'Falhou',
  DELETED: 'Apagado',
  paidwithpix: 'Pago com Pix',
}

export const chargeStatusView = view(
  'ChargeStatus',
  {
    id: id({ about: 'Identificador' }),
    title: oneOf(CHARGE_STATUSES, { about: 'Situação' }),
    description: output.text({ about: 'Situação, por extenso' }),
  },
  (status: (typeof CHARGE_STATUSES)[number]) => ({
    id: CHARGE_STATUSES.indexOf(status) + 1,
    title: status,
    description: DESCRIPTIONS[status],
  }),
)

export const PAYMENT_METHODS = ['PIX', 'BOLETO', 'BOLEPIX', 'CREDIT_CARD'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

const MAX_DAYS_DISCOUNT = 365
const MAX_NOTE = 2_000

/** The address of the payer: printed on a boleto, and required for a card. */
const payerAddress = input('PayerAddress', {
  street: addressParts.street,
  number: addressParts.number,
  district: line({ max: 100, about: 'Bairro' }),
  city: addressParts.city,
  state: addressParts.state,
  zipcode: addressParts.zipCode,
})

/** The fields of a charge that the API shows or takes. */
export const chargeFields = {
  id: id({ about: 'Identificador' }),
  valueCents: money({ wire: 'value', aliases: ['amount'], minCents: 1, about: 'Valor' }),
  paymentMethod: oneOf(PAYMENT_METHODS, { about: 'Meio de pagamento' }),
  dueDate: day({ about: 'Vencimento; de um boleto ou bolepix, no máximo 5.500 dias à frente' }),
  paymentDate: nullIfAbsent(day({ about: 'Dia do pagamento' })),
  clientId: id({ about: 'Cliente existente, no lugar de `name`, `email` e `document`' }),
  webhook: nullIfAbsent(url({ about: 'URL avisada do que acontece com a cobrança' })),
  description: nullIfAbsent(text({ max: 500, about: 'Descrição' })),
  details: nullIfAbsent(text({ max: MAX_NOTE, about: 'Detalhes' })),
  instructions: nullIfAbsent(text({ max: MAX_NOTE, about: 'Instruções' })),
  amountRateHundredths: interestRate('amount_rate'),
  typeRate: interestType,
  ...fineFields,
  ...discountFields,
  daysDiscount: nullIfAbsent(
    integer({ min: 0, max: MAX_DAYS_DISCOUNT, about: 'Até quantos dias antes do vencimento o desconto vale' }),
  ),
  address: nullIfAbsent(object(payerAddress, { about: 'Endereço de quem paga; obrigatório com CREDIT_CARD' })),
  chargeGroupId: nullIfAbsent(id({ about: 'Grupo de cobranças' })),
  paymentPlanId: nullIfAbsent(id({ about: 'Plano de pagamento' })),
  installments: nullIfAbsent(integer({ min: 1, max: 120, about: 'Parcelas' })),
  createdBy: id({ about: 'Quem emitiu' }),
  createdAt: timestamp({ about: 'Quando foi emitida' }),
}

const pix = record({
  txid: t.string,
  /** The account's Pix key, for a static code. */
  key: t.string,
  payeeName: t.string,
  payeeCity: t.string,
  /** The code that the bank made; null for a static code, which is built when it is shown. */
  dynamicCode: orNull(t.string),
})

const boleto = record({
  nossoNumero: t.string,
  /** 44 digits. */
  barcode: t.string,
  /** 47 digits. */
  digitableLine: t.string,
})

const card = record({
  brand: word('visa', 'mastercard'),
  last4: t.string,
  holder: t.string,
  installments: t.number,
  /** The amount charged: the amount due on the day of the charge. */
  valueCents: t.number,
  /** The acquirer's token of the card; null before its answer. */
  token: orNull(t.string),
  /** The fee and the net amount of the sale; null until it is approved. */
  feeCents: orNull(t.number),
  netCents: orNull(t.number),
})

/**
 * The fee on the issue of a boleto: reserved before the request to the bank, and posted when the boleto exists. For the
 * charge of a payment link it is owed until the charge is paid.
 */
const issueFee = record({ cents: t.number, state: word('reserved', 'owed', 'posted') })

/** The payments of a day, in cents. */
const dayReceipt = record({ day: t.string, cents: t.number })

/** Its place in the hourly count of unpaid charges of its link and network: the count, and the start of its window. */
const linkPlace = record({ id: t.string, since: t.string })

const charge = record({
  accountId: t.number,
  /** Random, with at least one letter, so that it differs from every id. */
  code: t.string,
  status: word(...CHARGE_STATUSES),
  /** The sum of all payments; null before the first. */
  amountPaidCents: orNull(t.number),
  /** The sum of all completed refunds; null before the first. */
  refundedCents: orNull(t.number),
  /** The partial payments while the charge was open, by day, earliest first; null if it never was paid in part. */
  received: orNull(t.array(dayReceipt)),
  /** The part of the value that the partial payments have paid; null without any, or if 0.17.0 posted them all. */
  valuePaidCents: orNull(t.number),
  /** The sum of the partial payments before the current title was registered; null for a title of the whole value. */
  titlePaidCents: orNull(t.number),
  /** The sum of the partial payments for whose rest the bank last refused a title; null if it never did. */
  restRefusedCents: orNull(t.number),
  /** The over-payment that is neither refunded nor being refunded; null before the first. */
  overpaidCents: orNull(t.number),
  /** The shares of other accounts in its payments; null without any. */
  splits: storedSplits,
  /** Counts the payments and refunds that decided about its shares, as their guard; null before the first. */
  shareDecisions: orNull(t.number),
  ...storedTypes(chargeFields),
  /** The id of its current title: the Pix, boleto or bolepix registered at the bank. Null for a card. */
  txid: orNull(t.string),
  /** The account's Pix key at the time of issue, so that every repeated order is the same. */
  pixKey: orNull(t.string),
  pix: orNull(pix),
  boleto: orNull(boleto),
  /** The nosso número of the boleto, for searches. */
  nossoNumero: orNull(t.string),
  /** The only stored data of the card. */
  card: orNull(card),
  issueFee: orNull(issueFee),
  /** The payment link that issued the charge, if any. */
  linkId: orNull(t.string),
  /**
   * True if public pages hide the payer: the caller of a payment link named a known client, or was given an open charge
   * again. Null without a link, and before 0.11.0.
   */
  isVeiled: orNull(t.boolean),
  linkPlace: orNull(linkPlace),
  /** The ids of the counts of card tries that include its card until the acquirer decides. */
  cardTries: orNull(t.array(t.string)),
  /** True for a charge of the legacy instant payment: its payment also records `pix.received`. */
  isInstant: orNull(t.boolean),
  /** The running bank operation of the charge, at most one; null without one. */
  operationId: orNull(t.string),
  /** The instant at which it expires. */
  lapsesAt: orNull(t.string),
  /** The reason why the title or the card charge failed: the bank's text, `UNAVAILABLE` or `WITHDRAWN`. */
  failure: orNull(t.string),
  createdDay: t.string,
  updatedAt: t.string,
  /** The time of its last event, in milliseconds since 1970; the next event is later. Null before the first. */
  lastEventMs: orNull(t.number),
  /** The folded search text: code, txid, nosso número, document and name. */
  search: t.string,
})

/** A request for payment from an account to a client. */
export type Charge = t.TypeOf<typeof charge>
export type ChargeStatus = Charge['status']

export const charges: Collection<Charge> = {
  name: 'payments.charges',
  ids: 'integer',
  codec: charge,
  owner: 'accountId',
  conditions: {
    listed: not(eq('status', 'DELETED')),
    lapsing: all(eq('status', 'pending'), not(eq('lapsesAt', null))),
    registered: not(eq('nossoNumero', null)),
    linked: not(eq('linkId', null)),
    paid: not(eq('paymentDate', null)),
    // Deleted charges count too: each paid charge is one use of the link.
    paidByLink: all(not(eq('linkId', null)), not(eq('paymentDate', null))),
  },
  keys: { code: ({ code }) => code, txid: ({ txid }) => txid },
  days: { createdDay: 'createdAt' },
  indexes: [
    { sort: 'createdAt', when: 'listed', search: 'search' },
    { sort: 'id', when: 'listed' },
    { eq: 'status', sort: 'createdAt', include: ['dueDate', 'paymentDate'] },
    { sort: 'dueDate', when: 'listed', include: ['createdAt', 'status', 'paymentDate'] },
    { sort: 'paymentDate', when: 'listed', include: ['createdAt', 'dueDate'] },
    {
      ...{ eq: 'clientId', sort: 'createdAt', when: 'listed' },
      include: ['status', 'paymentMethod', 'linkId', 'isVeiled', 'dueDate', 'paymentDate'],
    },
    { eq: 'paymentMethod', sort: 'createdAt', when: 'listed' },
    { eq: 'linkId', sort: 'createdAt', when: 'linked', include: ['status'] },
    { sort: 'lapsesAt', when: 'lapsing', acrossOwners: true },
    {
      ...{ eq: 'accountId', sort: 'valuePaidCents', when: 'lapsing', acrossOwners: true },
      include: ['dueDate', 'lapsesAt'],
    },
    { eq: 'nossoNumero', sort: 'dueDate', when: 'registered', acrossOwners: true },
  ],
  tallies: [
    { by: ['accountId', 'createdDay', 'status', 'paymentMethod'], sum: ['valueCents', 'amountPaidCents'] },
    { by: ['accountId', 'createdDay', 'status', 'paymentMethod'], sum: [], when: 'listed' },
    { by: ['accountId', 'status', 'paymentMethod'], sum: [], when: 'listed' },
    { by: ['accountId', 'dueDate', 'createdDay'], sum: [], when: 'listed' },
    { by: ['accountId', 'paymentDate', 'createdDay'], sum: [], when: 'listed' },
    { by: ['accountId', 'linkId'], sum: [], when: 'paidByLink' },
    { by: ['accountId', 'linkId', 'status', 'paymentMethod'], sum: ['amountPaidCents'], when: 'linked' },
    { by: ['accountId', 'dueDate', 'status', 'paymentMethod'], sum: ['valueCents', 'amountPaidCents'] },
    { by: ['accountId', 'paymentDate', 'status'], sum: ['amountPaidCents'], when: 'paid' },
  ],
  // Replaced by records of bank operations in 0.4.0.
  retired: ['operation', 'dueAt', 'attempts'],
}

/** Selects the records of a charge. */
export const ofCharge = ({ id, accountId }: Pick<Charge, 'id' | 'accountId'>) =>
  all(eq('accountId', accountId), eq('chargeId', id))

/** The `about` of mails and messages about a charge. */
export const aboutCharge = (id: number): string => `charge:${id}`

/** The status machine of a charge. A payment in a status without a move to `paid` does not change the status. */
export const chargeMoves = stateMachine<ChargeStatus>({
  pending: ['paid', 'paidwithpix', 'cancelled', 'expired', 'failed', 'DELETED'],
  expired: ['paid', 'paidwithpix', 'DELETED'],
  paid: ['DELETED'],
  paidwithpix: ['DELETED'],
  cancelled: ['DELETED'],
  failed: ['DELETED'],
  DELETED: [],
})

/** The guard that a charge is unchanged since it was read. */
export const asRead = ({ status, txid, operationId, updatedAt }: Charge) =>
  all(eq('status', status), eq('txid', txid), eq('operationId', operationId), eq('updatedAt', updatedAt))

/**
 * The guard that a charge is unchanged, unpaid and not refunded since it was read: two payments may have the same
 * `updatedAt`.
 */
export const asPaid = (charge: Charge) =>
  all(
    asRead(charge),
    eq('amountPaidCents', charge.amountPaidCents),
    eq('refundedCents', charge.refundedCents),
    asShared(charge),
  )

/** The guard that no payment or refund decided about the shares of a charge since it was read. */
const asShared = ({ shareDecisions }: Charge) => eq('shareDecisions', shareDecisions)

/** Counts a decision about the shares of a charge: the commit is stale after another one. None without splits. */
export const countShareDecision = (charge: Charge): readonly Change[] =>
  charge.splits === null ? [] : [patch(charges, charge.id, { add: { shareDecisions: 1 }, when: asShared(charge) })]

/**
 * Returns the id of the running operation that issues the charge: the txid for a title, the code for a card. Returns
 * null after the answer, and while any other operation runs.
 */
export const issuingOperationId = ({
  operationId,
  txid,
  code,
}: Pick<Charge, 'operationId' | 'txid' | 'code'>): string | null =>
  operationId === txid || operationId === code ? operationId : null

/** The days after the due day on which a boleto can be paid. */
const BOLETO_DAYS = 30

/**
 * Returns the end of the last day on which a charge accepts a payment. For a Pix that is the due day, moved to the next
 * business day as payers' banks do (BCB, API Pix, `validadeAposVencimento`); for a boleto and its Pix the thirtieth day
 * after the due day. Returns null for a card: its acquirer decides.
 */
export const lapsesAtOf = ({ paymentMethod, dueDate }: Pick<Charge, 'paymentMethod' | 'dueDate'>): Instant | null => {
  if (paymentMethod === 'CREDIT_CARD') return null
  return startOfDay(addDays(paymentMethod === 'PIX' ? nextBusinessDay(dueDate) : addDays(dueDate, BOLETO_DAYS), 1))
}

/** Returns the last day on which a charge accepts a payment; null for a card. */
export const lastPayableDay = ({ lapsesAt }: Pick<Charge, 'lapsesAt'>): Day | null =>
  lapsesAt === null ? null : addDays(dayOf(lapsesAt), -1)

/** Returns the folded text of a charge that a search tests. */
export const searchTextOf = (
  { code, txid, nossoNumero }: Pick<Charge, 'code' | 'txid' | 'nossoNumero'>,
  { document, name }: { readonly document: string | null; readonly name: string },
): string => foldLines([code, txid, nossoNumero, document, name])

/** Statuses in which a charge accepts no payment. */
const CLOSED_STATUSES: readonly ChargeStatus[] = ['cancelled', 'expired', 'failed', 'DELETED']

/**
 * Reports whether a charge accepts no payment, so that a title which the bank created late must be closed. If `now` is
 * older than the write that ended the charge, the time of that write counts. For a pending charge `updatedAt` is
 * ignored, because the clock of its writer may have jumped.
 */
export const isClosed = ({ status, lapsesAt, updatedAt }: Charge, now: Instant): boolean => {
  const knownAt = status !== 'pending' && updatedAt > now ? updatedAt : now
  return CLOSED_STATUSES.includes(status) || (lapsesAt !== null && lapsesAt <= knownAt)
}

/** The statuses in which a payment pays the charge. */
export const OPEN_STATUSES: readonly ChargeStatus[] = ['pending', 'expired']

export const isOpen = ({ status }: Pick<Charge, 'status'>): boolean => OPEN_STATUSES.includes(status)

export const PAID_STATUSES: readonly ChargeStatus[] = ['paid', 'paidwithpix']

export const isPaid = ({ status }: Pick<Charge, 'status'>): boolean => PAID_STATUSES.includes(status)

/** Reports whether the bank has registered the title of a charge: a boleto alone has no Pix. */
export const hasTitle = ({ pix, boleto }: Pick<Charge, 'pix' | 'boleto'>): boolean => pix !== null || boleto !== null

/** Returns the status at an instant: a pending charge past `lapsesAt` is expired, even before the job has stored it. */
export const statusAt = ({ status, lapsesAt }: Charge, now: Instant): ChargeStatus =>
  status === 'pending' && lapsesAt !== null && lapsesAt <= now ? 'expired' : status

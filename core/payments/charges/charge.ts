import { t } from '../../fp.ts'
import { nullIfAbsent } from '../../kernel/input/field.ts'
import { input, object } from '../../kernel/input/input.ts'
import { day, hundredths, id, integer, money, oneOf, timestamp } from '../../kernel/input/scalars.ts'
import { storedTypes } from '../../kernel/input/table.ts'
import { alphanumeric, line, text, url } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'
import { all, eq, not } from '../../kernel/records/where.ts'
import { stateMachine } from '../../kernel/state-machine.ts'
import { addDays, type Day, dayOf, type Instant, nextBusinessDay, startOfDay } from '../../kernel/values/day.ts'
import { foldLines } from '../../kernel/values/text.ts'
import { RATE_TYPES } from '../terms/amount-due.ts'

/** The charge statuses, in the order of their ids from 1. Source: decisions.md §3. */
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

const MAX_RATE = 100_000
const MAX_DAYS_DISCOUNT = 365
const MAX_NOTE = 2_000

/** Where who pays lives: on a boleto, and asked for by a card's acquirer. */
export const payerAddressFields = {
  street: line({ max: 255, about: 'Logradouro' }),
  number: line({ max: 20, about: 'Número' }),
  district: line({ max: 100, about: 'Bairro' }),
  city: line({ max: 100, about: 'Cidade' }),
  state: text({
    max: 2,
    pattern: { regex: /^[A-Za-z]{2}$/, code: 'state' },
    casing: 'upper',
    about: 'Sigla do estado, com 2 letras',
  }),
  zipcode: alphanumeric({ max: 20, about: 'CEP, guardado sem pontuação' }),
}

export const payerAddress = input('PayerAddress', payerAddressFields)

/** What a charge is. Source: 02-billing.md, Charge and Charge creation body. */
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
  /** Percent a month, or reais a day, in hundredths. */
  amountRateHundredths: nullIfAbsent(
    hundredths({ wire: 'amount_rate', min: 0, max: MAX_RATE, about: 'Juros: percentual ao mês ou reais ao dia' }),
  ),
  typeRate: nullIfAbsent(oneOf(RATE_TYPES, { about: 'Tipo dos juros' })),
  /** Percent, or reais, in hundredths. */
  discountHundredths: nullIfAbsent(
    hundredths({ wire: 'discount', min: 0, max: MAX_RATE, about: 'Desconto: percentual ou reais' }),
  ),
  typeDiscount: nullIfAbsent(oneOf(RATE_TYPES, { about: 'Tipo do desconto' })),
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
  /** The account's key at the bank, for a static code. */
  key: t.string,
  payeeName: t.string,
  payeeCity: t.string,
  /** The bank's own text where it makes the code; null for a static one, made when it is shown. */
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
  /** What it was charged: what was due on that day. */
  valueCents: t.number,
  /** By which the acquirer knows the card; null while it has not answered. */
  token: orNull(t.string),
  /** What the sale costs and what is left of it; null until it is approved. */
  feeCents: orNull(t.number),
  netCents: orNull(t.number),
})

/**
 * The fee on the issue of a boleto: reserved before the bank is asked, and posted once the boleto exists. Of a payment link's charge
 * it is owed until the charge is paid.
 */
const issueFee = record({ cents: t.number, state: word('reserved', 'owed', 'posted') })

/** The place of an unpaid charge among those of its link and address, and the window in which it counts. */
const linkPlace = record({ id: t.string, since: t.string })

const charge = record({
  accountId: t.number,
  /** Random, with a letter in it, so that it is never taken for an id. */
  code: t.string,
  status: word(...CHARGE_STATUSES),
  /** What arrived, all payments together; null before the first. */
  amountPaidCents: orNull(t.number),
  /** What was given back of it, all refunds together; null before the first. */
  refundedCents: orNull(t.number),
  ...storedTypes(chargeFields),
  txid: orNull(t.string),
  /** The account's key when it was issued: whoever asks the bank, and when, orders the same. */
  pixKey: orNull(t.string),
  pix: orNull(pix),
  boleto: orNull(boleto),
  /** That of the boleto, by which it is looked for. */
  nossoNumero: orNull(t.string),
  /** Nothing else of a card is kept. */
  card: orNull(card),
  issueFee: orNull(issueFee),
  /** The payment link that made it, if any. */
  linkId: orNull(t.string),
  /** Whether its payer was named by a link's caller who need not be that client; null without a link, and before 0.11.0. */
  isVeiled: orNull(t.boolean),
  linkPlace: orNull(linkPlace),
  /** The counts of tries in which its card counts until it is decided. */
  cardTries: orNull(t.array(t.string)),
  /** True where it was asked for as the legacy instant payment: whoever asked is told of the Pix that pays it. */
  isInstant: orNull(t.boolean),
  /** What the bank is being asked of it, one thing at a time; null when nothing is. */
  operationId: orNull(t.string),
  /** The instant from which it counts as expired. */
  lapsesAt: orNull(t.string),
  /** Why there is no title: the bank's reason, or a word of our own. */
  failure: orNull(t.string),
  createdDay: t.string,
  updatedAt: t.string,
  /** The time of its last event, in milliseconds since 1970: the next event's is later. Null before the first. */
  lastEventMs: orNull(t.number),
  /** Folded: code, txid, nosso número, document and name. */
  search: t.string,
})

/** What an account asks a client to pay. Source: 02-billing.md, Charge; decisions.md §3. */
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
    // Whatever became of it since: a use of the link.
    paidByLink: all(not(eq('linkId', null)), not(eq('paymentDate', null))),
  },
  keys: { code: ({ code }) => code, txid: ({ txid }) => txid },
  days: { createdDay: 'createdAt' },
  indexes: [
    { sort: 'createdAt', when: 'listed', search: 'search' },
    { sort: 'id', when: 'listed' },
    { eq: 'status', sort: 'createdAt' },
    { sort: 'dueDate', when: 'listed', include: ['createdAt', 'status'] },
    { sort: 'paymentDate', when: 'listed', include: ['createdAt'] },
    { eq: 'clientId', sort: 'createdAt', when: 'listed', include: ['status', 'paymentMethod', 'linkId', 'isVeiled'] },
    { eq: 'paymentMethod', sort: 'createdAt', when: 'listed' },
    { eq: 'linkId', sort: 'createdAt', when: 'linked', include: ['status'] },
    { sort: 'lapsesAt', when: 'lapsing', acrossOwners: true },
    { eq: 'nossoNumero', sort: 'dueDate', when: 'registered', acrossOwners: true },
  ],
  tallies: [
    { by: ['accountId', 'createdDay', 'status', 'paymentMethod'], sum: ['valueCents', 'amountPaidCents'] },
    { by: ['accountId', 'createdDay', 'status', 'paymentMethod'], sum: [], when: 'listed' },
    { by: ['accountId', 'status', 'paymentMethod'], sum: [], when: 'listed' },
    { by: ['accountId', 'dueDate', 'createdDay'], sum: [], when: 'listed' },
    { by: ['accountId', 'paymentDate', 'createdDay'], sum: [], when: 'listed' },
    { by: ['accountId', 'linkId'], sum: ['amountPaidCents'], when: 'paidByLink' },
    { by: ['accountId', 'linkId', 'status', 'paymentMethod'], sum: [], when: 'linked' },
    { by: ['accountId', 'dueDate', 'status', 'paymentMethod'], sum: ['valueCents', 'amountPaidCents'] },
    { by: ['accountId', 'paymentDate', 'status'], sum: ['amountPaidCents'], when: 'paid' },
  ],
  // What the bank is asked is a record of its own since 0.4.0.
  retired: ['operation', 'dueAt', 'attempts'],
}

/** Who moves what: see the table of decisions.md §3. Money that reaches any other state leaves it as it is. */
export const chargeMoves = stateMachine<ChargeStatus>({
  pending: ['paid', 'paidwithpix', 'cancelled', 'expired', 'failed', 'DELETED'],
  expired: ['paid', 'paidwithpix', 'DELETED'],
  paid: ['DELETED'],
  paidwithpix: ['DELETED'],
  cancelled: ['DELETED'],
  failed: ['DELETED'],
  DELETED: [],
})

/** That nobody has written it since it was read: whoever is late decides again, on what is there by then. */
export const asRead = ({ status, txid, operationId, updatedAt }: Charge) =>
  all<'status' | 'txid' | 'operationId' | 'updatedAt'>(
    eq('status', status),
    eq('txid', txid),
    eq('operationId', operationId),
    eq('updatedAt', updatedAt),
  )

/** The same, and that it is this operation that is being asked of it. */
export const asReadInOperation = ({ id }: { readonly id: string }, charge: Charge) =>
  asRead({ ...charge, operationId: id })

/**
 * The operation by which what it is paid by is being made: a title, known by its txid, or what a card is charged, known by its
 * code; null once there is an answer.
 */
export const issuingOperationId = ({
  operationId,
  txid,
  code,
}: Pick<Charge, 'operationId' | 'txid' | 'code'>): string | null =>
  operationId === txid || operationId === code ? operationId : null

/** How many days after its due day a boleto can still be paid. */
const BOLETO_DAYS = 30

/**
 * The instant after the last day on which a charge accepts a payment: for a Pix its due day, moved to the next business day
 * as payers' banks move it (BCB, API Pix, `validadeAposVencimento`); for a boleto and its Pix the thirtieth day after the due
 * day. A card has none: its acquirer decides.
 */
export const lapsesAtOf = ({ paymentMethod, dueDate }: Pick<Charge, 'paymentMethod' | 'dueDate'>): Instant | null => {
  if (paymentMethod === 'CREDIT_CARD') return null
  return startOfDay(addDays(paymentMethod === 'PIX' ? nextBusinessDay(dueDate) : addDays(dueDate, BOLETO_DAYS), 1))
}

/** The last day on which a charge accepts a payment; null for a card. */
export const lastPayableDay = ({ lapsesAt }: Pick<Charge, 'lapsesAt'>): Day | null =>
  lapsesAt === null ? null : addDays(dayOf(lapsesAt), -1)

/** What a search looks through. Source: decisions.md §9. */
export const searchTextOf = (
  { code, txid, nossoNumero }: Pick<Charge, 'code' | 'txid' | 'nossoNumero'>,
  { document, name }: { readonly document: string | null; readonly name: string },
): string => foldLines([code, txid, nossoNumero, document, name])

/** Where nobody is to pay any more, or ever was: a title is closed that the bank makes only then. */
const CLOSED_STATUSES: readonly ChargeStatus[] = ['cancelled', 'expired', 'failed', 'DELETED']

/**
 * Whoever decides may have read the clock before somebody else ended the charge: the later of both counts. While it is pending
 * nobody has, and when it was written says nothing: that is by a clock that may have jumped.
 */
export const isClosed = ({ status, lapsesAt, updatedAt }: Charge, now: Instant): boolean => {
  const knownAt = status !== 'pending' && updatedAt > now ? updatedAt : now
  return CLOSED_STATUSES.includes(status) || (lapsesAt !== null && lapsesAt <= knownAt)
}

/** Its status at this instant: a pending charge whose time is over is expired, whether or not it was told yet. */
export const statusAt = ({ status, lapsesAt }: Charge, now: Instant): ChargeStatus =>
  status === 'pending' && lapsesAt !== null && lapsesAt <= now ? 'expired' : status

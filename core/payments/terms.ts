import { issue } from '../failure.ts'
import { hundredths, nullIfAbsent, oneOf, optional, type Rule, rule } from '../kernel/input/mod.ts'
import { addDays, type Day, daysBetween, nextBusinessDay } from '../kernel/values/day.ts'
import { MAX_CENTS, truncateRatio, WHOLE_PERCENT } from '../kernel/values/money.ts'
import { isCnpj } from '../kernel/values/tax-id.ts'
import type { TitleMethod } from '../ports/bank.ts'
import { latestBoletoDay } from './boleto.ts'

export const RATE_TYPES = ['ABSOLUTE', 'PERCENTAGE'] as const
export type RateType = (typeof RATE_TYPES)[number]

/**
 * The interest, late fine and discount of a charge. Rates are hundredths: 150 is 1.50% as PERCENTAGE and R$ 1.50 as
 * ABSOLUTE. Without a type or a rate there is none.
 */
export interface PaymentTerms {
  readonly valueCents: number
  readonly dueDay: Day
  /** Interest: percent per month of 30 days, or reais per day. */
  readonly amountRateHundredths: number | null
  readonly typeRate: RateType | null
  /** Late fine: percent of the value, or reais; once, from the first late day on. */
  readonly fineHundredths: number | null
  readonly typeFine: RateType | null
  /** Discount: percent of the value, or reais. */
  readonly discountHundredths: number | null
  readonly typeDiscount: RateType | null
  /** The days from the discount's last day to the due day, before the last day is moved to a business day. */
  readonly daysDiscount: number | null
  /** The partial payments, by day, earliest first; null or absent if there is none. */
  readonly received?: readonly DayReceipt[] | null
}

/** The sum of the partial payments that arrived on a day. */
export interface DayReceipt {
  readonly day: Day
  readonly cents: number
}

const MAX_RATE = 100_000

const rate = (wire: string, about: string) => nullIfAbsent(hundredths({ wire, min: 0, max: MAX_RATE, about }))
const rateType = (about: string) => nullIfAbsent(oneOf(RATE_TYPES, { about }))

/** The interest of a charge, or of an account's charges by default. */
export const interestRate = (wire: string) => rate(wire, 'Juros: percentual ao mês ou reais ao dia')
export const interestType = rateType('Tipo dos juros')

/** The late fine of a charge, a link, or of an account's charges by default. */
export const fineFields = {
  fineHundredths: rate('fine', 'Multa por atraso, cobrada uma vez: percentual do valor ou reais'),
  typeFine: rateType('Tipo da multa'),
}

/** The discount of a charge, or of an account's charges by default. */
export const discountFields = {
  discountHundredths: rate('discount', 'Desconto: percentual ou reais'),
  typeDiscount: rateType('Tipo do desconto'),
}

/** The amount due on a day, with its late fine, interest and discount. */
export interface AmountDue {
  readonly dueCents: number
  readonly fineCents: number
  readonly interestCents: number
  readonly discountCents: number
}

export const DAYS_A_MONTH = 30
/** The interest factor has six decimals. */
const MILLIONTHS = 1_000_000

/** Returns a rate in cents: a percentage of the value, truncated, or reais. */
const centsOf = (valueCents: number, type: RateType, rate: number): number =>
  type === 'ABSOLUTE' ? rate : truncateRatio(BigInt(valueCents) * BigInt(rate), WHOLE_PERCENT)

/**
 * Returns the fine of the rest of the value when the charge is late. A fine in reais is for the whole value: the rest
 * bears a part.
 */
const fineOn = (
  { valueCents, dueDay, fineHundredths, typeFine }: PaymentTerms,
  day: Day,
  restCents = valueCents,
): number => {
  const rate = fineHundredths ?? 0
  if (typeFine === null || rate === 0 || !isLate(dueDay, day)) return 0
  if (typeFine === 'ABSOLUTE') return truncateRatio(BigInt(rate) * BigInt(restCents), valueCents)
  return centsOf(restCents, typeFine, rate)
}

/** Reports whether a day is after the due day, moved to a business day. */
export const isLate = (dueDay: Day, day: Day): boolean => day > dueDay && day > nextBusinessDay(dueDay)

/**
 * Returns the interest on the rest of the value, from the due day or the day of the last partial payment, whichever is
 * later.
 */
const interestOn = (terms: PaymentTerms, day: Day, restCents = terms.valueCents, paidOn: Day | null = null): number => {
  const rate = terms.amountRateHundredths ?? 0
  // Most charges have no interest or are not late: business days are computed for the others only.
  if (terms.typeRate === null || rate === 0 || day <= terms.dueDay) return 0
  const dueOn = nextBusinessDay(terms.dueDay)
  const daysLate = daysBetween(paidOn !== null && paidOn > dueOn ? paidOn : dueOn, day)
  if (daysLate <= 0) return 0
  // Interest in reais is for the whole value: the rest bears a part in proportion.
  if (terms.typeRate === 'ABSOLUTE')
    return truncateRatio(BigInt(rate) * BigInt(daysLate) * BigInt(restCents), terms.valueCents)
  const factor = truncateRatio(BigInt(rate) * BigInt(daysLate) * BigInt(MILLIONTHS / WHOLE_PERCENT), DAYS_A_MONTH)
  const interest = BigInt(restCents) * BigInt(factor)
  // Capped, since an unlimited rate and delay exceed exact integers.
  return interest > BigInt(MAX_CENTS) * BigInt(MILLIONTHS) ? MAX_CENTS : truncateRatio(interest, MILLIONTHS)
}

/** Returns the last day of a discount, moved to the next business day. */
export const discountLastDay = ({ dueDay, daysDiscount }: Pick<PaymentTerms, 'dueDay' | 'daysDiscount'>): Day =>
  nextBusinessDay(addDays(dueDay, -(daysDiscount ?? 0)))

const discountOn = (terms: PaymentTerms, day: Day): number => {
  const rate = terms.discountHundredths ?? 0
  if (terms.typeDiscount === null || rate === 0) return 0
  if (day > discountLastDay(terms)) return 0
  return Math.min(centsOf(terms.valueCents, terms.typeDiscount, rate), terms.valueCents)
}

/**
 * Returns the amount due on a day of payment. Interest counts from the due day, moved to a business day; its factor is
 * truncated to six decimals and its amount to cents. The fine is due once, from the day on which interest begins. The
 * discount applies through its last day, moved to a business day, and is at most the value.
 *
 * Source: BCB, Manual de Padrões para Iniciação do Pix, Anexo III.
 */
export const amountDue = (terms: PaymentTerms, day: Day): AmountDue => {
  if (terms.received && terms.received.length > 0) {
    const { dueCents, fineCents, interestCents, discountCents } = balanceOn(terms, day)
    return { dueCents, fineCents, interestCents, discountCents }
  }
  const fineCents = fineOn(terms, day)
  const interestCents = interestOn(terms, day)
  const discountCents = discountOn(terms, day)
  const dueCents = terms.valueCents + fineCents + interestCents - discountCents
  return { dueCents, fineCents, interestCents, discountCents }
}

/** The maximum fine in hundredths of a percent: 2 % of the value in a consumer relation (Lei 8.078/90, art. 52 §1). */
const CONSUMER_FINE = 200
export const CONSUMER_FINE_PERCENT = CONSUMER_FINE / 100

export type FineTerms = Pick<PaymentTerms, 'valueCents' | 'fineHundredths' | 'typeFine'>

/**
 * Returns the issues of a fine: `charge.consumer-fine` if that of a consumer is over 2 % of the value, `charge.fine` if
 * any fine is over the value (Código Civil, art. 412).
 */
export const fineIssues = (
  { valueCents, fineHundredths, typeFine }: Partial<FineTerms> & Pick<FineTerms, 'valueCents'>,
  isConsumer: boolean,
) => {
  const rate = BigInt(fineHundredths ?? 0)
  const most = isConsumer ? CONSUMER_FINE : WHOLE_PERCENT
  // Compared in the unit of a percentage of the value: a rounded limit would let a fraction of a cent through.
  const fine = typeFine === 'ABSOLUTE' ? rate * BigInt(WHOLE_PERCENT) : rate * BigInt(valueCents)
  if (fine <= BigInt(valueCents) * BigInt(most)) return []
  return [issue('fineHundredths', isConsumer ? 'charge.consumer-fine' : 'charge.fine')]
}

/** The open parts of a charge on a day, after the partial payments. */
export interface Balance extends AmountDue {
  /** The rest of the value. */
  readonly restCents: number
  /** The amount that was paid beyond what was due; 0 without one. */
  readonly overCents: number
}

interface OpenParts {
  readonly restCents: number
  readonly fineCents: number
  readonly interestCents: number
  /** True once the fine was added. */
  readonly isFined: boolean
  /** The day of the last payment; null before the first. */
  readonly paidOn: Day | null
}

/**
 * Returns the open parts of a charge on a day, or on the day of its last payment if that is later. Each payment counts
 * against the fine, then interest, then the value (Código Civil, art. 354). Interest then accrues on the rest of the
 * value only. The fine is added once, on the value that is open on the first late day (art. 413). The discount is that
 * of the whole value, and applies if the value less the discount is paid by its last day.
 */
export const balanceOn = (terms: PaymentTerms, day: Day): Balance => {
  const received = terms.received ?? []
  const last = received.at(-1)?.day ?? day
  const on = last > day ? last : day
  const none = { restCents: terms.valueCents, fineCents: 0, interestCents: 0, isFined: false, paidOn: null }
  const paid = received.reduce<OpenParts>(
    (open, { day: paidOn, cents }) => payOff(accrue(terms, open, paidOn), cents, paidOn),
    none,
  )
  const { restCents, fineCents, interestCents } = accrue(terms, paid, on)
  const discountCents = discountOn(terms, on)
  const dueCents = restCents + fineCents + interestCents - discountCents
  return {
    dueCents: Math.max(0, dueCents),
    fineCents,
    interestCents,
    discountCents: Math.max(0, Math.min(discountCents, restCents)),
    restCents: Math.max(0, restCents),
    overCents: Math.max(0, -dueCents),
  }
}

/** Adds the fine and the interest up to a day. */
const accrue = (terms: PaymentTerms, open: OpenParts, day: Day): OpenParts => {
  const restCents = Math.max(0, open.restCents)
  return {
    ...open,
    fineCents: open.fineCents + (open.isFined ? 0 : fineOn(terms, day, restCents)),
    isFined: open.isFined || isLate(terms.dueDay, day),
    interestCents: open.interestCents + interestOn(terms, day, restCents, open.paidOn),
  }
}

/** Counts a payment against the open parts; the rest is below zero after a payment of more than was due. */
const payOff = (open: OpenParts, cents: number, paidOn: Day): OpenParts => {
  const forFine = Math.min(cents, open.fineCents)
  const forInterest = Math.min(cents - forFine, open.interestCents)
  return {
    ...open,
    fineCents: open.fineCents - forFine,
    interestCents: open.interestCents - forInterest,
    restCents: open.restCents - (cents - forFine - forInterest),
    paidOn,
  }
}

/** Returns the fine with its type, a percentage by default; without a rate there is none. */
export const typedFine = ({ fineHundredths, typeFine }: SentFine): Omit<FineTerms, 'valueCents'> => ({
  fineHundredths,
  typeFine: fineHundredths === null ? null : (typeFine ?? 'PERCENTAGE'),
})

type SentFine = Pick<PaymentTerms, 'fineHundredths'> & { readonly typeFine?: RateType | null | undefined }

/**
 * Limits a fine that was set before its payer was known, by the default of the account or by a link, to the legal
 * maximum.
 */
export const lawfulFine = (terms: FineTerms, isConsumer: boolean): Omit<FineTerms, 'valueCents'> => {
  const { fineHundredths, typeFine } = terms
  if (fineIssues(terms, isConsumer).length === 0) return { fineHundredths, typeFine }
  return { fineHundredths: isConsumer ? CONSUMER_FINE : WHOLE_PERCENT, typeFine: 'PERCENTAGE' }
}

/**
 * Reports whether the fine of a charge is limited to that of a consumer relation: its payer is not known to be a
 * company, and the account has not declared that it has no consumers.
 */
export const isConsumerOf = (
  { hasNoConsumers }: { readonly hasNoConsumers: boolean | null },
  document: string | null,
): boolean => hasNoConsumers !== true && !isCompany(document)

/** Reports whether a payer is known to be a company, by its document. */
export const isCompany = (document: string | null): boolean => document !== null && isCnpj(document)

/**
 * The fields of a fine in a reply. They are absent without a fine, so that replies of earlier releases do not change.
 */
export const shownFineFields = {
  fineHundredths: optional(fineFields.fineHundredths),
  typeFine: optional(fineFields.typeFine),
}

/** Leaves out the fine of a record that has none. */
export const withShownFine = <R extends Pick<FineTerms, 'fineHundredths' | 'typeFine'>>(record: R) => {
  const { fineHundredths, typeFine, ...rest } = record
  return fineHundredths === null ? rest : { ...rest, fineHundredths, typeFine }
}

/** Returns the issue `charge.discount` if the discount is at least the value. */
export const discountIssues = (
  valueCents: number,
  discountHundredths: number | null,
  typeDiscount: RateType | null,
) => {
  const whole = typeDiscount === 'ABSOLUTE' ? valueCents : WHOLE_PERCENT
  const isWhole = discountHundredths !== null && discountHundredths >= whole
  return isWhole ? [issue('discountHundredths', 'charge.discount')] : []
}

export interface Due {
  readonly paymentMethod: TitleMethod | 'CREDIT_CARD'
  readonly dueDate: Day
}

/** Returns the latest due day of a charge; null if there is no limit. */
export const latestDueDate = (method: Due['paymentMethod'], today: Day): Day | null =>
  method === 'BOLETO' || method === 'BOLEPIX' ? latestBoletoDay(today) : null

/** Returns the issue `boleto.reach` of a boleto whose due date is beyond the range of due factors. */
export const reachIssues = ({ paymentMethod, dueDate }: Due, today: Day) => {
  const latest = latestDueDate(paymentMethod, today)
  return latest !== null && dueDate > latest ? [issue('dueDate', 'boleto.reach', { latest })] : []
}

type Ruled = Pick<PaymentTerms, 'valueCents' | 'discountHundredths' | 'typeDiscount' | 'daysDiscount'> & Due

/**
 * The rules of every new charge: its due day and the last day of its discount are not past, a boleto is due within the
 * window of its due factor, and the discount leaves an amount to pay. Fails: `day.past`, `boleto.reach`,
 * `charge.discount`.
 */
export const chargeRules: readonly Rule<Ruled, 'day.past' | 'boleto.reach' | 'charge.discount'>[] = [
  rule(['dueDate'], ({ dueDate }, today) => (isPast(dueDate, today) ? [issue('dueDate', 'day.past')] : [])),
  rule(['dueDate', 'paymentMethod'], (due, today) => (today === null ? [] : reachIssues(due, today))),
  rule(['dueDate', 'daysDiscount'], ({ dueDate, daysDiscount }, today) => {
    const days = daysDiscount ?? 0
    return days > 0 && isPast(addDays(dueDate, -days), today) ? [issue('daysDiscount', 'day.past')] : []
  }),
  rule(['valueCents', 'discountHundredths', 'typeDiscount'], ({ valueCents, discountHundredths, typeDiscount }) =>
    discountIssues(valueCents, discountHundredths, typeDiscount),
  ),
]

/** The rule of an optional due day: not past. Fails: `day.past`. */
export const dueDateRule: Rule<{ readonly dueDate?: Day }, 'day.past'> = rule(['dueDate'], ({ dueDate }, today) =>
  dueDate !== undefined && isPast(dueDate, today) ? [issue('dueDate', 'day.past')] : [],
)

/** Without a current day, the rule is not applied. */
const isPast = (day: Day, today: Day | null): boolean => today !== null && day < today

import { addDays, type Day, daysBetween, nextBusinessDay } from '../../kernel/values/day.ts'
import { MAX_CENTS, truncateRatio, WHOLE_PERCENT } from '../../kernel/values/money.ts'

export const RATE_TYPES = ['ABSOLUTE', 'PERCENTAGE'] as const
export type RateType = (typeof RATE_TYPES)[number]

/**
 * What changes the amount asked for a charge around its due day. Rates are hundredths of what their type names: 150 is
 * 1.50% as PERCENTAGE and R$ 1.50 as ABSOLUTE. A type or a rate of null is none.
 */
export interface PaymentTerms {
  readonly valueCents: number
  readonly dueDay: Day
  /** Interest: percent a month of 30 days, or reais a day. */
  readonly amountRateHundredths: number | null
  readonly typeRate: RateType | null
  /** Discount: percent of the value, or reais. */
  readonly discountHundredths: number | null
  readonly typeDiscount: RateType | null
  /** How many days before the due day the discount's last day lies, before it is moved to a business day. */
  readonly daysDiscount: number | null
}

/** What is asked on a day, and what of it is interest or was taken off. */
export interface AmountDue {
  readonly dueCents: number
  readonly interestCents: number
  readonly discountCents: number
}

const DAYS_A_MONTH = 30
/** The interest factor keeps six decimals, so it is counted in millionths. */
const MILLIONTHS = 1_000_000

const interestOn = (terms: PaymentTerms, day: Day): number => {
  const rate = terms.amountRateHundredths ?? 0
  // Most charges ask for none or are not late, and every page shows many: business days are counted only for the others.
  if (terms.typeRate === null || rate === 0 || day <= terms.dueDay) return 0
  const daysLate = daysBetween(nextBusinessDay(terms.dueDay), day)
  if (daysLate <= 0) return 0
  if (terms.typeRate === 'ABSOLUTE') return rate * daysLate
  const factor = truncateRatio(BigInt(rate) * BigInt(daysLate) * BigInt(MILLIONTHS / WHOLE_PERCENT), DAYS_A_MONTH)
  const interest = BigInt(terms.valueCents) * BigInt(factor)
  // A rate and a delay without end come to more than a number holds exactly: it grows no further.
  return interest > BigInt(MAX_CENTS) * BigInt(MILLIONTHS) ? MAX_CENTS : truncateRatio(interest, MILLIONTHS)
}

/** The last day of a discount: one on which banks do not work moves to the next on which they do. */
export const discountLastDay = ({ dueDay, daysDiscount }: Pick<PaymentTerms, 'dueDay' | 'daysDiscount'>): Day =>
  nextBusinessDay(addDays(dueDay, -(daysDiscount ?? 0)))

const discountOn = (terms: PaymentTerms, day: Day): number => {
  const rate = terms.discountHundredths ?? 0
  if (terms.typeDiscount === null || rate === 0) return 0
  if (day > discountLastDay(terms)) return 0
  const discountCents =
    terms.typeDiscount === 'ABSOLUTE' ? rate : truncateRatio(BigInt(terms.valueCents) * BigInt(rate), WHOLE_PERCENT)
  return Math.min(discountCents, terms.valueCents)
}

/**
 * The cents asked for a charge that is paid on a day. Interest counts from the due day moved to a business day, its
 * factor truncated to six decimals and its amount to cents; the discount holds through its last day, moved alike, and
 * never takes more than the value.
 *
 * Source: 02-billing, charge creation body; decisions.md §9; BCB, Manual de Padrões para Iniciação do Pix, Anexo III.
 */
export const amountDue = (terms: PaymentTerms, day: Day): AmountDue => {
  const interestCents = interestOn(terms, day)
  const discountCents = discountOn(terms, day)
  return { dueCents: terms.valueCents + interestCents - discountCents, interestCents, discountCents }
}

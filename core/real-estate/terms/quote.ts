import { type Day, daysBetween, formatDay, nextBusinessDay } from '../../kernel/values/day.ts'
import { formatReais, halfUpRatio } from '../../kernel/values/money.ts'
import type { Contract } from '../records/contract.ts'
import { PERCENT_STEPS, percentOf, percentText } from '../records/fields.ts'
import type { Payment } from '../records/payment.ts'

const DAYS_A_MONTH = 30

type Owed = Pick<Payment, 'id' | 'type' | 'valueCents' | 'dueDate' | 'receivedCents'>
/** The terms of a contract that change the amount of an early or late payment. */
export type LateTerms = Pick<Contract, 'finePercentage' | 'interestPercentage' | 'discountValueCents'>

/** The terms of a payment without a contract. */
export const NO_TERMS = { finePercentage: null, interestPercentage: null, discountValueCents: null }

/** A part of the amount owed, with its reason. */
export interface Quoted {
  readonly cents: number
  readonly reason: string
}

/** The amount owed if a payment is paid on a day. */
export interface Quote {
  readonly paymentId: string
  readonly on: Day
  readonly dueDate: Day
  readonly daysLate: number
  readonly value: Quoted
  readonly fine: Quoted
  readonly interest: Quoted
  readonly discount: Quoted
  /** The part that has arrived: by charges, and by hand for a payment that is open again. */
  readonly receivedCents: number | null
  readonly totalCents: number
}

const noAmount = (reason: string): Quoted => ({ cents: 0, reason })
const daysText = (days: number): string => (days === 1 ? '1 dia' : `${days} dias`)

const fineOf = ({ valueCents }: Owed, { finePercentage }: LateTerms, daysLate: number): Quoted => {
  if (daysLate === 0) return noAmount('Sem multa: não está em atraso.')
  if (!finePercentage) return noAmount('Sem multa: o contrato não a prevê.')
  const cents = percentOf(valueCents, finePercentage)
  return { cents, reason: `Multa por atraso de ${percentText(finePercentage)} do valor.` }
}

const interestOf = ({ valueCents }: Owed, { interestPercentage }: LateTerms, daysLate: number): Quoted => {
  if (daysLate === 0) return noAmount('Sem juros: não está em atraso.')
  if (!interestPercentage) return noAmount('Sem juros: o contrato não os prevê.')
  const steps = BigInt(Math.round(interestPercentage * PERCENT_STEPS)) * BigInt(daysLate)
  const cents = halfUpRatio(BigInt(valueCents) * steps, 100 * PERCENT_STEPS * DAYS_A_MONTH)
  const rate = percentText(interestPercentage)
  return {
    cents,
    reason: `Juros de ${rate} ao mês sobre o valor, por ${daysText(daysLate)} de atraso (mês de 30 dias).`,
  }
}

const discountOf = (
  { type, valueCents }: Owed,
  { discountValueCents }: LateTerms,
  daysLate: number,
  lastDay: Day,
): Quoted => {
  if (type !== 'Rent') return noAmount('Sem desconto: só o aluguel o tem.')
  if (!discountValueCents) return noAmount('Sem desconto: o contrato não o prevê.')
  if (daysLate > 0) return noAmount(`Sem desconto: valia até ${formatDay(lastDay)}.`)
  const cents = Math.min(discountValueCents, valueCents)
  return { cents, reason: `Desconto de ${formatReais(cents)} para quem paga até ${formatDay(lastDay)}.` }
}

const amountOf = ({ valueCents, dueDate }: Owed, lastDay: Day): Quoted => {
  const extension = lastDay === dueDate ? '' : `, prorrogado para ${formatDay(lastDay)}, o próximo dia útil`
  return { cents: valueCents, reason: `Valor do pagamento, com vencimento em ${formatDay(dueDate)}${extension}.` }
}

/**
 * Returns the amount owed if a payment is made on a day. Until the last day in time it is the value less the discount
 * of a rent; later it is the value with the contract's fine and interest pro rata by the day, both half up. A due date
 * on which banks do not work moves to the next business day, from which late days count (Lei 7.089/83; Código Civil
 * art. 132 §1). The money that has arrived is subtracted.
 */
export const quoteOf = (owed: Owed, terms: LateTerms, on: Day): Quote => {
  const { id: paymentId, valueCents, dueDate, receivedCents } = owed
  const lastDay = nextBusinessDay(dueDate)
  const daysLate = Math.max(0, daysBetween(lastDay, on))
  const fine = fineOf(owed, terms, daysLate)
  const interest = interestOf(owed, terms, daysLate)
  const discount = discountOf(owed, terms, daysLate, lastDay)
  const value = amountOf(owed, lastDay)
  const totalCents = Math.max(0, valueCents + fine.cents + interest.cents - discount.cents - (receivedCents ?? 0))
  return { paymentId, on, dueDate, daysLate, value, fine, interest, discount, receivedCents, totalCents }
}

import { failure, isLeft, issue, left, right } from '../../failure.ts'
import { day, guid, type InputOf, input, inQuery, nullable, output, rule, view } from '../../kernel/input/mod.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { type Day, dayOf, daysBetween, formatDay, nextBusinessDay } from '../../kernel/values/day.ts'
import { formatReais, halfUpRatio } from '../../kernel/values/money.ts'
import { byId } from '../../ports/store.ts'
import type { Actor, RealEstatePorts } from '../real-estate-ports.ts'
import { type Contract, contracts } from '../records/contract.ts'
import { percentOf, percentText } from '../records/fields.ts'
import { type Payment, paymentMoves } from '../records/payment.ts'
import { readPayment } from './read-payment.ts'

const DAYS_A_MONTH = 30
/** A percentage has at most 4 decimals: it is computed in these fractions of a percent. */
const STEPS = 10_000

type Owed = Pick<Payment, 'id' | 'type' | 'valueCents' | 'dueDate' | 'receivedCents'>
export type Terms = Pick<Contract, 'finePercentage' | 'interestPercentage' | 'discountValueCents'>

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
  /** The part that charges have received. */
  readonly receivedCents: number | null
  readonly totalCents: number
}

const noAmount = (reason: string): Quoted => ({ cents: 0, reason })
const daysText = (days: number): string => (days === 1 ? '1 dia' : `${days} dias`)

const fineOf = ({ valueCents }: Owed, { finePercentage }: Terms, daysLate: number): Quoted => {
  if (daysLate === 0) return noAmount('Sem multa: não está em atraso.')
  if (!finePercentage) return noAmount('Sem multa: o contrato não a prevê.')
  const cents = percentOf(valueCents, finePercentage)
  return { cents, reason: `Multa por atraso de ${percentText(finePercentage)} do valor.` }
}

const interestOf = ({ valueCents }: Owed, { interestPercentage }: Terms, daysLate: number): Quoted => {
  if (daysLate === 0) return noAmount('Sem juros: não está em atraso.')
  if (!interestPercentage) return noAmount('Sem juros: o contrato não os prevê.')
  const steps = BigInt(Math.round(interestPercentage * STEPS)) * BigInt(daysLate)
  const cents = halfUpRatio(BigInt(valueCents) * steps, 100 * STEPS * DAYS_A_MONTH)
  const rate = percentText(interestPercentage)
  return {
    cents,
    reason: `Juros de ${rate} ao mês sobre o valor, por ${daysText(daysLate)} de atraso (mês de 30 dias).`,
  }
}

const discountOf = (
  { type, valueCents }: Owed,
  { discountValueCents }: Terms,
  daysLate: number,
  lastDay: Day,
): Quoted => {
  if (type !== 'Rent') return noAmount('Sem desconto: só o aluguel o tem.')
  if (!discountValueCents) return noAmount('Sem desconto: o contrato não o prevê.')
  if (daysLate > 0) return noAmount(`Sem desconto: valia até ${formatDay(lastDay)}.`)
  const cents = Math.min(discountValueCents, valueCents)
  return { cents, reason: `Desconto de ${formatReais(cents)} para quem paga até ${formatDay(lastDay)}.` }
}

const valueIn = ({ valueCents, dueDate }: Owed, lastDay: Day): Quoted => {
  const moved = lastDay === dueDate ? '' : `, prorrogado para ${formatDay(lastDay)}, o próximo dia útil`
  return { cents: valueCents, reason: `Valor do pagamento, com vencimento em ${formatDay(dueDate)}${moved}.` }
}

/**
 * Returns the amount owed if a payment is made on a day. Until the last day in time it is the value less the discount of a
 * rent; later it is the value with the contract's fine and interest pro rata by the day, both half up. A due date on which
 * banks do not work moves to the next business day, from which late days count (Lei 7.089/83; Código Civil art. 132 §1). The
 * amount that charges have received is subtracted.
 */
export const quoteOf = (owed: Owed, terms: Terms, on: Day): Quote => {
  const { id: paymentId, valueCents, dueDate, receivedCents } = owed
  const lastDay = nextBusinessDay(dueDate)
  const daysLate = Math.max(0, daysBetween(lastDay, on))
  const fine = fineOf(owed, terms, daysLate)
  const interest = interestOf(owed, terms, daysLate)
  const discount = discountOf(owed, terms, daysLate, lastDay)
  const value = valueIn(owed, lastDay)
  const totalCents = Math.max(0, valueCents + fine.cents + interest.cents - discount.cents - (receivedCents ?? 0))
  return { paymentId, on, dueDate, daysLate, value, fine, interest, discount, receivedCents, totalCents }
}

/** Up to this day the largest interest of the largest payment is an exact number of cents. */
const LAST_QUOTED = '2199-12-31'

export const quoteDay = input(
  'QuoteDay',
  { on: inQuery.day({ about: `Dia em que seria pago, até ${formatDay(LAST_QUOTED)}; hoje, se ausente` }) },
  rule(['on'], ({ on }) => (on !== undefined && on > LAST_QUOTED ? [issue('on', 'quote.far')] : [])),
)
export type QuoteDay = InputOf<typeof quoteDay>

const reasons = view(
  'QuoteReasons',
  {
    value: output.text({ about: 'Por que o valor' }),
    fine: output.text({ about: 'Por que a multa, ou por que não há' }),
    interest: output.text({ about: 'Por que os juros, ou por que não há' }),
    discount: output.text({ about: 'Por que o desconto, ou por que não há' }),
  },
  (of: Quote) => ({
    value: of.value.reason,
    fine: of.fine.reason,
    interest: of.interest.reason,
    discount: of.discount.reason,
  }),
)

export const quoteView = view(
  'PaymentQuote',
  {
    paymentId: guid({ about: 'Identificador do pagamento' }),
    on: day({ about: 'Dia em que seria pago' }),
    dueDate: day({ about: 'Vencimento' }),
    daysLate: output.count({ about: 'Dias de atraso' }),
    value: output.money({ about: 'Valor' }),
    fine: output.money({ about: 'Multa' }),
    interest: output.money({ about: 'Juros' }),
    discount: output.money({ about: 'Desconto' }),
    receivedCents: nullable(
      output.money({ wire: 'received', about: 'Quanto já chegou por cobranças, em parte; nulo se nada chegou' }),
    ),
    totalCents: output.money({ wire: 'total', about: 'Valor + multa + juros - desconto - o que já chegou' }),
    reasons: output.view(reasons, { about: 'Por que cada parte é quanto é' }),
  },
  (of: Quote) => ({
    ...of,
    value: of.value.cents,
    fine: of.fine.cents,
    interest: of.interest.cents,
    discount: of.discount.cents,
    reasons: of,
  }),
)

const NO_TERMS = { finePercentage: null, interestPercentage: null, discountValueCents: null }

export const quotePayment = (ports: RealEstatePorts) => {
  const read = readPayment(ports)
  return (actor: Actor, id: string, given: QuoteDay = {}) =>
    withValidInput(ports, quoteDay, given, ({ on = dayOf(ports.clock.steady()) }) =>
      useCaseOf<Quote>()(async () => {
        const found = await read(actor, id)()
        if (isLeft(found)) return found
        const owed = found.right
        if (!paymentMoves.can(owed.status, 'Paid')) return left(failure('conflict', 'payment.closed'))
        const terms = await ports.store.find(byId(contracts, owed.contractId))
        return right(quoteOf(owed, terms ?? NO_TERMS, on))
      }),
    )
}

import { failure, issue } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { rule } from '../../kernel/input/rules.ts'
import { day } from '../../kernel/input/scalars.ts'
import { guid } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { dayOf, formatDay } from '../../kernel/values/day.ts'
import { byId } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { contracts } from '../records/contract.ts'
import { paymentMoves } from '../records/payment.ts'
import { type Quote, quoteOf } from './quote.ts'
import { readPayment } from './read-payment.ts'

/** Until then the most interest of the most that a payment may be is an exact number of cents. */
const LAST_QUOTED = '2199-12-31'

/** On which day a payment would be made. */
export const quoteDay = input(
  'QuoteDay',
  { on: inQuery.day({ about: `Dia em que seria pago, até ${formatDay(LAST_QUOTED)}; hoje, se ausente` }) },
  rule(['on'], ({ on }) => (on !== undefined && on > LAST_QUOTED ? [issue('on', 'quote.far')] : [])),
)
export type QuoteDay = InputOf<typeof quoteDay>

type Part = 'value' | 'fine' | 'interest' | 'discount'

const reasons = view(
  'QuoteReasons',
  {
    value: output.text({ about: 'Por que o valor' }),
    fine: output.text({ about: 'Por que a multa, ou por que não há' }),
    interest: output.text({ about: 'Por que os juros, ou por que não há' }),
    discount: output.text({ about: 'Por que o desconto, ou por que não há' }),
  },
  (of: Pick<Quote, Part>) => ({
    value: of.value.reason,
    fine: of.fine.reason,
    interest: of.interest.reason,
    discount: of.discount.reason,
  }),
)

/** What would be owed, part by part. */
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
    totalCents: output.money({ wire: 'total', about: 'Valor + multa + juros - desconto' }),
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

/**
 * What would be owed of a payment if it were paid on a day, today unless told; of owners and tenants of their own.
 * Fails: `fields`, `payment.unknown`, `payment.closed` (paid already, or cancelled).
 * Source: decisions.md §6, Payments.
 */
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

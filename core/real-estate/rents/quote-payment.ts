import { conflict, isLeft, issue, right } from '../../failure.ts'
import { day, guid, type InputOf, input, inQuery, nullable, output, rule, view } from '../../kernel/input/mod.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { dayOf, formatDay } from '../../kernel/values/day.ts'
import { byId } from '../../ports/store.ts'
import type { Actor, RealEstatePorts } from '../real-estate-ports.ts'
import { contracts } from '../records/contract.ts'
import { paymentMoves } from '../records/payment.ts'
import { NO_TERMS, type Quote, quoteOf } from '../terms/quote.ts'
import { readPayment } from './read-payment.ts'

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
      output.money({ wire: 'received', about: 'Quanto já chegou, em parte; nulo se nada chegou' }),
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

export const quotePayment = (ports: RealEstatePorts) => {
  const read = readPayment(ports)
  return (actor: Actor, id: string, submitted: QuoteDay = {}) =>
    withValidInput(ports, quoteDay, submitted, ({ on = dayOf(ports.clock.steady()) }) =>
      useCaseOf<Quote>()(async () => {
        const found = await read(actor, id)()
        if (isLeft(found)) return found
        const owed = found.right
        if (!paymentMoves.can(owed.status, 'Paid')) return conflict('payment.closed')
        const terms = await ports.store.find(byId(contracts, owed.contractId))
        return right(quoteOf(owed, terms ?? NO_TERMS, on))
      }),
    )
}

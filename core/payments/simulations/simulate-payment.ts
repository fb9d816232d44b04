import { issue } from '../../failure.ts'
import { right } from '../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { rule } from '../../kernel/input/rules.ts'
import { integer, money } from '../../kernel/input/scalars.ts'
import type { Decoded } from '../../kernel/input/table.ts'
import { output, view } from '../../kernel/input/view.ts'
import { type UseCase, withValidInput } from '../../kernel/running/use-case.ts'
import { formatReais, reaisFromCents, splitRemainderFirst } from '../../kernel/values/money.ts'
import type { Actor } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'

const MAX_INSTALLMENTS = 12

const fields = {
  amountCents: money({ wire: 'amount', minCents: 1, about: 'Valor' }),
  installments: integer({ min: 1, max: MAX_INSTALLMENTS, about: 'Parcelas' }),
}

/** A part is at least one cent. Source: 02-billing.md, Charges (POST /billing/simulate-payment). */
export const paymentSimulation = input(
  'PaymentSimulation',
  fields,
  rule<Decoded<typeof fields>, keyof typeof fields, 'money.min'>(
    ['amountCents', 'installments'],
    ({ amountCents, installments }) =>
      installments > amountCents ? [issue('amountCents', 'money.min', { min: reaisFromCents(installments) })] : [],
  ),
)

export type PaymentSimulation = InputOf<typeof paymentSimulation>

type Asked = DecodedOf<typeof paymentSimulation>

/** What an amount would be by each method. Nothing is created. */
export interface SimulatedPayment {
  readonly amountCents: number
  readonly installments: number
  /** Of a card's parts; the first takes the cents left over. */
  readonly partsCents: readonly number[]
}

/**
 * What an amount would be by each method: at once by Pix and boleto, in equal parts by card. No method has a price of its own
 * for who pays.
 * Fails: `fields`. Source: 02-billing.md, Charges; decisions.md §9, Charges.
 */
export const simulatePayment =
  (ports: Pick<PaymentsPorts, 'clock'>) => (_actor: Pick<Actor, 'accountId'>, given: PaymentSimulation) =>
    withValidInput(ports, paymentSimulation, given, simulated)

const simulated =
  (asked: Asked): UseCase<SimulatedPayment, never> =>
  async () =>
    right({ ...asked, partsCents: splitRemainderFirst(asked.amountCents, asked.installments) })

/** `3x de R$ 10,00`; where a cent is left over, `1x de R$ 3,34 e 2x de R$ 3,33`. */
const summaryOf = ([first = 0, ...others]: readonly number[]): string => {
  const [second = first] = others
  if (second === first) return `${others.length + 1}x de ${formatReais(first)}`
  return `1x de ${formatReais(first)} e ${others.length}x de ${formatReais(second)}`
}

const optionFields = {
  method: output.text({ about: 'Meio de pagamento' }),
  installments: output.count({ about: 'Parcelas' }),
  installmentCents: output.money({
    wire: 'installment_value',
    about: 'Valor de cada parcela; a primeira leva os centavos que sobram',
  }),
  totalCents: output.money({ wire: 'total_amount', about: 'Total' }),
}

interface Option {
  readonly method: string
  readonly installments: number
  readonly installmentCents: number
  readonly totalCents: number
}

const optionView = view('SimulatedOption', optionFields, (option: Option) => option)

const cardView = view(
  'SimulatedCard',
  { ...optionFields, originalCents: output.money({ wire: 'original_amount', about: 'Valor pedido' }) },
  (option: Option) => ({ ...option, originalCents: option.totalCents }),
)

const detailsView = view(
  'SimulationDetails',
  {
    amountCents: output.money({ wire: 'requested_amount', about: 'Valor pedido' }),
    installments: output.count({ wire: 'requested_installments', about: 'Parcelas pedidas' }),
    preferredMethod: output.alwaysNull({ about: 'Sempre null: nenhum meio é preferido' }),
    summary: output.text({ wire: 'installments_summary', about: 'As parcelas do cartão, por extenso' }),
  },
  ({ partsCents, ...asked }: SimulatedPayment) => ({ ...asked, preferredMethod: null, summary: summaryOf(partsCents) }),
)

/** Source: 02-billing.md, Charges; decisions.md §9, Charges. */
export const simulatedPaymentView = view(
  'SimulatedPayment',
  {
    pix: output.view(optionView, { about: 'Por Pix, à vista' }),
    boleto: output.view(optionView, { about: 'Por boleto, à vista' }),
    creditCard: output.view(cardView, { about: 'Por cartão de crédito' }),
    simulationDetails: output.view(detailsView, { about: 'O que foi pedido' }),
  },
  (of: SimulatedPayment) => {
    const { amountCents: totalCents, installments, partsCents } = of
    const atOnce = { installments: 1, installmentCents: totalCents, totalCents }
    return {
      pix: { method: 'pix', ...atOnce },
      boleto: { method: 'boleto', ...atOnce },
      creditCard: {
        method: 'credit_card',
        installments,
        installmentCents: partsCents.at(-1) ?? totalCents,
        totalCents,
      },
      simulationDetails: of,
    }
  },
)

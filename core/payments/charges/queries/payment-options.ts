import { issue, right } from '../../../failure.ts'
import {
  type Decoded,
  type DecodedOf,
  type InputOf,
  input,
  integer,
  money,
  output,
  rule,
  view,
} from '../../../kernel/input/mod.ts'
import { type UseCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { formatReais, reaisFromCents, splitRemainderFirst } from '../../../kernel/values/money.ts'
import type { Actor, PaymentsPorts } from '../../payments-ports.ts'

const MAX_INSTALLMENTS = 12

const fields = {
  amountCents: money({ wire: 'amount', minCents: 1, about: 'Valor' }),
  installments: integer({ min: 1, max: MAX_INSTALLMENTS, about: 'Parcelas' }),
}

/** The input of a quote; an installment is at least one cent. */
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

type QuoteRequest = DecodedOf<typeof paymentSimulation>

/** The amount and installments of a quote. */
export interface SimulatedPayment {
  readonly amountCents: number
  readonly installments: number
  /** The installments by card; the first has the remaining cents. */
  readonly partsCents: readonly number[]
}

export const quotePayment =
  (ports: Pick<PaymentsPorts, 'clock'>) => (_actor: Pick<Actor, 'accountId'>, sent: PaymentSimulation) =>
    withValidInput(ports, paymentSimulation, sent, splitAmount)

const splitAmount =
  (request: QuoteRequest): UseCase<SimulatedPayment, never> =>
  async () =>
    right({ ...request, partsCents: splitRemainderFirst(request.amountCents, request.installments) })

/** `3x de R$ 10,00`; with remaining cents, `1x de R$ 3,34 e 2x de R$ 3,33`. */
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

type Option = { readonly method: string } & {
  readonly [K in 'installments' | 'installmentCents' | 'totalCents']: number
}

const optionView = view('SimulatedOption', optionFields)

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
  ({ partsCents, ...request }: SimulatedPayment) => ({
    ...request,
    preferredMethod: null,
    summary: summaryOf(partsCents),
  }),
)

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

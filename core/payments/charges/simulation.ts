import { failure, isLeft, issue, left, right } from '../../failure.ts'
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
} from '../../kernel/input/mod.ts'
import {
  accept,
  type FactsOf,
  type Fresh,
  type UseCase,
  useCase,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { formatReais, reaisFromCents, splitRemainderFirst } from '../../kernel/values/money.ts'
import type { PaymentNotice } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { endToEndId } from '../pix/pix-id.ts'
import { type CardFacts, isCardCharge, readCounts } from './card.ts'
import { type Charge, statusAt } from './charge.ts'
import { type ChargeDetail, dueOn, isRestRefused, isTitleOutdated, NO_CHARGE } from './detail.ts'
import { applyNotice } from './notifications.ts'
import { postPayment } from './payment.ts'
import { findOwnCharge } from './queries/read.ts'
import { readNetPaid } from './refund-records.ts'

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

/** The accounts for tests of the service. */
const TEST_ACCOUNTS: readonly number[] = [1, 2, 3]

/** The ISPB of no bank, so that simulated payments are visible in extracts. */
const ISPB = '00000000'
const RANDOM_CHARS = 11
const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

type Facts = FactsOf<typeof readFacts>

export const simulatePayment = (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId'>, idOrCode: string) =>
  useCase(
    ports,
    () => readFacts(ports, actor, idOrCode),
    (facts, fresh) => {
      const isTest = TEST_ACCOUNTS.includes(actor.accountId) && !ports.settings.isProduction
      if (!isTest) return left(failure('forbidden', 'simulation.forbidden'))
      if (!ports.bank.can.includes('simulated-payments')) return left(failure('refused', 'bank.unsupported'))
      return decideSimulation(ports.cipher, facts, fresh)
    },
  )

const readFacts = async (ports: PaymentsPorts, { accountId }: Pick<Actor, 'accountId'>, idOrCode: string) => {
  const detail = await findOwnCharge(ports, accountId, idOrCode)
  const facts = detail && (await readCounts(ports, detail))
  return facts && { ...facts, netPaidCents: await readNetPaid(ports.store, facts.detail.charge) }
}

const decideSimulation = (cipher: Pick<Cipher, 'seal'>, facts: Facts | null, fresh: Fresh) => {
  if (!facts) return left(NO_CHARGE)
  const { detail } = facts
  const { charge } = detail
  const { txid } = charge
  if (isCardCharge(charge) && charge.status === 'pending')
    return decideCard(cipher, { ...facts, detail: { ...detail, charge } }, fresh)
  if (txid === null || statusAt(charge, fresh.steady) !== 'pending')
    return left(failure('refused', 'charge.not-pending'))
  // The boleto was paid in part, and none is paid twice: the rest is paid by a boleto of its own.
  if (charge.paymentMethod === 'BOLETO' && isTitleOutdated(charge))
    return left(isRestRefused(charge) ? failure('not-found', 'boleto.unknown') : failure('conflict', 'charge.busy'))
  const { after, changes } = postPayment(cipher, facts, noticeOf(charge, txid, fresh), fresh)
  return accept<ChargeDetail>({ ...detail, charge: after, asOf: fresh.steady }, ...changes)
}

/** Approves a pending card as if the acquirer had notified of it. */
const decideCard = (cipher: Pick<Cipher, 'seal'>, facts: CardFacts, fresh: Fresh) => {
  const { code, operationId } = facts.detail.charge
  if (operationId !== null) return left(failure('conflict', 'charge.busy'))
  const { value, changes } = applyNotice(
    cipher,
    facts,
    { id: code, status: 'approved', token: null, reason: null },
    fresh,
  )
  return isLeft(value) ? value : accept(value.right, ...changes)
}

/** Builds the bank's notice: by nosso número for a boleto, by Pix for any other. */
const noticeOf = (charge: Charge, txid: string, fresh: Fresh): PaymentNotice => {
  const { steady: paidAt, today } = fresh
  const common = { txid, valueCents: dueOn(charge, today), paidAt, payer: null }
  const { nossoNumero } = charge
  if (charge.paymentMethod === 'BOLETO' && nossoNumero !== null)
    return { ...common, method: 'boleto', endToEndId: nossoNumero }
  const random = fresh.text(LETTERS_AND_DIGITS, RANDOM_CHARS)
  return { ...common, method: 'pix', endToEndId: endToEndId({ ispb: ISPB, instant: paidAt, random }) }
}

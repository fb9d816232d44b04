import { right } from '../../../fp.ts'
import { list, nullIfAbsent, optional } from '../../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../../kernel/input/input.ts'
import { notBefore } from '../../../kernel/input/rules.ts'
import { day, oneOf } from '../../../kernel/input/scalars.ts'
import { output, view } from '../../../kernel/input/view.ts'
import { type UseCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { dayOf } from '../../../kernel/values/day.ts'
import type { Actor } from '../../actor.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { lastDays } from '../period.ts'
import { readFigures, STATISTIC_CARDS, type StatisticCard } from './statistic-figures.ts'

/** More than there are, so that one that is named twice is no mistake. */
const MAX_CARDS = 100

/** Days are São Paulo days, both ends included; the last thirty where none are named. Source: 02-billing.md, Statements. */
export const statisticsAsked = input(
  'StatisticsAsked',
  {
    cards: list(oneOf(STATISTIC_CARDS), { min: 1, max: MAX_CARDS, about: 'Quais números' }),
    from: nullIfAbsent(day({ wire: 'start_date', about: 'Desde este dia (por padrão, os últimos 30 dias)' })),
    to: nullIfAbsent(day({ wire: 'end_date', about: 'Até este dia (por padrão, hoje)' })),
  },
  notBefore('to', 'from'),
)

export type StatisticsAsked = InputOf<typeof statisticsAsked>

/** The figures that were asked for: counts, and sums in cents. */
export type Statistics = { readonly [K in StatisticCard]?: number }

/**
 * Figures of the account over some days: those that are asked for, and no others.
 * Fails: `fields`. Source: 02-billing.md, Statements; decisions.md §11, Sums.
 */
export const readStatistics =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: StatisticsAsked) =>
    withValidInput(ports, statisticsAsked, given, (asked) => figuresOf(ports, accountId, asked))

const figuresOf =
  (
    { store, clock }: Pick<PaymentsPorts, 'store' | 'clock'>,
    accountId: number,
    { cards, from, to }: DecodedOf<typeof statisticsAsked>,
  ): UseCase<Statistics, never> =>
  async () => {
    const asOf = clock.steady()
    const days = lastDays({ ...(from !== null && { from }), ...(to !== null && { to }) }, dayOf(asOf))
    return right(await readFigures(store, [...new Set(cards)], { accountId, days, asOf }))
  }

const count = (wire: StatisticCard, about: string) => optional(output.count({ wire, about }))
const sum = (wire: StatisticCard, about: string) => optional(output.money({ wire, about }))

/** Source: 02-billing.md, Statements. */
export const statisticsView = view(
  'Statistics',
  {
    PIXS_COUNT: count('PIXS_COUNT', 'Cobranças Pix emitidas'),
    BOLETOS_COUNT: count('BOLETOS_COUNT', 'Boletos emitidos, com os que também se pagam por Pix'),
    CLIENTS_COUNT: count('CLIENTS_COUNT', 'Clientes cadastrados'),
    CHARGE_COUNT_PAID: count('CHARGE_COUNT_PAID', 'Cobranças pagas, pela data do pagamento'),
    PIX_IN_SUM: sum('PIX_IN_SUM', 'Recebido por Pix'),
    CHARGE_SUM_PAID: sum('CHARGE_SUM_PAID', 'Total pago das cobranças pagas, pela data do pagamento'),
    PIX_OUT_SUM: sum('PIX_OUT_SUM', 'Enviado por Pix, sem sinal'),
    TOTAL_CHARGE_EXPECTED_TO_RECEIVE: sum(
      'TOTAL_CHARGE_EXPECTED_TO_RECEIVE',
      'Valor das cobranças pendentes que vencem no período',
    ),
  },
  (statistics: Statistics) => statistics as Required<Statistics>,
)

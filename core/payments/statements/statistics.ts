import {
  type DecodedOf,
  day,
  type InputOf,
  input,
  inQuery,
  list,
  notBefore,
  nullIfAbsent,
  oneOf,
  optional,
  output,
  view,
  withDefault,
} from '../../kernel/input/mod.ts'
import { all, eq, gt, isIn, lte, type Where } from '../../kernel/records/record.ts'
import type { GroupRow } from '../../kernel/records/tally.ts'
import { inRange, onDaysOf } from '../../kernel/resources/queries.ts'
import { dayOf, type Instant } from '../../kernel/values/day.ts'
import { type Group, groupOf, type Store } from '../../ports/store.ts'
import { type CHARGE_STATUSES, type Charge, charges, PAID_STATUSES } from '../charges/charge.ts'
import { type Client, clients } from '../customers/client.ts'
import { CONFIRMED, type Entry, PIX_IN, PIX_OUT } from '../ledger/ledger.ts'
import { accountQuery } from '../payments-ports.ts'
import { onDays, type Period, periodOf, sumsBy } from './filters.ts'

export const STATISTIC_CARDS = [
  'PIXS_COUNT',
  'BOLETOS_COUNT',
  'CLIENTS_COUNT',
  'CHARGE_COUNT_PAID',
  'PIX_IN_SUM',
  'CHARGE_SUM_PAID',
  'PIX_OUT_SUM',
  'TOTAL_CHARGE_EXPECTED_TO_RECEIVE',
] as const

export type StatisticCard = (typeof STATISTIC_CARDS)[number]

/** More than the number of cards: duplicates are accepted. */
const MAX_CARDS = 100

/** Days are those of São Paulo, both ends included; by default the last 30. */
export const statisticsQuery = input(
  'StatisticsAsked',
  {
    cards: list(oneOf(STATISTIC_CARDS), { min: 1, max: MAX_CARDS, about: 'Quais números' }),
    from: nullIfAbsent(day({ wire: 'start_date', about: 'Desde este dia (por padrão, os últimos 30 dias)' })),
    to: nullIfAbsent(day({ wire: 'end_date', about: 'Até este dia (por padrão, hoje)' })),
  },
  notBefore('to', 'from'),
)
export type StatisticsQuery = InputOf<typeof statisticsQuery>

/** The requested figures: counts, and sums in cents. */
export type Statistics = { readonly [K in StatisticCard]?: number }

export const readStatistics = accountQuery(
  statisticsQuery,
  ({ store, clock }, accountId, { cards, from, to }): Promise<Statistics> => {
    const asOf = clock.steady()
    const days = periodOf({ ...(from !== null && { from }), ...(to !== null && { to }) }, dayOf(asOf))
    return readFigures(store, [...new Set(cards)], { accountId, days, asOf })
  },
)

const count = (wire: StatisticCard, about: string) => optional(output.count({ wire, about }))
const sum = (wire: StatisticCard, about: string) => optional(output.money({ wire, about }))

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
      'Valor das cobranças pendentes que vencem no período, menos o que já foi pago dele',
    ),
  },
  (statistics: Statistics) => statistics as Required<Statistics>,
)

interface FigureRange {
  readonly accountId: number
  readonly days: Period
  readonly asOf: Instant
}

type ChargeField = keyof Charge & string

const ofCharges = (
  { accountId, days }: FigureRange,
  field: 'createdDay' | 'paymentDate' | 'dueDate',
  ...more: readonly Where<ChargeField>[]
): Where<ChargeField> => all(eq('accountId', accountId), ...inRange(field, days), ...more)

/** A bolepix is a boleto that can also be paid by Pix. */
const BOLETO_METHODS: readonly Charge['paymentMethod'][] = ['BOLETO', 'BOLEPIX']

/** Counts issued charges of every status. */
const issued = (range: FigureRange, methods: readonly Charge['paymentMethod'][]) =>
  groupOf(charges, { where: ofCharges(range, 'createdDay', isIn('paymentMethod', methods)), by: [], sum: [] })

const paid = (range: FigureRange) =>
  groupOf(charges, {
    where: ofCharges(range, 'paymentDate', isIn('status', PAID_STATUSES)),
    when: 'paid',
    by: [],
    sum: ['amountPaidCents'],
  })

const moved = ({ accountId, days }: FigureRange, typeId: number) =>
  sumsBy([], accountId, eq('status', CONFIRMED), eq('typeId', typeId), ...onDays(days))

const registered = ({ accountId, days }: FigureRange) =>
  groupOf(clients, {
    where: all(eq('accountId', accountId), ...onDaysOf('createdAt', days)),
    when: 'live',
    by: [],
    sum: [],
  })

const pending = (range: FigureRange) =>
  groupOf(charges, { where: ofCharges(range, 'dueDate', eq('status', 'pending')), by: [], sum: ['valueCents'] })

/** Sums pending charges that have lapsed but that the worker has not expired yet. */
const overdue = (range: FigureRange) =>
  groupOf(charges, {
    where: ofCharges(range, 'dueDate', lte('lapsesAt', range.asOf)),
    when: 'lapsing',
    by: [],
    sum: ['valueCents'],
  })

/** Sums the part of the value that partial payments have paid of pending charges. */
const paidInPart = (range: FigureRange) =>
  groupOf(charges, {
    where: ofCharges(range, 'dueDate', gt('valuePaidCents', 0), gt('lapsesAt', range.asOf)),
    when: 'lapsing',
    by: [],
    sum: ['valuePaidCents'],
  })

type FigureQuery = Group<Charge> | Group<Client> | Group<Entry>

interface Figure {
  /** The figures of the other queries are subtracted from that of the first. */
  readonly queries: (range: FigureRange) => readonly FigureQuery[]
  /** Without it, the only field that a query sums is summed. */
  readonly isCount?: true
}

const FIGURES: Readonly<Record<StatisticCard, Figure>> = {
  PIXS_COUNT: { queries: (range) => [issued(range, ['PIX'])], isCount: true },
  BOLETOS_COUNT: { queries: (range) => [issued(range, BOLETO_METHODS)], isCount: true },
  CLIENTS_COUNT: { queries: (range) => [registered(range)], isCount: true },
  CHARGE_COUNT_PAID: { queries: (range) => [paid(range)], isCount: true },
  PIX_IN_SUM: { queries: (range) => [moved(range, PIX_IN.id)] },
  CHARGE_SUM_PAID: { queries: (range) => [paid(range)] },
  PIX_OUT_SUM: { queries: (range) => [moved(range, PIX_OUT.id)] },
  TOTAL_CHARGE_EXPECTED_TO_RECEIVE: { queries: (range) => [pending(range), overdue(range), paidInPart(range)] },
}

/** Reads the figures in one read. None is negative. */
const readFigures = async (store: Store, cards: readonly StatisticCard[], range: FigureRange): Promise<Statistics> => {
  const queriesOfCards = cards.map((card) => [card, FIGURES[card].queries(range)] as const)
  const named = queriesOfCards.flatMap(([card, queries]) =>
    queries.map((query, place) => [`${card} ${place}`, query] as const),
  )
  const found = await store.read(Object.fromEntries(named))
  return Object.fromEntries(
    queriesOfCards.map(([card, queries]) => {
      const figures = queries.map(({ sum: [field = ''] }, place) => {
        const [row] = found[`${card} ${place}`] ?? []
        return (FIGURES[card].isCount ? row?.count : row?.sums[field]) ?? 0
      })
      return [card, Math.abs(figures.reduce((whole, less) => whole - less))]
    }),
  )
}

export const boletoStatistics = input('BoletoStatistics', {
  groupBy: withDefault(
    inQuery.oneOf(['day', 'month', 'year'], { about: 'Se as linhas são de dias, meses ou anos' }),
    'month',
  ),
})
export type BoletoStatistics = InputOf<typeof boletoStatistics>

type GroupBy = DecodedOf<typeof boletoStatistics>['groupBy']
type Status = (typeof CHARGE_STATUSES)[number]

/** The numbers of boletos issued in a day, month or year, by status. */
export interface BoletoCounts {
  /** `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
  readonly period: string
  readonly counts: Readonly<Record<Status, number>>
}

export const countBoletos = accountQuery(
  boletoStatistics,
  async ({ store, clock }, accountId, { groupBy }): Promise<readonly BoletoCounts[]> => {
    const boletos = [eq('accountId', accountId), isIn('paymentMethod', BOLETO_METHODS)]
    const { stored, lapsed } = await store.read({
      stored: groupOf(charges, { where: all(...boletos), by: ['createdDay', 'status'], sum: [] }),
      // Lapsed boletos that the worker has not expired yet.
      lapsed: groupOf(charges, {
        where: all(...boletos, lte('lapsesAt', clock.steady())),
        when: 'lapsing',
        by: ['createdDay'],
        sum: [],
      }),
    })
    return boletoCounts(stored, lapsed, groupBy)
  },
)

const CHARS: Readonly<Record<GroupBy, number>> = { day: 10, month: 7, year: 4 }
const NONE: BoletoCounts['counts'] = {
  pending: 0,
  paid: 0,
  cancelled: 0,
  expired: 0,
  failed: 0,
  DELETED: 0,
  paidwithpix: 0,
}

/** Sums counts by day and status into sorted periods. Lapsed boletos count as expired instead of pending. */
const boletoCounts = (
  stored: readonly GroupRow[],
  lapsed: readonly GroupRow[],
  groupBy: GroupBy,
): readonly BoletoCounts[] => {
  const periods = new Map<string, Record<Status, number>>()
  const add = (day: unknown, status: Status, count: number): void => {
    const period = `${day}`.slice(0, CHARS[groupBy])
    const counts = periods.get(period) ?? { ...NONE }
    counts[status] += count
    periods.set(period, counts)
  }
  for (const { by, count } of stored) add(by.createdDay, by.status as Status, count)
  for (const { by, count } of lapsed) {
    add(by.createdDay, 'pending', -count)
    add(by.createdDay, 'expired', count)
  }
  return [...periods.keys()].sort().map((period) => ({ period, counts: periods.get(period) ?? NONE }))
}

const countField = (wire: string, about: string) => output.count({ wire: `qtd_${wire}`, about })

export const boletoCountsView = view(
  'BoletoCounts',
  {
    period: output.text({ wire: 'date_group', about: 'Dia, mês ou ano da emissão' }),
    pending: countField('pending', 'Pendentes'),
    paid: countField('paid', 'Pagos'),
    cancelled: countField('cancelled', 'Cancelados'),
    expired: countField('expired', 'Expirados'),
    failed: countField('failed', 'Com falha'),
    deleted: countField('deleted', 'Apagados'),
    paidwithpix: countField('paidwithpix', 'Pagos com Pix'),
  },
  ({ period, counts: { DELETED: deleted, ...counts } }: BoletoCounts) => ({ period, ...counts, deleted }),
)

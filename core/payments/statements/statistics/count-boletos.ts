import { right } from '../../../fp.ts'
import { withDefault } from '../../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../../kernel/input/input.ts'
import { inQuery } from '../../../kernel/input/query.ts'
import { output, view } from '../../../kernel/input/view.ts'
import type { GroupRow } from '../../../kernel/records/tally.ts'
import { all, eq, isIn, lte } from '../../../kernel/records/where.ts'
import { type UseCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { groupOf } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { type Charge, charges } from '../../charges/charge.ts'
import type { CHARGE_STATUSES } from '../../charges/charge-status.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { BOLETO_METHODS } from './statistic-figures.ts'

/** Source: 02-billing.md, Statements (GET /consolidation/statistic/boletos). */
export const boletoStatistics = input('BoletoStatistics', {
  groupBy: withDefault(
    inQuery.oneOf(['day', 'month', 'year'], { about: 'Se as linhas são de dias, meses ou anos' }),
    'month',
  ),
})

export type BoletoStatistics = InputOf<typeof boletoStatistics>

type GroupBy = DecodedOf<typeof boletoStatistics>['groupBy']
type Status = (typeof CHARGE_STATUSES)[number]

/** The boletos that were issued in a day, month or year, by what has become of them. */
export interface BoletoCounts {
  /** `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
  readonly period: string
  readonly counts: Readonly<Record<Status, number>>
}

/**
 * The account's boletos by when they were issued, and by status, deleted ones too.
 * Fails: `fields`. Source: 02-billing.md, Statements; decisions.md §11, Shapes.
 */
export const countBoletos =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: BoletoStatistics) =>
    withValidInput(ports, boletoStatistics, given, ({ groupBy }) => countsOf(ports, accountId, groupBy))

const countsOf =
  (
    { store, clock }: Pick<PaymentsPorts, 'store' | 'clock'>,
    accountId: number,
    groupBy: GroupBy,
  ): UseCase<readonly BoletoCounts[], never> =>
  async () => {
    const boletos = [
      eq<keyof Charge & string>('accountId', accountId),
      isIn<keyof Charge & string>('paymentMethod', BOLETO_METHODS),
    ]
    const { stored, lapsed } = await store.read({
      stored: groupOf(charges, { where: all(...boletos), by: ['createdDay', 'status'], sum: [] }),
      // The worker may not have moved yet what has run out: mostly there is none.
      lapsed: groupOf(charges, {
        where: all(...boletos, lte('lapsesAt', clock.steady())),
        when: 'lapsing',
        by: ['createdDay'],
        sum: [],
      }),
    })
    return right(boletoCounts(stored, lapsed, groupBy))
  }

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

/** Counts by day and status, with those that have run out since, in periods from the first to the last. */
export const boletoCounts = (
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

const count = (wire: string, about: string) => output.count({ wire: `qtd_${wire}`, about })

/** Source: 02-billing.md, Statements. */
export const boletoCountsView = view(
  'BoletoCounts',
  {
    period: output.text({ wire: 'date_group', about: 'Dia, mês ou ano da emissão' }),
    pending: count('pending', 'Pendentes'),
    paid: count('paid', 'Pagos'),
    cancelled: count('cancelled', 'Cancelados'),
    expired: count('expired', 'Expirados'),
    failed: count('failed', 'Com falha'),
    deleted: count('deleted', 'Apagados'),
    paidwithpix: count('paidwithpix', 'Pagos com Pix'),
  },
  ({ period, counts: { DELETED: deleted, ...counts } }: BoletoCounts) => ({ period, ...counts, deleted }),
)

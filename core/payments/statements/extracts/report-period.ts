import { right } from '../../../fp.ts'
import { type InputOf, input } from '../../../kernel/input/input.ts'
import { inQuery } from '../../../kernel/input/query.ts'
import type { GroupRow } from '../../../kernel/records/tally.ts'
import { all, eq } from '../../../kernel/records/where.ts'
import { type UseCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { dayOf } from '../../../kernel/values/day.ts'
import { groupOf } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { PAYMENT_METHODS } from '../../charges/charge-fields.ts'
import { CONFIRMED, type Entry, entries } from '../../ledger/entry.ts'
import { BOLEPIX_IN, BOLETO_IN, PIX_IN } from '../../ledger/transaction-type.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { conditionsOf, type EntryField, type EntryFilter, entryFilters, onDays, typeFilters } from '../entry-filter.ts'
import { lastDays } from '../period.ts'
import { type TypeSum, typeSums } from '../type-sum.ts'

const paid = inQuery.range('payment_date', 'Pagamento (por padrão, os últimos 30 dias)')

/** Days are São Paulo days, both ends included; the last thirty where none are named. Source: 02-billing.md, Statements. */
export const periodReport = input('PeriodReport', { paid })

export type PeriodReport = InputOf<typeof periodReport>

const { typeId, typeIds } = typeFilters

/** The same, of some types and of a status: what is confirmed where none is named. */
export const dailyReport = input('DailyReport', { paid, typeId, typeIds, status: entryFilters.status })

export type DailyReport = InputOf<typeof dailyReport>

/** The movements of one type on one day, in cents. */
export interface DailyRow {
  readonly day: string
  readonly typeId: number
  readonly totalCents: number
}

type Reader = Pick<PaymentsPorts, 'store' | 'clock'>
type By = 'day' | 'typeId'

const rowsOf = (
  { store, clock }: Reader,
  accountId: number,
  { days = {}, status = CONFIRMED, ...filter }: EntryFilter,
  by: readonly By[],
  more: { readonly when?: string } & { readonly direction?: Entry['direction'] } = {},
): Promise<readonly GroupRow[]> => {
  const { when, direction } = more
  return store.group(
    groupOf(entries, {
      where: all<EntryField>(
        eq('accountId', accountId),
        ...conditionsOf({ ...filter, status }),
        ...(direction ? [eq<EntryField>('direction', direction)] : []),
        ...onDays(lastDays(days, dayOf(clock.steady()))),
      ),
      ...(when !== undefined && { when }),
      by,
      sum: ['valueCents'],
    }),
  )
}

/**
 * What moved on each day by each type, signed; days without movement are left out.
 * Fails: `fields`. Source: 02-billing.md, Statements; decisions.md §11, Sums.
 */
export const reportByDay =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: DailyReport) =>
    withValidInput(
      ports,
      dailyReport,
      given,
      ({ paid: days, ...filter }): UseCase<readonly DailyRow[], never> =>
        async () =>
          right(dailyRows(await rowsOf(ports, accountId, { ...filter, days }, ['day', 'typeId']))),
    )

/** In the order of the days, and of the types' ids. */
export const dailyRows = (rows: readonly GroupRow[]): readonly DailyRow[] =>
  rows
    .map(({ by, sums }) => ({ day: `${by.day}`, typeId: Number(by.typeId), totalCents: sums.valueCents ?? 0 }))
    .sort((a, b) => (a.day === b.day ? a.typeId - b.typeId : a.day < b.day ? -1 : 1))

/**
 * What moved by each type, signed: what is confirmed.
 * Fails: `fields`. Source: 02-billing.md, Statements; decisions.md §11, Sums.
 */
export const reportByType =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: PeriodReport) =>
    withValidInput(
      ports,
      periodReport,
      given,
      ({ paid: days }): UseCase<readonly TypeSum[], never> =>
        async () =>
          right(typeSums(await rowsOf(ports, accountId, { days }, ['typeId']))),
    )

/** What came in for the charges of one payment method, in cents. */
export interface MethodSum {
  readonly paymentMethod: (typeof PAYMENT_METHODS)[number]
  readonly count: number
  readonly totalCents: number
}

/** As what a charge of a method is posted. Cards are posted beside the balance, and are not confirmed. */
const METHOD_OF: ReadonlyMap<number, MethodSum['paymentMethod']> = new Map([
  [PIX_IN.id, 'PIX'],
  [BOLETO_IN.id, 'BOLETO'],
  [BOLEPIX_IN.id, 'BOLEPIX'],
])

/**
 * What came in by each payment method of charges, the one most used first; what came for no charge has none.
 * Fails: `fields`. Source: 02-billing.md, Statements; decisions.md §11, Sums.
 */
export const reportByMethod =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: PeriodReport) =>
    withValidInput(
      ports,
      periodReport,
      given,
      ({ paid: days }): UseCase<readonly MethodSum[], never> =>
        async () =>
          right(methodSums(await rowsOf(ports, accountId, { days }, ['typeId'], { when: 'charged', direction: 'in' }))),
    )

export const methodSums = (rows: readonly GroupRow[]): readonly MethodSum[] =>
  typeSums(rows)
    .flatMap(({ type, count, valueCents: totalCents }) => {
      const paymentMethod = METHOD_OF.get(type.id)
      return paymentMethod ? [{ paymentMethod, count, totalCents }] : []
    })
    .sort(
      (a, b) =>
        b.count - a.count || PAYMENT_METHODS.indexOf(a.paymentMethod) - PAYMENT_METHODS.indexOf(b.paymentMethod),
    )

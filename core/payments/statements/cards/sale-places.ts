import type { DayRange } from '../../../kernel/input/query.ts'
import type { GroupRow } from '../../../kernel/records/tally.ts'
import { all, any, eq, gte, lt, lte, type Where } from '../../../kernel/records/where.ts'
import { byId, groupOf, listOf, type Store } from '../../../ports/store.ts'
import { type CardTransaction, cardTransactions } from '../../cards/card-transaction.ts'
import { ledgerAccountId, ledgerAccounts } from '../../ledger/ledger-account.ts'

export type SaleField = keyof CardTransaction & string

/** The sales up to a place, and what they came to, net. */
export interface Upto {
  readonly count: number
  readonly netCents: number
}

/**
 * Where an account's sales part, in their one order: those before a range of days, those to its end, and those that were
 * withdrawn. Each is a number of sales from the first, so that any list of them is what lies between two places.
 */
export interface SalePlaces {
  readonly before: Upto
  readonly until: Upto
  readonly withdrawn: Upto
  /** What the sales of the days came to. */
  readonly sums: GroupRow | null
}

const NOTHING: Upto = { count: 0, netCents: 0 }

/** Reads where they part at this instant: from the card book, tallies, and the last sale that was withdrawn. */
export const salePlaces = async (store: Store, accountId: number, { from, to }: DayRange): Promise<SalePlaces> => {
  const book = await store.find(byId(ledgerAccounts, ledgerAccountId(accountId, 'card')))
  const own = eq<SaleField>('accountId', accountId)
  const within = (...parts: readonly Where<SaleField>[]) =>
    groupOf(cardTransactions, {
      where: all<SaleField>(own, ...parts),
      by: [],
      sum: ['grossCents', 'feeCents', 'netCents'],
    })
  const { before, days, last } = await store.read({
    before: within(from ? lt('paymentDate', from) : any()),
    days: within(
      ...(from ? [gte<SaleField>('paymentDate', from)] : []),
      ...(to ? [lte<SaleField>('paymentDate', to)] : []),
    ),
    last: listOf(cardTransactions, {
      where: all<SaleField>(own, lte('settledCents', book ? book.settledCents - book.balanceCents : 0)),
      sort: { by: 'settledCents', dir: 'desc' },
      limit: 1,
    }),
  })
  const [earlier, sums = null] = [uptoOf(before[0]), ...days]
  const [sale] = last.records
  return {
    before: earlier,
    until: sums ? added(earlier, uptoOf(sums)) : earlier,
    withdrawn: sale ? { count: sale.place, netCents: sale.settledCents } : NOTHING,
    sums,
  }
}

const uptoOf = (row: GroupRow | undefined): Upto =>
  row ? { count: row.count, netCents: row.sums.netCents ?? 0 } : NOTHING

const added = (one: Upto, other: Upto): Upto => ({
  count: one.count + other.count,
  netCents: one.netCents + other.netCents,
})

/** How many of the sales between two places were withdrawn, and what those came to. */
export const withdrawnOf = ({ before, until, withdrawn }: Omit<SalePlaces, 'sums'>): Upto => ({
  count: between(before.count, withdrawn.count, until.count) - before.count,
  netCents: between(before.netCents, withdrawn.netCents, until.netCents) - before.netCents,
})

const between = (least: number, value: number, most: number): number => Math.min(Math.max(least, value), most)

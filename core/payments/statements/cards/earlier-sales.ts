import { ensure } from '../../../kernel/records/change.ts'
import type { Field } from '../../../kernel/records/record.ts'
import { all, eq, gt, gte, isIn } from '../../../kernel/records/where.ts'
import type { Migration } from '../../../office/migrations.ts'
import { listOf, type Store } from '../../../ports/store.ts'
import { type CardTransaction, cardTransactions } from '../../cards/card-transaction.ts'
import { type Charge, charges } from '../../charges/charge.ts'
import { type Entry, entries } from '../../ledger/entry.ts'
import { type LedgerAccount, ledgerAccounts } from '../../ledger/ledger-account.ts'
import { CARD_SETTLEMENT } from '../../ledger/transaction-type.ts'

const SALES_A_SLICE = 100

/** How far a book was followed: its last settlement, how many they were by then, and what they came to. */
interface Followed {
  readonly book: string
  readonly seq: number
  readonly place: number
  readonly settledCents: number
}

/**
 * Keeps the sales by card that releases until 0.5.0 have settled, each with its place and sum: the settlements of a card book
 * are followed from its first, and those that are kept already come to the same.
 */
export const earlierSales: Migration = {
  name: 'keep-card-transactions',
  async slice(store, { cursor: place }) {
    const at: Followed | null = place === null ? null : JSON.parse(place)
    const book = await nextBook(store, at)
    if (!book) return null
    const before = at?.book === book.id ? at : { book: book.id, seq: 0, place: 0, settledCents: 0 }
    const { records } = await store.list(
      listOf(entries, {
        where: all<Field<Entry>>(
          eq('accountId', book.accountId),
          eq('typeId', CARD_SETTLEMENT.id),
          gt('seq', before.seq),
        ),
        sort: { by: 'seq', dir: 'asc' },
        limit: SALES_A_SLICE,
      }),
    )
    const { sales, after } = salesOf(before, records, await chargesOf(store, records))
    if (sales.length > 0) await store.commit(sales.map((sale) => ensure(cardTransactions, sale)))
    return JSON.stringify(records.length < SALES_A_SLICE ? { ...after, seq: DONE } : after)
  },
}

/** That a book was followed to its end. */
const DONE = -1

const nextBook = async (store: Store, at: Followed | null): Promise<LedgerAccount | null> => {
  const from = at === null ? [] : [at.seq === DONE ? gt<'id'>('id', at.book) : gte<'id'>('id', at.book)]
  const where = all<Field<LedgerAccount>>(eq('kind', 'card'), ...from)
  return (await store.list(listOf(ledgerAccounts, { where, limit: 1 }))).records[0] ?? null
}

const chargesOf = async (store: Store, settled: readonly Entry[]): Promise<readonly Charge[]> => {
  const ids = settled.flatMap(({ chargeId }) => chargeId ?? [])
  return (await store.list(listOf(charges, { where: isIn('id', ids), limit: SALES_A_SLICE }))).records
}

/** The sales of settlements that follow each other, and where they lead. */
const salesOf = (before: Followed, settled: readonly Entry[], sold: readonly Charge[]) => {
  const sales: CardTransaction[] = []
  let after = before
  for (const { accountId, chargeId, seq, valueCents: netCents, day: paymentDate } of settled) {
    const [place, settledCents] = [after.place + 1, after.settledCents + netCents]
    after = { ...after, seq, place, settledCents }
    const { card = null } = sold.find(({ id }) => id === chargeId) ?? {}
    if (chargeId === null || card === null) continue
    const amounts = { grossCents: card.valueCents, feeCents: card.valueCents - netCents, netCents }
    sales.push({ id: chargeId, accountId, place, settledCents, ...amounts, paymentDate })
  }
  return { sales, after }
}

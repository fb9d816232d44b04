import { all, eq, gt } from '../../kernel/records/record.ts'
import { type Finding, firstOf, scanSlices, verifyTwice } from '../../kernel/running/verify.ts'
import { byId, listOf, type Store, sumOf } from '../../ports/store.ts'
import { type CardTransaction, cardTransactions } from '../charges/card.ts'
import { CARD, CARD_WITHDRAWAL, entries, type LedgerAccount, ledgerAccounts } from '../ledger/ledger.ts'

const PAGE = 500

/**
 * Checks the card sales of every account: each has its position and the cumulative sum, and the sales shown as
 * WITHDRAWN sum to no more than the withdrawn amount. Concurrent writes cause no faults. Reports the first fault and
 * the number of others.
 */
export const verifyCardSales = async (store: Store): Promise<Finding> => {
  const faults: string[] = []
  const figures = { 'card books': 0, sales: 0 }
  for await (const slice of scanSlices(store, ledgerAccounts))
    for (const { id, kind } of slice) {
      if (kind !== 'card') continue
      const checked = await verifyTwice(() => checkSales(store, id))
      figures['card books'] += 1
      figures.sales += checked.sales
      faults.push(...checked.faults)
    }
  return { area: 'card sales', figures, faults: firstOf(faults) }
}

const checkSales = async (store: Store, id: string) => {
  const book = await store.find(byId(ledgerAccounts, id))
  if (!book) return { sales: 0, faults: [`book ${id} does not exist`] }
  const { accountId } = book
  // Settlements and withdrawals after this read are not counted.
  const withdrawnUpTo = book.settledCents - book.balanceCents
  let [sales, sumCents, withdrawnCents] = [0, 0, 0]
  const faults: string[] = []
  for (;;) {
    const page = await salesAfter(store, accountId, sales)
    for (const { id: sale, place, netCents, settledCents } of page) {
      sales += 1
      sumCents += netCents
      if (place !== sales || settledCents !== sumCents)
        faults.push(`card sale ${sale} of account ${accountId} has number ${place} and sum ${settledCents}`)
      if (settledCents <= withdrawnUpTo) withdrawnCents += netCents
    }
    if (page.length < PAGE) break
  }
  const left = await withdrawnFrom(store, book)
  if (withdrawnCents > left)
    faults.push(
      `card sales of account ${accountId} are shown as withdrawn for ${withdrawnCents}, and ${left} was withdrawn`,
    )
  if (sumCents < book.settledCents)
    faults.push(`card sales of account ${accountId} sum to ${sumCents}, and its book has ${book.settledCents}`)
  return { sales, faults }
}

const salesAfter = async (store: Store, accountId: number, place: number): Promise<readonly CardTransaction[]> => {
  const where = all(eq('accountId', accountId), gt('place', place))
  const sort = { by: 'place', dir: 'asc' } as const
  return (await store.list(listOf(cardTransactions, { where, sort, limit: PAGE }))).records
}

/** Returns the withdrawn amount by the entries. It is read after the book, so it can only be larger. */
const withdrawnFrom = async (store: Store, { accountId }: LedgerAccount): Promise<number> => {
  const withdrawn = [eq('status', CARD), eq('typeId', CARD_WITHDRAWAL.id), eq('direction', 'out')]
  return -(await sumOf(store, entries, 'valueCents', all(eq('accountId', accountId), ...withdrawn)))
}

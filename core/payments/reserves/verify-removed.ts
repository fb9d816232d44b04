import { eq, not } from '../../kernel/records/record.ts'
import { type Finding, verifyTwice } from '../../kernel/running/verify.ts'
import type { Store } from '../../ports/store.ts'
import { accounts } from '../accounts/account.ts'
import { bookOf, isEmptyBook } from '../ledger/ledger.ts'

/** Checks that no removed account has money: its members cannot reach it. Concurrent writes are no fault. */
export const verifyRemoved = async (store: Store): Promise<Finding> => {
  const faults: string[] = []
  let removed = 0
  for await (const { id } of store.scan(accounts, not(eq('removedAt', null)))) {
    removed += 1
    faults.push(...(await verifyTwice(() => checkBooks(store, id))).faults)
  }
  return { area: 'removed accounts', figures: { accounts: removed }, faults }
}

const checkBooks = async (store: Store, accountId: number) => {
  const books = await store.read({ main: bookOf(accountId), card: bookOf(accountId, 'card') })
  const faults = Object.values(books).flatMap((book) =>
    book === null || isEmptyBook(book)
      ? []
      : [`account ${accountId} is removed, and its book ${book.id} has ${book.balanceCents}`],
  )
  return { faults }
}

import { always, type Collection, eq, not, type Rec } from '../../kernel/records/record.ts'
import { type Finding, scanSlices, verifyTwice } from '../../kernel/running/verify.ts'
import { byId, type Store } from '../../ports/store.ts'
import { accounts } from '../accounts/account.ts'
import { charges } from '../charges/charge.ts'
import { refunds } from '../charges/refund-records.ts'
import { bookOf, isEmptyBook, type LedgerAccount, ledgerAccounts } from '../ledger/ledger.ts'
import { reversedCents } from '../splits/reversal.ts'
import { splitShares } from '../splits/share.ts'
import { transfers } from '../transfers/transfer.ts'
import { withdrawals } from '../withdrawals/withdrawal.ts'

/** Adds up the reserved amounts of a collection by account, of every account or of one. */
type AddReserves = (sums: Map<number, number>, store: Store, accountId: number | null) => Promise<void>

const reservesOf =
  <R extends Rec & { readonly accountId: number }>(
    from: Collection<R>,
    centsOf: (record: R) => number | false | undefined,
  ): AddReserves =>
  async (sums, store, accountId) => {
    const where = accountId === null ? always : eq('accountId', accountId)
    for await (const record of store.scan(from, where)) {
      const cents = centsOf(record)
      if (cents) sums.set(record.accountId, (sums.get(record.accountId) ?? 0) + cents)
    }
  }

/** The reserves: issue fees of boletos in registration, pending refunds, shares, withdrawals and transfers. */
const RESERVES: readonly AddReserves[] = [
  reservesOf(charges, ({ issueFee }) => issueFee?.state === 'reserved' && issueFee.cents),
  reservesOf(refunds, ({ status, valueCents, shares }) => status === 'pending' && valueCents - reversedCents(shares)),
  reservesOf(splitShares, ({ heldCents, reservedCents }) => heldCents + reservedCents),
  reservesOf(withdrawals, ({ status, valueCents, feeCents }) => status === 'pending' && (valueCents ?? 0) + feeCents),
  reservesOf(transfers, ({ status, valueCents }) => status === 'pending' && valueCents),
]

/** The limit of checks of a book with concurrent writes. */
const MAX_CHECKS = 20
/** A fault is reported if so many checks in a row find it, without a write of the book in between. */
const CHECKS = 2

/**
 * Compares the reserved amount of every book (balance minus available) with the pending operations of its account.
 * Concurrent writes cause no faults. Memory grows with the number of accounts with pending operations.
 */
export const verifyReserves = async (store: Store): Promise<Finding> => {
  const faults: string[] = []
  const sums = await sumsOf(store, null)
  let books = 0
  for await (const slice of scanSlices(store, ledgerAccounts)) {
    for (const book of slice) {
      if (reservedBy(book) === pendingIn(sums, book)) continue
      faults.push(...(await checkAgain(store, book.id)))
    }
    books += slice.length
  }
  return { area: 'reserves', figures: { books, 'under way': sums.size }, faults }
}

const reservedBy = ({ balanceCents, availableCents }: LedgerAccount): number => balanceCents - availableCents

/** Nothing is reserved on the card book. */
const pendingIn = (sums: ReadonlyMap<number, number>, { accountId, kind }: LedgerAccount): number =>
  kind === 'main' ? (sums.get(accountId) ?? 0) : 0

const sumsOf = async (store: Store, accountId: number | null): Promise<ReadonlyMap<number, number>> => {
  const sums = new Map<number, number>()
  for (const add of RESERVES) await add(sums, store, accountId)
  return sums
}

const checkAgain = async (store: Store, id: string): Promise<readonly string[]> => {
  let wrong = 0
  for (let check = 0; check < MAX_CHECKS && wrong < CHECKS; check += 1) {
    const before = await store.find(byId(ledgerAccounts, id))
    if (!before) return []
    const reserved = pendingIn(await sumsOf(store, before.accountId), before)
    if (reservedBy(before) === reserved) return []
    const after = await store.find(byId(ledgerAccounts, id))
    const isStill = after?.seq === before.seq && after.availableCents === before.availableCents
    wrong = isStill ? wrong + 1 : 0
    if (wrong === CHECKS) return [`book ${id} has ${reservedBy(before)} reserved, and ${reserved} is pending`]
  }
  return []
}

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

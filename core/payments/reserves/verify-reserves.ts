import { always, type Collection, eq, type Field, type Rec } from '../../kernel/records/record.ts'
import { type Finding, scanSlices } from '../../kernel/running/verify.ts'
import { byId, type Store } from '../../ports/store.ts'
import { charges } from '../charges/charge.ts'
import { refunds } from '../charges/refund-records.ts'
import { type LedgerAccount, ledgerAccounts } from '../ledger/ledger.ts'
import { transfers } from '../transfers/transfer.ts'
import { withdrawals } from '../withdrawals/withdrawal.ts'

/** A source of reserves: amounts that are not available before they are posted or released. */
interface Reserving {
  /** The reserves of every account, or of one. */
  reserved(store: Store, accountId: number | null): AsyncIterable<Reserved>
}

interface Reserved {
  readonly accountId: number
  readonly cents: number
}

/** The reserves of a collection: `centsOf` returns the reserved amount of a record, or 0. */
const reservingOf = <R extends Rec & { readonly accountId: number }>(
  from: Collection<R>,
  centsOf: (record: R) => number,
): Reserving => ({
  async *reserved(store, accountId) {
    const where = accountId === null ? always : eq<Field<R>>('accountId', accountId)
    for await (const record of store.scan(from, where)) {
      const cents = centsOf(record)
      if (cents !== 0) yield { accountId: record.accountId, cents }
    }
  },
})

/** The reserves: issue fees of boletos that the bank is registering, pending refunds, withdrawals and transfers. */
const RESERVING: readonly Reserving[] = [
  reservingOf(charges, ({ issueFee }) => (issueFee?.state === 'reserved' ? issueFee.cents : 0)),
  reservingOf(refunds, ({ status, valueCents }) => (status === 'pending' ? valueCents : 0)),
  reservingOf(withdrawals, ({ status, valueCents, feeCents }) =>
    status === 'pending' ? (valueCents ?? 0) + feeCents : 0,
  ),
  reservingOf(transfers, ({ status, valueCents }) => (status === 'pending' ? valueCents : 0)),
]

/** The limit of checks of a book that is written meanwhile. */
const MOST_LOOKS = 20
/** A fault must be found this often in a row without a write in between. */
const LOOKS = 2

/**
 * Compares the reserved amount of every book (balance minus available) with the pending operations of its account. Concurrent
 * writes are no fault. Memory grows with the number of accounts with pending operations.
 */
export const verifyReserves = async (store: Store): Promise<Finding> => {
  const faults: string[] = []
  const sums = await sumsOf(store, null)
  let books = 0
  for await (const slice of scanSlices(store, ledgerAccounts)) {
    for (const book of slice) {
      if (keptBy(book) === reservedIn(sums, book)) continue
      faults.push(...(await lookAgain(store, book.id)))
    }
    books += slice.length
  }
  return { area: 'reserves', figures: { books, 'under way': sums.size }, faults }
}

const keptBy = ({ balanceCents, availableCents }: LedgerAccount): number => balanceCents - availableCents

/** Nothing is reserved on the card book. */
const reservedIn = (sums: ReadonlyMap<number, number>, { accountId, kind }: LedgerAccount): number =>
  kind === 'main' ? (sums.get(accountId) ?? 0) : 0

const sumsOf = async (store: Store, accountId: number | null): Promise<ReadonlyMap<number, number>> => {
  const sums = new Map<number, number>()
  for (const each of RESERVING)
    for await (const { accountId: id, cents } of each.reserved(store, accountId))
      sums.set(id, (sums.get(id) ?? 0) + cents)
  return sums
}

const lookAgain = async (store: Store, id: string): Promise<readonly string[]> => {
  let wrong = 0
  for (let look = 0; look < MOST_LOOKS && wrong < LOOKS; look += 1) {
    const before = await store.find(byId(ledgerAccounts, id))
    if (!before) return []
    const reserved = reservedIn(await sumsOf(store, before.accountId), before)
    if (keptBy(before) === reserved) return []
    const after = await store.find(byId(ledgerAccounts, id))
    const isStill = after?.seq === before.seq && after.availableCents === before.availableCents
    wrong = isStill ? wrong + 1 : 0
    if (wrong === LOOKS) return [`book ${id} has ${keptBy(before)} reserved, and ${reserved} is pending`]
  }
  return []
}

import { all, eq, gt } from '../../kernel/records/record.ts'
import { type Finding, faultsIn, scanSlices, verifyTwice } from '../../kernel/running/verify.ts'
import { dayOf } from '../../kernel/values/day.ts'
import { sumBy } from '../../kernel/values/money.ts'
import { byId, type Find, listOf, type Store } from '../../ports/store.ts'
import {
  bookOf,
  CARD,
  type Entry,
  entries,
  type Journal,
  journals,
  type LedgerAccount,
  type Leg,
  ledgerAccountId,
  ledgerAccounts,
} from './ledger.ts'

const PAGE = 500

/** The sum of a book's entries so far. */
interface Sum {
  readonly entries: number
  readonly balanceCents: number
}

/** The state after the entries of an account so far, over both books. */
interface Progress {
  readonly seq: number
  readonly lastAt: string
  /** By book id. */
  readonly books: Readonly<Record<string, Sum>>
  /** The faults of the first wrong entry. */
  readonly faults: readonly string[]
  /** The number of wrong entries after the first. */
  readonly more: number
}

const NOTHING: Sum = { entries: 0, balanceCents: 0 }

/** Checks an entry against the entries before it, and returns the progress after it. */
export const checkEntry = ({ seq, lastAt, books, faults, more }: Progress, entry: Entry): Progress => {
  const at = `entry ${entry.id} of ${entry.book}`
  const before = books[entry.book] ?? NOTHING
  const sumCents = before.balanceCents + entry.valueCents
  const broken = faultsIn([
    [entry.seq !== seq + 1, `${at} has number ${entry.seq}, expected ${seq + 1}`],
    [entry.balanceCents !== sumCents, `${at} has balance ${entry.balanceCents}, expected ${sumCents}`],
    [
      entry.datetime < lastAt || entry.day !== dayOf(entry.datetime),
      `${at} is dated before the entry before it, or on another day than its time`,
    ],
    [entry.book.split(':')[0] !== `${entry.accountId}`, `${at} has account ${entry.accountId}`],
    [entry.direction !== (entry.valueCents < 0 ? 'out' : 'in'), `${at} has direction ${entry.direction}`],
    [(entry.status === CARD) !== entry.book.endsWith(':card'), `${at} has status ${entry.status}`],
  ])
  const isFirst = faults.length === 0
  return {
    // Later entries are compared with this entry as stored, so that a fault is reported once.
    seq: entry.seq,
    lastAt: entry.datetime,
    books: { ...books, [entry.book]: { entries: before.entries + 1, balanceCents: entry.balanceCents } },
    faults: isFirst ? broken : faults,
    more: more + (!isFirst && broken.length > 0 ? 1 : 0),
  }
}

export const ACCOUNT_START: Progress = { seq: 0, lastAt: '', books: {}, faults: [], more: 0 }

/** Checks the books of an account against its entries; the main book counts the entries of both books. */
export const checkLedgerAccounts = (books: readonly LedgerAccount[], progress: Progress): readonly string[] => [
  ...progress.faults,
  ...faultsIn([[progress.more > 0, `account ${books[0]?.accountId} has ${progress.more} more wrong entries`]]),
  ...books.flatMap(({ id, kind, seq, balanceCents }) => {
    const sum = progress.books[id] ?? NOTHING
    const last = kind === 'main' ? progress.seq : sum.entries
    return faultsIn([
      [seq !== last, `book ${id} counts ${seq} entries, and the last is ${last}`],
      [balanceCents !== sum.balanceCents, `book ${id} has ${balanceCents}, and its entries ${sum.balanceCents}`],
    ])
  }),
]

/** Returns the faults of a journal on its own. */
export const journalFaults = ({ id, accountId, legs }: Journal): readonly string[] =>
  faultsIn([
    [centsOf(legs) !== 0, `journal ${id} does not add up to zero`],
    [centsOf(legs.filter(isShare)) !== 0, `journal ${id} has shares that do not add up to zero`],
    [
      legs.some(({ book }) => !book.startsWith(`${accountId}:`) && !(book.endsWith(':main') && legs.some(isShare))),
      `journal ${id} has a leg of another account`,
    ],
  ])

const isShare = ({ book }: Leg): boolean => book.endsWith(':shares')

const centsOf = (legs: readonly Leg[]): number => sumBy(legs, ({ cents }) => cents)

/** Returns the legs that have an entry: those on `main` and `card` books, of other accounts too. */
const lineLegs = ({ legs }: Journal): readonly Leg[] => legs.filter(({ book }) => /:(main|card)$/.test(book))

const accountOf = ({ book }: Leg): number => Number(book.split(':')[0])

export const linesOf = (journal: Journal): readonly string[] =>
  lineLegs(journal).map(({ book, cents }) => `${book} ${cents}`)

/**
 * Checks every account entry by entry over its books, and every journal. An account is checked up to the number of
 * entries it had when it was read, so that concurrent postings cause no faults. Reports the first fault of each
 * account. Memory grows with the number of accounts, not of entries.
 */
export const verifyLedger = async (store: Store): Promise<Finding> => {
  const figures = { books: 0, entries: 0, journals: 0 }
  const faults: string[] = []
  const counted = new Map<number, number>()
  const lines = new Map<number, number>()
  for await (const slice of scanSlices(store, ledgerAccounts)) {
    for (const { accountId, kind, seq } of slice) {
      if (kind !== 'main') continue
      counted.set(accountId, seq)
      faults.push(...(await verifyTwice(() => checkAccount(store, accountId))).faults)
    }
    figures.books += slice.length
  }
  for await (const slice of scanSlices(store, entries)) {
    faults.push(...(await findUnfoundedEntries(store, slice)))
    figures.entries += slice.length
  }
  for await (const slice of scanSlices(store, journals)) {
    faults.push(...slice.flatMap(journalFaults))
    for (const leg of slice.flatMap(lineLegs)) lines.set(accountOf(leg), (lines.get(accountOf(leg)) ?? 0) + 1)
    figures.journals += slice.length
  }
  faults.push(...(await findUncountedLines(store, counted, lines)))
  return { area: 'ledger', figures, faults }
}

const checkAccount = async (store: Store, accountId: number): Promise<{ readonly faults: readonly string[] }> => {
  const { main, card } = await store.read({ main: bookOf(accountId), card: bookOf(accountId, 'card') })
  if (!main) return { faults: [`book ${ledgerAccountId(accountId, 'main')} does not exist`] }
  let progress = ACCOUNT_START
  for (;;) {
    const { records } = await store.list(
      listOf(entries, {
        where: all(eq('accountId', accountId), gt('seq', progress.seq)),
        sort: { by: 'seq', dir: 'asc' },
        limit: PAGE,
      }),
    )
    const known = records.filter(({ seq }) => seq <= main.seq)
    progress = known.reduce(checkEntry, progress)
    if (known.length < PAGE) return { faults: checkLedgerAccounts(card ? [main, card] : [main], progress) }
  }
}

/** Returns the accounts whose journals have more lines than there are entries now, or fewer than before the scan. */
const findUncountedLines = async (
  store: Store,
  counted: ReadonlyMap<number, number>,
  lines: ReadonlyMap<number, number>,
): Promise<readonly string[]> => {
  const faults: string[] = []
  for (const accountId of new Set([...counted.keys(), ...lines.keys()])) {
    const [countBefore, count] = [counted.get(accountId) ?? 0, lines.get(accountId) ?? 0]
    if (count === countBefore) continue
    const countNow = (await store.find(bookOf(accountId)))?.seq ?? 0
    if (count < countBefore || count > countNow)
      faults.push(`account ${accountId} has ${countNow} entries, and its journals ${count} lines`)
  }
  return faults
}

/** Returns the faults of entries that their book does not count or their journal does not contain. */
const findUnfoundedEntries = async (store: Store, slice: readonly Entry[]): Promise<readonly string[]> => {
  const queries: Record<string, Find<LedgerAccount> | Find<Journal>> = {}
  for (const { accountId, book, journalId } of slice) {
    const main = ledgerAccountId(accountId, 'main')
    queries[`b${book}`] = byId(ledgerAccounts, book)
    queries[`b${main}`] = byId(ledgerAccounts, main)
    queries[`j${journalId}`] = byId(journals, journalId)
  }
  const found: Readonly<Record<string, LedgerAccount | Journal | null>> = await store.read(queries)
  return slice.flatMap(({ id, accountId, book, journalId, valueCents, seq }) => {
    const mainBook = found[`b${ledgerAccountId(accountId, 'main')}`] as LedgerAccount | null | undefined
    const journal = found[`j${journalId}`] as Journal | null | undefined
    return faultsIn([
      [!found[`b${book}`] || !mainBook || mainBook.seq < seq, `entry ${id} is not counted by book ${book}`],
      [!journal || !linesOf(journal).includes(`${book} ${valueCents}`), `entry ${id} is not in journal ${journalId}`],
    ])
  })
}

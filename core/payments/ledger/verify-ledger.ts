import type { Field } from '../../kernel/records/collection.ts'
import { all, eq, gt } from '../../kernel/records/where.ts'
import { type Finding, lookTwice, slices } from '../../kernel/running/finding.ts'
import { dayOf } from '../../kernel/values/day.ts'
import { byId, type Find, listOf, type Store } from '../../ports/store.ts'
import { type Entry, entries } from './entry.ts'
import { type Journal, journals } from './journal.ts'
import { type LedgerAccount, ledgerAccounts } from './ledger-account.ts'

/** Entries that are read together. */
const A_PAGE = 500

/** How far a book was followed, entry by entry. */
interface Followed {
  readonly seq: number
  readonly balanceCents: number
  readonly lastAt: string
  readonly faults: readonly string[]
}

/** What an entry must be after those before it. */
export const followEntry = ({ seq, balanceCents, lastAt, faults }: Followed, entry: Entry): Followed => {
  const at = `entry ${entry.id} of ${entry.book}`
  const sumCents = balanceCents + entry.valueCents
  const wrong: readonly (readonly [boolean, string])[] = [
    [entry.seq !== seq + 1, `${at} has place ${entry.seq} and not ${seq + 1}`],
    [entry.balanceCents !== sumCents, `${at} has balance ${entry.balanceCents} and not ${sumCents}`],
    [entry.datetime < lastAt || entry.day !== dayOf(entry.datetime), `${at} runs backwards`],
    [entry.book.split(':')[0] !== `${entry.accountId}`, `${at} is of account ${entry.accountId}`],
    [entry.direction !== (entry.valueCents < 0 ? 'out' : 'in'), `${at} goes ${entry.direction}`],
  ]
  return {
    // What comes after is compared with the entry as it stands, so that one fault is told once.
    seq: entry.seq,
    balanceCents: entry.balanceCents,
    lastAt: entry.datetime,
    faults: [...faults, ...told(wrong)],
  }
}

export const BOOK_START: Followed = { seq: 0, balanceCents: 0, lastAt: '', faults: [] }

/** What a book must be after its last entry. */
export const closeLedgerAccount = ({ id, seq, balanceCents }: LedgerAccount, followed: Followed): readonly string[] => [
  ...followed.faults,
  ...told([
    [seq !== followed.seq, `book ${id} counts ${seq} entries, and the last is ${followed.seq}`],
    [
      balanceCents !== followed.balanceCents,
      `book ${id} has ${balanceCents}, and its entries ${followed.balanceCents}`,
    ],
  ]),
]

/** What is wrong with a journal by itself. */
export const journalFaults = ({ id, accountId, legs }: Journal): readonly string[] =>
  told([
    [legs.reduce((sum, { cents }) => sum + cents, 0) !== 0, `journal ${id} does not add up to zero`],
    [legs.some(({ book }) => !book.startsWith(`${accountId}:`)), `journal ${id} has a leg of another account`],
  ])

/** The legs of a journal on books that are kept line by line, each of which is an entry. */
export const linesOf = ({ accountId, legs }: Journal): readonly string[] =>
  legs
    .filter(({ book }) => book === `${accountId}:main` || book === `${accountId}:card`)
    .map(({ book, cents }) => `${book} ${cents}`)

/**
 * Follows every book entry by entry and adds up every journal. A book is followed as far as it counted when it was read,
 * so that what is posted meanwhile is no fault. Memory does not grow with the records.
 * Source: decisions.md §4.
 */
export const verifyLedger = async (store: Store): Promise<Finding> => {
  const figures = { books: 0, entries: 0, journals: 0 }
  const faults: string[] = []
  for await (const slice of slices(store, ledgerAccounts)) {
    for (const { id } of slice) faults.push(...(await lookTwice(() => followBook(store, id))).faults)
    figures.books += slice.length
  }
  for await (const slice of slices(store, entries)) {
    faults.push(...(await unfounded(store, slice)))
    figures.entries += slice.length
  }
  for await (const slice of slices(store, journals)) {
    faults.push(...slice.flatMap(journalFaults))
    figures.journals += slice.length
  }
  return { area: 'ledger', figures, faults }
}

const followBook = async (store: Store, id: string): Promise<{ readonly faults: readonly string[] }> => {
  const book = await store.find(byId(ledgerAccounts, id))
  if (!book) return { faults: [`book ${id} is gone`] }
  let followed = BOOK_START
  for (;;) {
    const { records } = await store.list(
      listOf(entries, {
        where: all(eq<Field<Entry>>('accountId', book.accountId), eq('book', id), gt('seq', followed.seq)),
        sort: { by: 'seq', dir: 'asc' },
        limit: A_PAGE,
      }),
    )
    const known = records.filter(({ seq }) => seq <= book.seq)
    followed = known.reduce(followEntry, followed)
    if (known.length < A_PAGE) return { faults: closeLedgerAccount(book, followed) }
  }
}

/** Entries whose book or journal does not know them. */
const unfounded = async (store: Store, slice: readonly Entry[]): Promise<readonly string[]> => {
  const asks: Record<string, Find<LedgerAccount> | Find<Journal>> = {}
  for (const { book, journalId } of slice) {
    asks[`b${book}`] = byId(ledgerAccounts, book)
    asks[`j${journalId}`] = byId(journals, journalId)
  }
  const found: Readonly<Record<string, LedgerAccount | Journal | null>> = await store.read(asks)
  return slice.flatMap(({ id, book, journalId, valueCents, seq }) => {
    const known = found[`b${book}`] as LedgerAccount | null | undefined
    const journal = found[`j${journalId}`] as Journal | null | undefined
    return told([
      [!known || known.seq < seq, `entry ${id} is in no place of book ${book}`],
      [
        !journal || !linesOf(journal).includes(`${book} ${valueCents}`),
        `entry ${id} is no line of journal ${journalId}`,
      ],
    ])
  })
}

const told = (rows: readonly (readonly [isWrong: boolean, words: string])[]): string[] =>
  rows.flatMap(([isWrong, words]) => (isWrong ? [words] : []))

import { type Either, left, right } from '../../fp.ts'
import type { Change } from '../../kernel/records/change.ts'
import { all, eq, gt, gte } from '../../kernel/records/where.ts'
import { MAX_BANK_CALLS } from '../../limits.ts'
import type { BankAnswer, Movement, Movements } from '../../ports/bank.ts'
import { byId, type Find, listOf, type Store } from '../../ports/store.ts'
import { type Entry, entries } from '../ledger/entry.ts'
import { type LedgerAccount, ledgerAccounts } from '../ledger/ledger-account.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { causesOf, UNREADABLE } from './compare-listed.ts'
import { isAtBank } from './ledger-movement.ts'
import { listedMovements } from './records.ts'
import { kept, listedId, type Place, type Run } from './run.ts'

const LINES_A_SLICE = 200
const BOOKS_A_SLICE = 100

/** What a slice comes to; the outcome of the bank where it did not answer. */
export type SliceOutcome = Either<'unanswered', { readonly changes: readonly Change[]; readonly next: Place | null }>

/** A line of the day, and what it is of. */
interface OfBank {
  readonly entry: Entry
  readonly movement: Pick<Movement, 'kind' | 'id'>
}

/**
 * What the bank has not of a slice of the day's lines. What it did not list for the day (a Pix before midnight is posted after it) it is
 * asked for by itself.
 */
export const compareLedger = async (
  ports: PaymentsPorts,
  bank: Movements,
  run: Run,
  place: Extract<Place, { phase: 'ledger' }>,
): Promise<SliceOutcome> => {
  const { lines, next } = await sliceOf(ports.store, run, place)
  const unlisted = await unlistedOf(ports.store, bank, run, lines)
  const changes: Change[] = []
  for (let at = 0; at < unlisted.length; at += MAX_BANK_CALLS) {
    const some = unlisted.slice(at, at + MAX_BANK_CALLS)
    const answers = await Promise.all(some.map((each) => ask(bank, each)))
    for (const [which, answer] of answers.entries()) {
      const line = some[which]
      if (!line) return left('unanswered')
      if (answer.outcome === 'unknown' && answer.unreadable) {
        changes.push(kept(run, { ...extra(line), ...UNREADABLE }, ports.clock.steady()))
        continue
      }
      if (answer.outcome !== 'done') return left('unanswered')
      if (answer.value === null) changes.push(kept(run, extra(line), ports.clock.steady()))
    }
  }
  return right({ changes, next })
}

const ask = (bank: Movements, { entry, movement }: OfBank): Promise<BankAnswer<Movement | null>> =>
  bank.findMovement({ ...movement, endToEndId: entry.endToEnd ?? movement.id })

const extra = ({ entry, movement }: OfBank) => ({
  what: 'extra' as const,
  kind: movement.kind,
  movementId: movement.id,
  accountId: entry.accountId,
  bankCents: null,
  bankTxid: null,
  ledgerCents: Math.abs(entry.valueCents),
  ledgerTxid: entry.txid,
})

/** Lines of the day from a place on: of one book, then of those after it. */
const sliceOf = async (store: Store, { day }: Run, { bookId, seq }: Extract<Place, { phase: 'ledger' }>) => {
  const { records: books } = await store.list(
    listOf(ledgerAccounts, {
      where: all<keyof LedgerAccount & string>(gte('id', bookId), eq('kind', 'main'), gte('lastDay', day)),
      sort: { by: 'id', dir: 'asc' },
      limit: BOOKS_A_SLICE,
    }),
  )
  const lines: Entry[] = []
  for (const book of books) {
    const { records } = await store.list(
      listOf(entries, {
        where: all<keyof Entry & string>(
          eq('accountId', book.accountId),
          eq('book', book.id),
          eq('day', day),
          gt('seq', book.id === bookId ? seq : 0),
        ),
        sort: { by: 'seq', dir: 'asc' },
        limit: LINES_A_SLICE,
      }),
    )
    lines.push(...records.filter(isAtBank))
    const last = records.at(-1)
    // A book that has more goes on where this slice ends; one that is done is not looked at again.
    if (records.length === LINES_A_SLICE && last)
      return { lines, next: { phase: 'ledger', bookId: book.id, seq: last.seq } as const }
    if (lines.length >= LINES_A_SLICE) return { lines, next: after(book) }
  }
  const last = books.at(-1)
  return { lines, next: last && books.length === BOOKS_A_SLICE ? after(last) : null }
}

const after = ({ id, seq }: LedgerAccount): Place => ({ phase: 'ledger', bookId: id, seq })

/** The lines that the bank can tell of and did not list. */
const unlistedOf = async (
  store: Store,
  { kinds }: Movements,
  run: Run,
  lines: readonly Entry[],
): Promise<readonly OfBank[]> => {
  const causes = await causesOf(store, lines)
  const told = lines.flatMap((entry): OfBank[] => {
    const movement = causes(entry)
    return movement && kinds.includes(movement.kind) ? [{ entry, movement }] : []
  })
  const asks: Record<string, Find<{ id: string; expiresAt: string }>> = {}
  for (const { movement } of told) asks[listedId(run, movement)] = byId(listedMovements, listedId(run, movement))
  const found: Readonly<Record<string, unknown>> = await store.read(asks)
  return told.filter(({ movement }) => found[listedId(run, movement)] === null)
}

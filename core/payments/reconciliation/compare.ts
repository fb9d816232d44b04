import { type Either, left, right } from '../../failure.ts'
import { all, type Change, eq, gt, gte } from '../../kernel/records/record.ts'
import { addDays, startOfDay } from '../../kernel/values/day.ts'
import { MAX_BANK_CALLS } from '../../limits.ts'
import type { BankAnswer, Movement, MovementKind, MovementPage, Movements } from '../../ports/bank.ts'
import { byId, byKey, type List, listAll, listOf, type Store } from '../../ports/store.ts'
import { findByTitle } from '../charges/detail.ts'
import { accountOf } from '../charges/received-pix.ts'
import { refunds } from '../charges/refund-records.ts'
import {
  type Entry,
  entries,
  type Journal,
  journals,
  type LedgerAccount,
  ledgerAccounts,
  MAX_POSTED,
  PAYMENT_TYPE_IDS,
  PIX_OUT,
  PIX_REFUND,
  postedPayments,
  TRANSFER_OUT,
} from '../ledger/ledger.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { transfers } from '../transfers/transfer.ts'
import { withdrawals } from '../withdrawals/withdrawal.ts'
import {
  FIRST_BOOK_POSITION,
  listedId,
  listedMovements,
  type NewDifference,
  type Position,
  type Run,
  recordDifference,
  rememberListed,
} from './records.ts'

/** Compares one slice of a day and returns the position of the next one. The caller commits the changes. */
export const compareSlice = async (
  ports: PaymentsPorts,
  bank: Movements,
  run: Run,
  position: Position,
): Promise<SliceOutcome> => {
  if (position.phase === 'ledger') return compareLedger(ports, bank, run, position)
  const [from, to] = [startOfDay(run.day), startOfDay(addDays(run.day, 1))]
  const page = await bank.list({ from, to, cursor: position.page })
  if (page.outcome !== 'done') return left('unanswered')
  const { next } = page.value
  const changes = await compareListed(ports, run, page.value)
  return right({ changes, next: next === null ? FIRST_BOOK_POSITION : { phase: 'bank', page: next } })
}

/** Compares a page of the bank's list with the ledger: finds movements that are missing, different or unreadable. */
const compareListed = async (
  ports: PaymentsPorts,
  run: Run,
  { movements, unreadable = [] }: Pick<MovementPage, 'movements' | 'unreadable'>,
): Promise<readonly Change[]> => {
  const steady = ports.clock.steady()
  const posted = await readPosted(ports.store, movements)
  const changes: Change[] = []
  for (const movement of movements) {
    const found = await differenceOf(ports, movement, posted(movement))
    changes.push(rememberListed(run, movement, steady), ...(found ? [recordDifference(run, found, steady)] : []))
  }
  for (const movement of unreadable) {
    const found = { ...UNREADABLE, accountId: await findOwner(ports, movement), bankTxid: movement.txid }
    changes.push(rememberListed(run, movement, steady), recordDifference(run, { ...found, ...keyOf(movement) }, steady))
  }
  return changes
}

const UNREADABLE = { what: 'unreadable', bankCents: null, bankTxid: null, ledgerCents: null, ledgerTxid: null } as const

const keyOf = ({ kind, id: movementId }: Pick<Movement, 'kind' | 'id'>) => ({ kind, movementId })

/** Reads the entries of each movement; their journals tell them from others with the same end-to-end id. */
const readPosted = async (store: Store, movements: readonly Movement[]) => {
  const queries = movements.map(({ endToEndId }) => [endToEndId, entriesOf(endToEndId)] as const)
  const first = await store.read(Object.fromEntries(queries))
  const lines = new Map(
    await Promise.all(
      Object.entries(first).map(async ([endToEndId, { records }]) => {
        // A Pix may have hundreds of refunds, each with an entry of its own.
        const isWhole = records.length < MAX_POSTED
        return [endToEndId, isWhole ? records : await listAll(store, entriesOf(endToEndId))] as const
      }),
    ),
  )
  const causes = await movementsOf(store, [...lines.values()].flat())
  return ({ kind, id, endToEndId }: Movement): readonly Entry[] =>
    (lines.get(endToEndId) ?? []).filter((entry) => {
      const of = causes(entry)
      return of?.kind === kind && of.id === id
    })
}

const entriesOf = (endToEndId: string): List<Entry> => postedPayments(endToEndId, BANK_TYPE_IDS)

/** Reads the movement of each entry from its journal. */
const movementsOf = async (store: Store, lines: readonly Entry[]) => {
  const queries = lines.map(({ journalId }) => [journalId, byId(journals, journalId)] as const)
  const found = await store.read(Object.fromEntries(queries))
  return ({ journalId }: Entry) => {
    const journal = found[journalId]
    return journal ? movementIn(journal) : null
  }
}

const differenceOf = async (
  ports: PaymentsPorts,
  movement: Movement,
  posted: readonly Entry[],
): Promise<NewDifference | null> => {
  const { txid: bankTxid, valueCents: bankCents } = movement
  const at = { ...keyOf(movement), bankTxid, bankCents }
  // Several accounts may use one nosso número: the entry of the same title comes first.
  const line = posted.find(({ txid }) => txid === bankTxid) ?? posted.find((each) => isSameTitle(movement, each))
  if (!line) {
    const accountId = await findOwner(ports, movement)
    return { ...at, what: 'missing', accountId, ledgerCents: null, ledgerTxid: null }
  }
  const { accountId, txid: ledgerTxid } = line
  const ledgerCents = Math.abs(line.valueCents)
  const isSame = ledgerCents === bankCents && (bankTxid === null || ledgerTxid === null || bankTxid === ledgerTxid)
  return isSame ? null : { ...at, what: 'different', accountId, ledgerCents, ledgerTxid }
}

/** A nosso número is unique in an account only: a boleto with another title is another one. */
const isSameTitle = ({ kind, txid }: Movement, entry: Entry): boolean =>
  kind !== 'boleto' || txid === null || entry.txid === null

/** Finds the account of a movement that the ledger lacks, by order, title, Pix key or open code; null if unknown. */
const findOwner = async (
  ports: PaymentsPorts,
  movement: Pick<Movement, 'kind' | 'id' | 'txid' | 'pixKey'>,
): Promise<number | null> => {
  const { kind, id, txid, pixKey } = movement
  if (kind === 'pay-out' || kind === 'refund') return findPayer(ports.store, id)
  const title = txid === null ? null : await findByTitle(ports, txid)
  if (title) return title.charge.accountId
  if (pixKey === null) return null
  return (await accountOf(ports.store, { pixKey, txid }))?.id ?? null
}

/** Finds the paying account by our own id at the bank: an order without an answer has no entry yet. */
const findPayer = async (store: Store, id: string): Promise<number | null> => {
  const { withdrawal, transfer, refund } = await store.read({
    withdrawal: byKey(withdrawals, 'txid', id),
    transfer: byId(transfers, id),
    refund: byId(refunds, id),
  })
  return (withdrawal ?? transfer ?? refund)?.accountId ?? null
}

const ENTRIES_PER_SLICE = 200
const BOOKS_PER_SLICE = 100

/** The result of a slice; left if the bank did not answer. */
export type SliceOutcome = Either<'unanswered', { readonly changes: readonly Change[]; readonly next: Position | null }>

/** An entry of the day, with its movement. */
interface BankEntry {
  readonly entry: Entry
  readonly movement: Pick<Movement, 'kind' | 'id'>
}

/**
 * Finds entries of the day that the bank lacks. A movement that the bank did not list for the day is requested by its
 * id: a Pix before midnight may be posted after it.
 */
const compareLedger = async (
  ports: PaymentsPorts,
  bank: Movements,
  run: Run,
  place: Extract<Position, { phase: 'ledger' }>,
): Promise<SliceOutcome> => {
  const { lines, next } = await readEntries(ports.store, run, place)
  const unlisted = await findUnlisted(ports.store, bank, run, lines)
  const changes: Change[] = []
  for (let at = 0; at < unlisted.length; at += MAX_BANK_CALLS) {
    const some = unlisted.slice(at, at + MAX_BANK_CALLS)
    const answers = await Promise.all(some.map((each) => findAtBank(bank, each)))
    for (const [which, answer] of answers.entries()) {
      const line = some[which]
      if (!line) return left('unanswered')
      if (answer.outcome === 'unknown' && answer.unreadable) {
        changes.push(recordDifference(run, { ...extraEntry(line), ...UNREADABLE }, ports.clock.steady()))
        continue
      }
      if (answer.outcome !== 'done') return left('unanswered')
      if (answer.value === null) changes.push(recordDifference(run, extraEntry(line), ports.clock.steady()))
    }
  }
  return right({ changes, next })
}

const findAtBank = (bank: Movements, { entry, movement }: BankEntry): Promise<BankAnswer<Movement | null>> =>
  bank.findMovement({ ...movement, endToEndId: entry.endToEnd ?? movement.id })

const extraEntry = ({ entry, movement }: BankEntry) => ({
  what: 'extra' as const,
  ...keyOf(movement),
  accountId: entry.accountId,
  bankCents: null,
  bankTxid: null,
  ledgerCents: Math.abs(entry.valueCents),
  ledgerTxid: entry.txid,
})

/** Reads the entries of the day from a position on: of one book, then of the next books. */
const readEntries = async (store: Store, { day }: Run, { bookId, seq }: Extract<Position, { phase: 'ledger' }>) => {
  const { records: books } = await store.list(
    listOf(ledgerAccounts, {
      where: all(gte('id', bookId), eq('kind', 'main'), gte('lastDay', day)),
      sort: { by: 'id', dir: 'asc' },
      limit: BOOKS_PER_SLICE,
    }),
  )
  const lines: Entry[] = []
  for (const book of books) {
    const { records } = await store.list(
      listOf(entries, {
        where: all(
          eq('accountId', book.accountId),
          eq('book', book.id),
          eq('day', day),
          gt('seq', book.id === bookId ? seq : 0),
        ),
        sort: { by: 'seq', dir: 'asc' },
        limit: ENTRIES_PER_SLICE,
      }),
    )
    lines.push(...records.filter(isAtBank))
    const last = records.at(-1)
    if (records.length === ENTRIES_PER_SLICE && last)
      return { lines, next: { phase: 'ledger', bookId: book.id, seq: last.seq } as const }
    if (lines.length >= ENTRIES_PER_SLICE) return { lines, next: endOfBook(book) }
  }
  const last = books.at(-1)
  return { lines, next: last && books.length === BOOKS_PER_SLICE ? endOfBook(last) : null }
}

const endOfBook = ({ id, seq }: LedgerAccount): Position => ({ phase: 'ledger', bookId: id, seq })

/** Returns the entries whose movement the bank can report and did not list. */
const findUnlisted = async (
  store: Store,
  { kinds }: Movements,
  run: Run,
  lines: readonly Entry[],
): Promise<readonly BankEntry[]> => {
  const causes = await movementsOf(store, lines)
  const reported = lines.flatMap((entry): BankEntry[] => {
    const movement = causes(entry)
    return movement && kinds.includes(movement.kind) ? [{ entry, movement }] : []
  })
  const ids = reported.map(({ movement }) => listedId(run, movement))
  const found = await store.read(Object.fromEntries(ids.map((id) => [id, byId(listedMovements, id)] as const)))
  return reported.filter(({ movement }) => found[listedId(run, movement)] === null)
}

/** The kind of movement at the bank, by the prefix of a journal's cause. */
const KINDS: Readonly<Record<string, MovementKind>> = {
  'pix-in': 'pix',
  'boleto-in': 'boleto',
  'pix-refund': 'refund',
  'pix-out': 'pay-out',
  // The receiving account has an entry of its own.
  'transfer-out': 'pay-out',
}

/** The types of entries with a movement at the bank: fees, and postings between accounts here, have none. */
const BANK_TYPE_IDS: readonly number[] = [...PAYMENT_TYPE_IDS, PIX_REFUND.id, PIX_OUT.id, TRANSFER_OUT.id]

const isAtBank = ({ typeId }: Pick<Entry, 'typeId'>): boolean => BANK_TYPE_IDS.includes(typeId)

/** Returns the movement of a journal; null if it has none at the bank. */
const movementIn = ({ cause }: Pick<Journal, 'cause'>): Pick<Movement, 'kind' | 'id'> | null => {
  const colon = cause.indexOf(':')
  const kind = KINDS[cause.slice(0, Math.max(colon, 0))]
  return kind === undefined ? null : { kind, id: cause.slice(colon + 1) }
}

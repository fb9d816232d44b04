import { type Either, left, right } from '../../fp.ts'
import type { Change } from '../../kernel/records/change.ts'
import { all, eq, gt, gte, isIn } from '../../kernel/records/where.ts'
import { MAX_BANK_CALLS } from '../../limits.ts'
import type {
  BankAnswer,
  Movement,
  MovementKind,
  MovementPage,
  Movements,
  UnreadableMovement,
} from '../../ports/bank.ts'
import { byId, byKey, type Find, type List, type Listed, listAll, listOf, type Store } from '../../ports/store.ts'
import { findByTitle } from '../charges/detail.ts'
import { accountOf, PAYMENT_TYPE_IDS } from '../charges/payment.ts'
import { refunds } from '../charges/refund-records.ts'
import { type Entry, entries, type Journal, journals, type LedgerAccount, ledgerAccounts } from '../ledger/ledger.ts'
import { PIX_OUT, PIX_REFUND, TRANSFER_OUT } from '../ledger/transaction-type.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { transfers } from '../transfers/transfer.ts'
import { withdrawals } from '../withdrawals/withdrawal.ts'
import {
  listedId,
  listedMovements,
  type NewDifference,
  type Position,
  type Run,
  recordDifference,
  rememberListed,
} from './records.ts'

/** Lines of one bank's id that are read at once: a payment has one, and its refunds. */
const MOST_LINES = 200

/** Compares a page of the bank's list with the ledger: movements that are missing there, different, or cannot be read. */
export const compareListed = async (
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

/** Neither side's amount is compared. */
export const UNREADABLE = {
  what: 'unreadable',
  bankCents: null,
  bankTxid: null,
  ledgerCents: null,
  ledgerTxid: null,
} as const

const keyOf = ({ kind, id: movementId }: UnreadableMovement) => ({ kind, movementId })

/** The lines that are of each movement: by their own journals, whatever else has the same id at the bank. */
const readPosted = async (store: Store, movements: readonly Movement[]) => {
  const asks: Record<string, List<Entry>> = {}
  for (const { endToEndId } of movements) asks[endToEndId] = entriesOf(endToEndId)
  const first: Readonly<Record<string, Listed<Entry>>> = await store.read(asks)
  const lines = new Map(
    await Promise.all(
      Object.entries(first).map(async ([endToEndId, { records }]) => {
        // A Pix may be given back in hundreds of parts, each of them a line.
        const isWhole = records.length < MOST_LINES
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

const entriesOf = (endToEndId: string): List<Entry> =>
  listOf(entries, {
    where: all<keyof Entry & string>(eq('endToEnd', endToEndId), isIn('typeId', BANK_TYPE_IDS)),
    sort: { by: 'seq', dir: 'asc' },
    limit: MOST_LINES,
  })

/** What each line is of, by its journal. */
export const movementsOf = async (store: Store, lines: readonly Entry[]) => {
  const asks: Record<string, Find<Journal>> = {}
  for (const { journalId } of lines) asks[journalId] = byId(journals, journalId)
  const found: Readonly<Record<string, Journal | null>> = await store.read(asks)
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
  const { kind, id: movementId, txid: bankTxid, valueCents: bankCents } = movement
  const at = { kind, movementId, bankTxid, bankCents }
  // Of a nosso número that several accounts have, the one of its title.
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

/** A boleto's number is its account's own: of another title it is another boleto. */
const isSameTitle = ({ kind, txid }: Movement, entry: Entry): boolean =>
  kind !== 'boleto' || txid === null || entry.txid === null

/**
 * Whose money it is that the ledger does not have: by what we ordered ourselves, by its title, its key or the open code; null
 * where nobody knows.
 */
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

/** Who had money leave, by our own id at the bank: what it has not answered yet is in no line. */
const findPayer = async (store: Store, id: string): Promise<number | null> => {
  const { withdrawal, transfer, refund } = await store.read({
    withdrawal: byKey(withdrawals, 'txid', id),
    transfer: byId(transfers, id),
    refund: byId(refunds, id),
  })
  return (withdrawal ?? transfer ?? refund)?.accountId ?? null
}

const LINES_A_SLICE = 200
const BOOKS_A_SLICE = 100

/** What a slice comes to; the outcome of the bank where it did not answer. */
export type SliceOutcome = Either<'unanswered', { readonly changes: readonly Change[]; readonly next: Position | null }>

/** A line of the day, and what it is of. */
interface BankEntry {
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
  kind: movement.kind,
  movementId: movement.id,
  accountId: entry.accountId,
  bankCents: null,
  bankTxid: null,
  ledgerCents: Math.abs(entry.valueCents),
  ledgerTxid: entry.txid,
})

/** Lines of the day from a place on: of one book, then of those after it. */
const readEntries = async (store: Store, { day }: Run, { bookId, seq }: Extract<Position, { phase: 'ledger' }>) => {
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
    if (lines.length >= LINES_A_SLICE) return { lines, next: endOfBook(book) }
  }
  const last = books.at(-1)
  return { lines, next: last && books.length === BOOKS_A_SLICE ? endOfBook(last) : null }
}

const endOfBook = ({ id, seq }: LedgerAccount): Position => ({ phase: 'ledger', bookId: id, seq })

/** The lines that the bank can tell of and did not list. */
const findUnlisted = async (
  store: Store,
  { kinds }: Movements,
  run: Run,
  lines: readonly Entry[],
): Promise<readonly BankEntry[]> => {
  const causes = await movementsOf(store, lines)
  const told = lines.flatMap((entry): BankEntry[] => {
    const movement = causes(entry)
    return movement && kinds.includes(movement.kind) ? [{ entry, movement }] : []
  })
  const asks: Record<string, Find<{ id: string; expiresAt: string }>> = {}
  for (const { movement } of told) asks[listedId(run, movement)] = byId(listedMovements, listedId(run, movement))
  const found: Readonly<Record<string, unknown>> = await store.read(asks)
  return told.filter(({ movement }) => found[listedId(run, movement)] === null)
}

/** What a journal is caused by, and what moved at the bank then. */
const KINDS: Readonly<Record<string, MovementKind>> = {
  'pix-in': 'pix',
  'boleto-in': 'boleto',
  'pix-refund': 'refund',
  'pix-out': 'pay-out',
  // Its other end is a line of the account that receives it.
  'transfer-out': 'pay-out',
}

/** The lines behind which money moved at the bank; fees and what stays between accounts of ours are none. */
export const BANK_TYPE_IDS: readonly number[] = [...PAYMENT_TYPE_IDS, PIX_REFUND.id, PIX_OUT.id, TRANSFER_OUT.id]

export const isAtBank = ({ typeId }: Pick<Entry, 'typeId'>): boolean => BANK_TYPE_IDS.includes(typeId)

/** The movement that a journal says it is of; null of any other. */
export const movementIn = ({ cause }: Pick<Journal, 'cause'>): Pick<Movement, 'kind' | 'id'> | null => {
  const colon = cause.indexOf(':')
  const kind = KINDS[cause.slice(0, Math.max(colon, 0))]
  return kind === undefined ? null : { kind, id: cause.slice(colon + 1) }
}

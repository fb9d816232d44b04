import type { Change } from '../../kernel/records/change.ts'
import { all, eq, isIn } from '../../kernel/records/where.ts'
import type { Movement, MovementPage, UnreadableMovement } from '../../ports/bank.ts'
import { byId, byKey, type Find, type List, type Listed, listAll, listOf, type Store } from '../../ports/store.ts'
import { accountOf } from '../charges/payment/receive-pix.ts'
import { refunds } from '../charges/refunds/refund.ts'
import { findByTitle } from '../charges/titles/other-title.ts'
import { type Entry, entries } from '../ledger/entry.ts'
import { type Journal, journals } from '../ledger/journal.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { transfers } from '../transfers/transfer.ts'
import { withdrawals } from '../withdrawals/withdrawal.ts'
import { BANK_TYPE_IDS, movementIn } from './ledger-movement.ts'
import { type Found, kept, listed, type Run } from './run.ts'

/** Lines of one bank's id that are read at once: a payment has one, and its refunds. */
const MOST_LINES = 200

/** Compares a page of the bank's list with the ledger: movements that are missing there, different, or cannot be read. */
export const compareListed = async (
  ports: PaymentsPorts,
  run: Run,
  { movements, unreadable = [] }: Pick<MovementPage, 'movements' | 'unreadable'>,
): Promise<readonly Change[]> => {
  const steady = ports.clock.steady()
  const posted = await postedFor(ports.store, movements)
  const changes: Change[] = []
  for (const movement of movements) {
    const found = await differenceOf(ports, movement, posted(movement))
    changes.push(listed(run, movement, steady), ...(found ? [kept(run, found, steady)] : []))
  }
  for (const movement of unreadable) {
    const found = { ...UNREADABLE, accountId: await ownerOf(ports, movement), bankTxid: movement.txid }
    changes.push(listed(run, movement, steady), kept(run, { ...found, ...keyOf(movement) }, steady))
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
const postedFor = async (store: Store, movements: readonly Movement[]) => {
  const asks: Record<string, List<Entry>> = {}
  for (const { endToEndId } of movements) asks[endToEndId] = linesOf(endToEndId)
  const first: Readonly<Record<string, Listed<Entry>>> = await store.read(asks)
  const lines = new Map(
    await Promise.all(
      Object.entries(first).map(async ([endToEndId, { records }]) => {
        // A Pix may be given back in hundreds of parts, each of them a line.
        const isWhole = records.length < MOST_LINES
        return [endToEndId, isWhole ? records : await listAll(store, linesOf(endToEndId))] as const
      }),
    ),
  )
  const causes = await causesOf(store, [...lines.values()].flat())
  return ({ kind, id, endToEndId }: Movement): readonly Entry[] =>
    (lines.get(endToEndId) ?? []).filter((entry) => {
      const of = causes(entry)
      return of?.kind === kind && of.id === id
    })
}

const linesOf = (endToEndId: string): List<Entry> =>
  listOf(entries, {
    where: all<keyof Entry & string>(eq('endToEnd', endToEndId), isIn('typeId', BANK_TYPE_IDS)),
    sort: { by: 'seq', dir: 'asc' },
    limit: MOST_LINES,
  })

/** What each line is of, by its journal. */
export const causesOf = async (store: Store, lines: readonly Entry[]) => {
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
): Promise<Found | null> => {
  const { kind, id: movementId, txid: bankTxid, valueCents: bankCents } = movement
  const at = { kind, movementId, bankTxid, bankCents }
  // Of a nosso número that several accounts have, the one of its title.
  const line = posted.find(({ txid }) => txid === bankTxid) ?? posted.find((each) => isOf(movement, each))
  if (!line) {
    const accountId = await ownerOf(ports, movement)
    return { ...at, what: 'missing', accountId, ledgerCents: null, ledgerTxid: null }
  }
  const { accountId, txid: ledgerTxid } = line
  const ledgerCents = Math.abs(line.valueCents)
  const isSame = ledgerCents === bankCents && (bankTxid === null || ledgerTxid === null || bankTxid === ledgerTxid)
  return isSame ? null : { ...at, what: 'different', accountId, ledgerCents, ledgerTxid }
}

/** A boleto's number is its account's own: of another title it is another boleto. */
const isOf = ({ kind, txid }: Movement, entry: Entry): boolean =>
  kind !== 'boleto' || txid === null || entry.txid === null

/**
 * Whose money it is that the ledger does not have: by what we ordered ourselves, by its title, its key or the open code; null
 * where nobody knows.
 */
const ownerOf = async (
  ports: PaymentsPorts,
  movement: Pick<Movement, 'kind' | 'id' | 'txid' | 'pixKey'>,
): Promise<number | null> => {
  const { kind, id, txid, pixKey } = movement
  if (kind === 'pay-out' || kind === 'refund') return ordererOf(ports.store, id)
  const title = txid === null ? null : await findByTitle(ports, txid)
  if (title) return title.charge.accountId
  if (pixKey === null) return null
  return (await accountOf(ports.store, { pixKey, txid }))?.id ?? null
}

/** Who had money leave, by our own id at the bank: what it has not answered yet is in no line. */
const ordererOf = async (store: Store, id: string): Promise<number | null> => {
  const { withdrawal, transfer, refund } = await store.read({
    withdrawal: byKey(withdrawals, 'txid', id),
    transfer: byId(transfers, id),
    refund: byId(refunds, id),
  })
  return (withdrawal ?? transfer ?? refund)?.accountId ?? null
}

import { payments as bankPayments } from '../../../adapters/bank/fake/books.ts'
import { digest } from '../../../adapters/crypto/cipher.ts'
import { findings } from '../../../apps/audit/findings.ts'
import { payments } from '../../../apps/payments/app.ts'
import type { Collection } from '../../../core/kernel/records/collection.ts'
import type { Rec } from '../../../core/kernel/records/record.ts'
import { always } from '../../../core/kernel/records/where.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import { CHARGE_EVENTS } from '../../../core/payments/charges/events.ts'
import { refunds } from '../../../core/payments/charges/refund-records.ts'
import { type Entry, entries, journals } from '../../../core/payments/ledger/ledger.ts'
import { PIX_IN } from '../../../core/payments/ledger/transaction-type.ts'
import { events } from '../../../core/payments/office.ts'
import type { Store } from '../../../core/ports/store.ts'

/** A payment as its payer made it. */
export interface Paid {
  readonly endToEndId: string
  readonly valueCents: number
}

/** What payers were told, and what they were not. */
export interface Payments {
  readonly paid: readonly Paid[]
  /** Paid by somebody who never heard the answer: posted once or not at all. */
  readonly doubtful: readonly Paid[]
}

/**
 * What is wrong with a store in which this was paid, and nothing else: each payment is posted once; books, journals,
 * charges, events, tallies and the audit trail agree with each other; the bank has told of everything.
 */
export const faultsOf = async (store: Store, paid: readonly Paid[]): Promise<readonly string[]> => [
  ...(await ledgerFaults(store, { paid, doubtful: [] })),
  ...(await everyRecord(store, bankPayments))
    .filter(({ dueAt }) => dueAt !== null)
    .map(({ id }) => `${id}: the bank is still to tell of it`),
]

/** The same while the bank may have something left to tell. */
export const ledgerFaults = async (store: Store, made: Payments): Promise<readonly string[]> => {
  const lines = await everyRecord(store, entries)
  const gross = lines.filter(({ typeId }) => typeId === PIX_IN.id)
  return [
    ...postings(gross, made),
    ...(await auditFaults(store)),
    ...(await movements(store, lines)),
    ...(await chargesOf(store, gross)),
  ]
}

export const everyRecord = async <R extends Rec>(store: Store, from: Collection<R>): Promise<readonly R[]> => {
  const found: R[] = []
  for await (const record of store.scan(from, always)) found.push(record)
  return found
}

export const isOnceEach = (values: readonly unknown[]): boolean => new Set(values).size === values.length

const sumOf = (cents: readonly number[]): number => cents.reduce((sum, each) => sum + each, 0)

const by = <A, K>(records: readonly A[], keyOf: (record: A) => K): ReadonlyMap<K, readonly A[]> => {
  const groups = new Map<K, A[]>()
  for (const record of records) {
    const key = keyOf(record)
    const group = groups.get(key) ?? []
    groups.set(key, group)
    group.push(record)
  }
  return groups
}

/** Says what is not as it should be. */
const unlike = (what: string, is: unknown, should: unknown): readonly string[] => {
  const [found, expected] = [JSON.stringify(is), JSON.stringify(should)]
  return found === expected ? [] : [`${what}: ${found} and not ${expected}`]
}

const postings = (gross: readonly Entry[], { paid, doubtful }: Payments): readonly string[] => {
  const posted = by(gross, ({ endToEnd }) => endToEnd)
  const made = new Set([...paid, ...doubtful].map(({ endToEndId }) => endToEndId))
  const valuesOf = (id: string): readonly number[] => (posted.get(id) ?? []).map(({ valueCents }) => valueCents)
  return [
    ...paid.flatMap(({ endToEndId, valueCents }) => unlike(endToEndId, valuesOf(endToEndId), [valueCents])),
    ...doubtful
      .filter(({ endToEndId }) => posted.has(endToEndId))
      .flatMap(({ endToEndId, valueCents }) => unlike(endToEndId, valuesOf(endToEndId), [valueCents])),
    ...[...posted.keys()].filter((id) => !made.has(id ?? '')).map((id) => `${id} was posted and never paid`),
  ]
}

/** What `npm run audit` finds: in the audit trail, the ledger with what is reserved of it, and every tally. */
const auditFaults = async (store: Store): Promise<readonly string[]> => {
  const wrong: string[] = []
  for await (const { faults } of findings({ store, digest }, payments.collections)) wrong.push(...faults)
  return wrong
}

/** Every movement has a cause of its own, and is what the statements show. */
const movements = async (store: Store, lines: readonly Entry[]): Promise<readonly string[]> => {
  const moved = await everyRecord(store, journals)
  const ofJournal = by(lines, ({ journalId }) => journalId)
  return [
    ...moved.flatMap(({ id, legs, accountId }) => {
      const main = legs.filter(({ book }) => book === `${accountId}:main`).map(({ cents }) => cents)
      const shown = (ofJournal.get(id) ?? []).map(({ valueCents }) => valueCents)
      return unlike(`journal ${id}`, shown.toSorted(), main.toSorted())
    }),
    ...unlike('causes', new Set(moved.map(({ cause }) => cause)).size, moved.length),
  ]
}

const TOLD_OF_CHARGES: ReadonlySet<string> = new Set([...CHARGE_EVENTS, 'charge.refunded'])

/**
 * A charge has got what was posted for it, and each change of it was told once: that it is there, as soon as its title
 * is, or that it failed; that it was cancelled, or is paid; then of whatever more was paid, and of what went back of it.
 */
const chargesOf = async (store: Store, gross: readonly Entry[]): Promise<readonly string[]> => {
  const ofCharge = by(gross, ({ chargeId }) => chargeId)
  const ofCharges = (await everyRecord(store, events)).filter(({ type }) => TOLD_OF_CHARGES.has(type))
  const told = by(ofCharges, ({ subjectId }) => subjectId)
  const back = by(
    (await everyRecord(store, refunds)).filter((refund) => refund.status === 'completed'),
    ({ chargeId }) => chargeId,
  )
  return (await everyRecord(store, charges)).flatMap(({ id, status, pix, amountPaidCents }) => {
    const cents = (ofCharge.get(id) ?? []).map(({ valueCents }) => valueCents)
    const isCancelled = status === 'cancelled'
    // Only the bank's answer makes a charge failed: that it is away, say.
    const isFailed = status === 'failed'
    const isPaid = cents.length > 0 && !isCancelled && !isFailed
    const became = isPaid ? 'paid' : 'pending'
    const types = (told.get(id) ?? []).map(({ type }) => type).toSorted()
    const should = [
      ...(isCancelled ? ['charge.cancelled'] : []),
      ...(isFailed ? ['charge.failed'] : []),
      ...(pix !== null ? ['charge.created'] : []),
      ...(back.get(id) ?? []).map(() => 'charge.refunded'),
      ...cents.map((_, index) => (isPaid && index === 0 ? 'charge.paid' : 'pix.received')),
    ]
    return [
      ...unlike(
        `charge ${id}`,
        [status, amountPaidCents],
        [isCancelled || isFailed ? status : became, isPaid ? sumOf(cents) : null],
      ),
      ...unlike(`what was told of charge ${id}`, types, should.toSorted()),
    ]
  })
}

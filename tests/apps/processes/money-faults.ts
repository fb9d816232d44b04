import {
  payments as bankPayments,
  refunds as givenBack,
  payments as paidIn,
  payOuts,
} from '../../../adapters/bank/fake/books.ts'
import { digest } from '../../../adapters/crypto/cipher.ts'
import { findings } from '../../../apps/audit/findings.ts'
import { payments } from '../../../apps/payments/app.ts'
import { always, type Collection, type Rec } from '../../../core/kernel/records/record.ts'
import { bankOperations } from '../../../core/payments/bank/operation.ts'
import { LOST } from '../../../core/payments/bank/run-operation.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import { refunds } from '../../../core/payments/charges/refund-records.ts'
import { CHARGE_EVENTS } from '../../../core/payments/charges/write.ts'
import { events } from '../../../core/payments/events.ts'
import { type Entry, entries, journals, ledgerAccounts, PIX_IN } from '../../../core/payments/ledger/ledger.ts'
import { transfers } from '../../../core/payments/transfers/transfer.ts'
import { payOutSums } from '../../../core/payments/withdrawals/limits.ts'
import { withdrawals } from '../../../core/payments/withdrawals/withdrawal.ts'
import type { Store } from '../../../core/ports/store.ts'
import { givenBackOnce, paidOutOnce, waitingCounted } from '../../simulation/invariants/money-out.ts'
import type { Answer } from '../payments/test-api.ts'

/** A payment as its payer made it. */
export interface Paid {
  readonly endToEndId: string
  readonly valueCents: number
}

/** The payments of a run. */
export interface Payments {
  readonly paid: readonly Paid[]
  /** Payments whose answer was lost: posted once or not at all. */
  readonly doubtful: readonly Paid[]
}

/**
 * Returns the faults of a store after exactly these payments: each is posted once, and notified by the bank; books, journals,
 * charges, events, tallies and the audit trail agree.
 */
export const faultsOf = async (store: Store, paid: readonly Paid[]): Promise<readonly string[]> => [
  ...(await ledgerFaults(store, { paid, doubtful: [] })),
  ...(await everyRecord(store, bankPayments))
    .filter(({ dueAt }) => dueAt !== null)
    .map(({ id }) => `${id}: the bank has not notified it`),
]

/** Returns the same faults, except for payments that the bank has not notified yet. */
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

const auditFaults = async (store: Store): Promise<readonly string[]> => {
  const wrong: string[] = []
  for await (const { faults } of findings({ store, digest }, payments.collections)) wrong.push(...faults)
  return wrong
}

/** Each journal has a unique cause and agrees with the statement. */
const movements = async (store: Store, lines: readonly Entry[]): Promise<readonly string[]> => {
  const moved = await everyRecord(store, journals)
  const ofJournal = by(lines, ({ journalId }) => journalId)
  return [
    ...moved.flatMap(({ id, legs }) => {
      // Shares are legs of the books of other accounts.
      const main = legs.filter(({ book }) => book.endsWith(':main')).map(({ cents }) => cents)
      const shown = (ofJournal.get(id) ?? []).map(({ valueCents }) => valueCents)
      return unlike(`journal ${id}`, shown.toSorted(), main.toSorted())
    }),
    ...unlike('causes', new Set(moved.map(({ cause }) => cause)).size, moved.length),
  ]
}

const CHARGE_EVENT_TYPES: ReadonlySet<string> = new Set([...CHARGE_EVENTS, 'charge.refunded'])

/** Each charge has the amount of its postings, and one event for each change. */
const chargesOf = async (store: Store, gross: readonly Entry[]): Promise<readonly string[]> => {
  const ofCharge = by(gross, ({ chargeId }) => chargeId)
  const ofCharges = (await everyRecord(store, events)).filter(({ type }) => CHARGE_EVENT_TYPES.has(type))
  const notified = by(ofCharges, ({ subjectId }) => subjectId)
  const back = by(
    (await everyRecord(store, refunds)).filter((refund) => refund.status === 'completed'),
    ({ chargeId }) => chargeId,
  )
  return (await everyRecord(store, charges)).flatMap(({ id, status, pix, amountPaidCents }) => {
    const cents = (ofCharge.get(id) ?? []).map(({ valueCents }) => valueCents)
    const isCancelled = status === 'cancelled'
    const isFailed = status === 'failed'
    const isPaid = cents.length > 0 && !isCancelled && !isFailed
    const became = isPaid ? 'paid' : 'pending'
    const types = (notified.get(id) ?? []).map(({ type }) => type).toSorted()
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
      ...unlike(`events of charge ${id}`, types, should.toSorted()),
    ]
  })
}

/** Returns the faults of payments out by the invariants of the simulation: each one of the embedded bank is posted once. */
export const moneyOutFaults = async (store: Store): Promise<readonly string[]> => {
  const held = {
    books: await everyRecord(store, ledgerAccounts),
    charges: await everyRecord(store, charges),
    entries: await everyRecord(store, entries),
    journals: await everyRecord(store, journals),
    operations: await everyRecord(store, bankOperations),
    payOutSums: await everyRecord(store, payOutSums),
    refunds: await everyRecord(store, refunds),
    transfers: await everyRecord(store, transfers),
    withdrawals: await everyRecord(store, withdrawals),
  }
  const out = await everyRecord(store, payOuts)
  const bank = {
    payOuts: out.map(({ id: txid, endToEndId, valueCents }) => ({ txid, endToEndId, valueCents })),
    refunds: await everyRecord(store, givenBack),
    payments: (await everyRecord(store, paidIn)).map(({ id: endToEndId, valueCents }) => ({
      endToEndId,
      valueCents,
    })),
  }
  return [paidOutOnce, waitingCounted, givenBackOnce].flatMap((invariant) => invariant({ held, bank }))
}

/** Reports whether a withdrawal failed because its process ended before it was sent. */
export const isLost = (body: Answer['body']): boolean =>
  body?.error_code === 'bank.refused' && body.message.includes(LOST)

/** Reports whether an answer of the bank is pending. A lost operation has ended, although it is checked for three more hours. */
export const isAsking = async (store: Store): Promise<boolean> =>
  (await everyRecord(store, bankOperations)).some(({ state }) => state === 'asking')

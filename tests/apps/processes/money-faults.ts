import { payments as bankPayments, refunds as bankRefunds, payOuts, titles } from '../../../adapters/bank/fake/books.ts'
import { setClock } from '../../../adapters/clock/set-clock.ts'
import { digest } from '../../../adapters/crypto/cipher.ts'
import { differenceLine, findings } from '../../../apps/audit/findings.ts'
import { payments } from '../../../apps/payments/app.ts'
import { isLeft } from '../../../core/failure.ts'
import { addSeconds, dayOf, fromEpochMs } from '../../../core/kernel/values/day.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { bankOperations } from '../../../core/payments/bank/operation.ts'
import { LOST } from '../../../core/payments/bank/run-operation.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import { otherTitles } from '../../../core/payments/charges/detail.ts'
import { refunds } from '../../../core/payments/charges/refund-records.ts'
import { restTitles } from '../../../core/payments/charges/rest-title.ts'
import { events } from '../../../core/payments/events.ts'
import { type Entry, entries, journals, ledgerAccounts, PIX_IN } from '../../../core/payments/ledger/ledger.ts'
import { splitShares } from '../../../core/payments/splits/share.ts'
import { transfers } from '../../../core/payments/transfers/transfer.ts'
import { payOutSums } from '../../../core/payments/withdrawals/limits.ts'
import { withdrawals } from '../../../core/payments/withdrawals/withdrawal.ts'
import type { Store } from '../../../core/ports/store.ts'
import { openPayments } from '../../core/payments/world.ts'
import { everyRecord } from '../../every-record.ts'
import { restAsPaid } from '../../simulation/invariants/charges.ts'
import { groupBy } from '../../simulation/invariants/judged.ts'
import { givenBackOnce, paidOutOnce, waitingCounted } from '../../simulation/invariants/money-out.ts'
import { keptAsDue, returnsPosted, sharesAsPaid, sharesTakenBack } from '../../simulation/invariants/splits.ts'
import type { Answer } from '../payments/test-api.ts'
import { chargeFaults, differenceOf, openTitleFaults } from './charge-faults.ts'

/** A payment as it was sent to the bank. */
export interface Paid {
  readonly endToEndId: string
  readonly valueCents: number
}

/** The payments of a run. */
export interface Payments {
  readonly paid: readonly Paid[]
  /** Payments without an answer: posted once or not at all. */
  readonly uncertain: readonly Paid[]
}

/**
 * Returns the faults of a store after exactly these payments: each is posted once, and notified by the bank; books,
 * journals, charges, events, tallies and the audit trail agree.
 */
export const faultsOf = async (store: Store, paid: readonly Paid[]): Promise<readonly string[]> => [
  ...(await ledgerFaults(store, { paid, uncertain: [] })),
  ...(await everyRecord(store, bankPayments))
    .filter(({ dueAt }) => dueAt !== null)
    .map(({ id }) => `${id}: the bank has not notified it`),
]

/** Returns the same faults, except for payments that the bank has not notified yet. */
export const ledgerFaults = async (store: Store, made: Payments): Promise<readonly string[]> => {
  const lines = await everyRecord(store, entries)
  const gross = lines.filter(({ typeId }) => typeId === PIX_IN.id)
  return [
    ...postingFaults(gross, made),
    ...(await auditFaults(store)),
    ...(await journalFaults(store, lines)),
    ...chargeFaults({
      entries: lines,
      accounts: await everyRecord(store, accounts),
      charges: await everyRecord(store, charges),
      events: await everyRecord(store, events),
      refunds: await everyRecord(store, refunds),
    }),
  ]
}

export const isOnceEach = (values: readonly unknown[]): boolean => new Set(values).size === values.length

const postingFaults = (gross: readonly Entry[], { paid, uncertain }: Payments): readonly string[] => {
  const posted = groupBy(gross, ({ endToEnd }) => endToEnd)
  const made = new Set([...paid, ...uncertain].map(({ endToEndId }) => endToEndId))
  const valuesOf = (id: string): readonly number[] => (posted.get(id) ?? []).map(({ valueCents }) => valueCents)
  return [
    ...paid.flatMap(({ endToEndId, valueCents }) => differenceOf(endToEndId, valuesOf(endToEndId), [valueCents])),
    ...uncertain
      .filter(({ endToEndId }) => posted.has(endToEndId))
      .flatMap(({ endToEndId, valueCents }) => differenceOf(endToEndId, valuesOf(endToEndId), [valueCents])),
    ...[...posted.keys()].filter((id) => !made.has(id ?? '')).map((id) => `${id} was posted and never sent`),
  ]
}

const auditFaults = async (store: Store): Promise<readonly string[]> => {
  const found: string[] = []
  for await (const { faults } of findings({ store, digest }, payments.collections)) found.push(...faults)
  return found
}

/** Each journal has a unique cause and agrees with the statement. */
const journalFaults = async (store: Store, lines: readonly Entry[]): Promise<readonly string[]> => {
  const all = await everyRecord(store, journals)
  const ofJournal = groupBy(lines, ({ journalId }) => journalId)
  return [
    ...all.flatMap(({ id, legs }) => {
      // Shares are legs of the books of other accounts.
      const main = legs.filter(({ book }) => book.endsWith(':main')).map(({ cents }) => cents)
      const shown = (ofJournal.get(id) ?? []).map(({ valueCents }) => valueCents)
      return differenceOf(`journal ${id}`, shown.toSorted(), main.toSorted())
    }),
    ...differenceOf('causes', new Set(all.map(({ cause }) => cause)).size, all.length),
  ]
}

/**
 * Returns the faults of payments out, rests, shares and refunds by the invariants of the simulation: each payment out
 * and refund of the embedded bank is posted once, and the shares of payments and refunds are those of what arrived and
 * stayed. Assumes charges whose value never changed.
 */
export const moneyFaults = async (store: Store): Promise<readonly string[]> => {
  const held = {
    books: await everyRecord(store, ledgerAccounts),
    charges: await everyRecord(store, charges),
    entries: await everyRecord(store, entries),
    journals: await everyRecord(store, journals),
    operations: await everyRecord(store, bankOperations),
    payOutSums: await everyRecord(store, payOutSums),
    refunds: await everyRecord(store, refunds),
    restTitles: await everyRecord(store, restTitles),
    splitShares: await everyRecord(store, splitShares),
    transfers: await everyRecord(store, transfers),
    withdrawals: await everyRecord(store, withdrawals),
  }
  const out = await everyRecord(store, payOuts)
  const bank = {
    payOuts: out.map(({ id: txid, endToEndId, valueCents }) => ({ txid, endToEndId, valueCents })),
    refunds: await everyRecord(store, bankRefunds),
    payments: (await everyRecord(store, bankPayments)).map(({ id: endToEndId, valueCents }) => ({
      endToEndId,
      valueCents,
    })),
  }
  const now = fromEpochMs(Date.now())
  return [...INVARIANTS.flatMap((invariant) => invariant({ now, held, bank })), ...keptAsDue(held, () => true)]
}

const INVARIANTS = [
  paidOutOnce,
  waitingCounted,
  givenBackOnce,
  restAsPaid,
  sharesAsPaid,
  sharesTakenBack,
  returnsPosted,
]

/** Returns the faults of the titles of charges once no work is left. */
export const titleFaults = async (store: Store): Promise<readonly string[]> => {
  const others = (await everyRecord(store, otherTitles)).map(({ id }) => id)
  return openTitleFaults(await everyRecord(store, charges), await everyRecord(store, titles), others)
}

/** Returns the differences between the journalFaults of the embedded bank and the ledger, once no work is left. */
export const reconcileFaults = async (store: Store): Promise<readonly string[]> => {
  const moved = (await everyRecord(store, bankPayments)).map(({ paidAt }) => dayOf(paidAt))
  const days = [...new Set(moved)].toSorted()
  const later = addSeconds(`${days.at(-1)}T12:00:00.000Z`, 2 * 86_400)
  const { reconciliation } = openPayments({ store, clock: setClock(later) }).pay
  const found: string[] = []
  for (const day of days) {
    const outcome = await reconciliation.reconcile({ day })()
    if (isLeft(outcome)) return [`reconcile of ${day}: ${outcome.left.code}`]
    for await (const difference of outcome.right.differences()) found.push(differenceLine(difference))
  }
  return days.length > 0 ? found : ['the bank was never paid']
}

/** Reports whether a withdrawal failed because its process ended before it was sent. */
export const isLost = (body: Answer['body']): boolean =>
  body?.error_code === 'bank.refused' && body.message.includes(LOST)

/**
 * Longer than any wait between two attempts (600 s), and shorter than the hour between look-ups of a lost operation.
 */
const LONGEST_WAIT_SECONDS = 1_200

/**
 * Reports whether an answer of the bank is pending; a lost operation has ended, although its look-ups go on for three
 * hours.
 */
export const isAsking = async (store: Store): Promise<boolean> => {
  const end = addSeconds(fromEpochMs(Date.now()), LONGEST_WAIT_SECONDS)
  const operations = await everyRecord(store, bankOperations)
  return operations.some(({ state, dueAt }) => state === 'asking' && (dueAt ?? '') < end)
}

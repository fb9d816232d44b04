import { always, type Collection, type Rec } from '../../kernel/records/record.ts'
import { type Finding, firstOf, scanSlices, verifyTwice } from '../../kernel/running/verify.ts'
import { byId, byKey, listByIds, type Store } from '../../ports/store.ts'
import { refundCause, refunds } from '../charges/refund-records.ts'
import { causeKey, entries, type Journal, journals, ledgerAccountId } from '../ledger/ledger.ts'
import { transferInCause, transferOutCause } from '../transfers/outcome.ts'
import { transfers } from '../transfers/transfer.ts'
import { pixOutCause } from '../withdrawals/outcome.ts'
import { withdrawals } from '../withdrawals/withdrawal.ts'

/** The expected posting of an outgoing payment: these cents on the main book, by a journal with one of these causes. */
interface Posting {
  readonly accountId: number
  readonly causes: readonly string[]
  readonly cents: number
}

type OutgoingRecord = Rec & { readonly status: string }

interface Kind<R extends OutgoingRecord> {
  readonly name: string
  readonly from: Collection<R>
  readonly postings: (record: R) => readonly Posting[]
}

const kindOf = <R extends OutgoingRecord>(kind: Kind<R>): Kind<R> => kind

const WITHDRAWALS = kindOf({
  name: 'withdrawal',
  from: withdrawals,
  postings: ({ accountId, txid, valueCents }) => [
    { accountId, causes: [pixOutCause(txid)], cents: -(valueCents ?? 0) },
  ],
})

const TRANSFERS = kindOf({
  name: 'transfer',
  from: transfers,
  postings: ({ id, accountId, toAccountId, valueCents, endToEndId }) => [
    { accountId, causes: [transferOutCause(id)], cents: -valueCents },
    // If the bank reported the Pix to the receiving account first, it was credited like any other Pix.
    { accountId: toAccountId, causes: [transferInCause(id), `pix-in:${endToEndId}`], cents: valueCents },
  ],
})

const REFUNDS = kindOf({
  name: 'refund',
  from: refunds,
  postings: ({ id, accountId, valueCents }) => [{ accountId, causes: [refundCause(id)], cents: -valueCents }],
})

/**
 * Compares outgoing payments with the ledger: every completed withdrawal, transfer (on both sides) and refund is posted
 * with its value, others are not posted, and the refunds of a Pix do not exceed it. Concurrent writes cause no faults.
 * Reports the first fault of each kind and the number of others. Memory grows with the number of refunded Pix.
 */
export const verifyMoneyOut = async (store: Store): Promise<Finding> => {
  const ofWithdrawals = await verifyPostings(store, WITHDRAWALS)
  const ofTransfers = await verifyPostings(store, TRANSFERS)
  const ofRefunds = await verifyPostings(store, REFUNDS)
  const sums = await verifyTwice(() => verifyRefundSums(store))
  return {
    area: 'money out',
    figures: { withdrawals: ofWithdrawals.count, transfers: ofTransfers.count, refunds: ofRefunds.count },
    faults: [ofWithdrawals, ofTransfers, ofRefunds, sums].flatMap(({ faults }) => firstOf(faults)),
  }
}

const verifyPostings = async <R extends OutgoingRecord>(store: Store, kind: Kind<R>) => {
  const faults: string[] = []
  let count = 0
  for await (const slice of scanSlices(store, kind.from)) {
    count += slice.length
    for (const record of slice) {
      if ((await faultIn(store, kind, record)) === null) continue
      // The record may have changed since it was scanned.
      const current = await store.find(byId(kind.from, record.id))
      const fault = current && (await faultIn(store, kind, current))
      if (fault) faults.push(fault)
    }
  }
  return { count, faults }
}

/** Reads a record and the journals of its postings at one instant. */
const faultIn = async <R extends OutgoingRecord>(store: Store, kind: Kind<R>, record: R): Promise<string | null> => {
  for (const posting of kind.postings(record)) {
    const { accountId, causes } = posting
    const queries = causes.map((cause) => [cause, byKey(journals, 'cause', causeKey(accountId, cause))])
    const { record: now, ...found } = await store.read({
      record: byId(kind.from, record.id),
      ...Object.fromEntries(queries),
    })
    const fault = now && faultOf(kind.name, now as R, posting, Object.values(found) as (Journal | null)[])
    if (fault) return fault
  }
  return null
}

const faultOf = (
  name: string,
  { id, status }: OutgoingRecord,
  { accountId, cents }: Posting,
  found: readonly (Journal | null)[],
): string | null => {
  const main = ledgerAccountId(accountId, 'main')
  const [journal, another] = found.filter((each) => each !== null)
  if (status !== 'completed') return journal ? `${name} ${id} is ${status}, but posted` : null
  if (!journal) return `${name} ${id} is completed, but not posted in account ${accountId}`
  const isRight = !another && journal.legs.some((leg) => leg.book === main && leg.cents === cents)
  return isRight ? null : `${name} ${id} is not posted with ${cents} in account ${accountId}`
}

/** Checks that the refunds of each Pix, pending ones included, do not exceed it. */
const verifyRefundSums = async (store: Store): Promise<{ readonly faults: readonly string[] }> => {
  const sums = new Map<number, number>()
  for await (const { entryId, status, valueCents } of store.scan(refunds, always))
    if (status !== 'failed') sums.set(entryId, (sums.get(entryId) ?? 0) + valueCents)
  const faults: string[] = []
  const ids = [...sums.keys()]
  for (let first = 0; first < ids.length; first += PAGE) {
    const some = ids.slice(first, first + PAGE)
    const received = await listByIds(store, entries, some)
    for (const id of some) {
      const [refundedCents, receivedCents] = [sums.get(id) ?? 0, received.get(id)?.valueCents ?? 0]
      if (refundedCents > receivedCents)
        faults.push(`the Pix of entry ${id} has ${receivedCents}, and refunds of ${refundedCents}`)
    }
  }
  return { faults }
}

const PAGE = 100

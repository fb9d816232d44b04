import { always, type Collection, isIn, type Rec } from '../../kernel/records/record.ts'
import { type Finding, scanSlices, verifyTwice } from '../../kernel/running/verify.ts'
import { byId, byKey, listOf, type Store } from '../../ports/store.ts'
import { refundCause } from '../charges/refund.ts'
import { refunds } from '../charges/refund-records.ts'
import { causeKey, entries, type Journal, journals, ledgerAccountId } from '../ledger/ledger.ts'
import { transferInCause, transferOutCause } from '../transfers/outcome.ts'
import { transfers } from '../transfers/transfer.ts'
import { pixOutCause } from '../withdrawals/outcome.ts'
import { withdrawals } from '../withdrawals/withdrawal.ts'

/** The expected posting of an outgoing payment: one of these causes, with these cents on the main book. */
interface Posting {
  readonly accountId: number
  readonly causes: readonly string[]
  readonly cents: number
}

type Leaving = Rec & { readonly status: string }

interface Kind<R extends Leaving> {
  readonly name: string
  readonly from: Collection<R>
  readonly postings: (record: R) => readonly Posting[]
}

const kindOf = <R extends Leaving>(kind: Kind<R>): Kind<R> => kind

const withdrawn = kindOf({
  name: 'withdrawal',
  from: withdrawals,
  postings: ({ accountId, txid, valueCents }) => [
    { accountId, causes: [pixOutCause(txid)], cents: -(valueCents ?? 0) },
  ],
})

const moved = kindOf({
  name: 'transfer',
  from: transfers,
  postings: ({ id, accountId, toAccountId, valueCents, endToEndId }) => [
    { accountId, causes: [transferOutCause(id)], cents: -valueCents },
    // If the bank reported the Pix to the receiving account first, it was credited like any other Pix.
    { accountId: toAccountId, causes: [transferInCause(id), `pix-in:${endToEndId}`], cents: valueCents },
  ],
})

const givenBack = kindOf({
  name: 'refund',
  from: refunds,
  postings: ({ id, accountId, valueCents }) => [{ accountId, causes: [refundCause(id)], cents: -valueCents }],
})

/**
 * Compares outgoing payments with the ledger: every completed withdrawal, transfer (on both sides) and refund is posted with its
 * value, others are not posted, and the refunds of a Pix do not exceed it. Concurrent writes are no fault. Reports the first fault
 * of each kind and the number of others. Memory grows with the number of refunded Pix.
 */
export const verifyMoneyOut = async (store: Store): Promise<Finding> => {
  const found = [await posted(store, withdrawn), await posted(store, moved), await posted(store, givenBack)]
  const within = await verifyTwice(() => withinTheirPix(store))
  const [w = 0, t = 0, r = 0] = found.map(({ count }) => count)
  return {
    area: 'money out',
    figures: { withdrawals: w, transfers: t, refunds: r },
    faults: [...found, within].flatMap(({ faults }) => firstOf(faults)),
  }
}

/** Returns the first fault, with the number of the others. */
export const firstOf = (faults: readonly string[]): readonly string[] => {
  const [first, ...more] = faults
  return first === undefined ? [] : [more.length === 0 ? first : `${first}, and ${more.length} more`]
}

const posted = async <R extends Leaving>(store: Store, kind: Kind<R>) => {
  const faults: string[] = []
  let count = 0
  for await (const slice of scanSlices(store, kind.from)) {
    count += slice.length
    for (const record of slice) {
      const wrong = await wrongIn(store, kind, record)
      // The record may have changed since it was read: record and journals are read again at one instant.
      if (wrong !== null) faults.push(...((await lookAgain(store, kind, record.id)) ?? []))
    }
  }
  return { count, faults }
}

const wrongIn = async <R extends Leaving>(store: Store, kind: Kind<R>, record: R): Promise<string | null> => {
  for (const posting of kind.postings(record)) {
    const found = await store.read(askedOf(posting))
    const wrong = wrongOf(kind.name, record, posting, Object.values(found))
    if (wrong !== null) return wrong
  }
  return null
}

const askedOf = ({ accountId, causes }: Posting) =>
  Object.fromEntries(causes.map((cause) => [cause, byKey(journals, 'cause', causeKey(accountId, cause))]))

const wrongOf = (
  name: string,
  { id, status }: Leaving,
  { accountId, cents }: Posting,
  found: readonly (Journal | null)[],
): string | null => {
  const main = ledgerAccountId(accountId, 'main')
  const [journal, another] = found.filter((each) => each !== null)
  if (status !== 'completed') return journal ? `${name} ${id} is ${status}, and posted` : null
  if (!journal) return `${name} ${id} is completed, and not posted in account ${accountId}`
  const isRight = !another && journal.legs.some((leg) => leg.book === main && leg.cents === cents)
  return isRight ? null : `${name} ${id} is not posted with ${cents} in account ${accountId}`
}

const lookAgain = async <R extends Leaving>(store: Store, kind: Kind<R>, id: R['id']): Promise<string[] | null> => {
  const record = await store.find(byId(kind.from, id))
  if (!record) return null
  for (const posting of kind.postings(record)) {
    const { record: now, ...found } = await store.read({ record: byId(kind.from, id), ...askedOf(posting) })
    const wrong = now && wrongOf(kind.name, now as R, posting, Object.values(found) as (Journal | null)[])
    if (wrong) return [wrong]
  }
  return null
}

/** Checks that the refunds of each Pix, pending ones included, do not exceed it. */
const withinTheirPix = async (store: Store): Promise<{ readonly faults: readonly string[] }> => {
  const sums = new Map<number, number>()
  for await (const { entryId, status, valueCents } of store.scan(refunds, always))
    if (status !== 'failed') sums.set(entryId, (sums.get(entryId) ?? 0) + valueCents)
  const faults: string[] = []
  const ids = [...sums.keys()]
  for (let first = 0; first < ids.length; first += A_PAGE) {
    const some = ids.slice(first, first + A_PAGE)
    const { records } = await store.list(listOf(entries, { where: isIn('id', some), limit: A_PAGE }))
    const came = new Map(records.map(({ id, valueCents }) => [id, valueCents]))
    for (const id of some) {
      const [back, of] = [sums.get(id) ?? 0, came.get(id) ?? 0]
      if (back > of) faults.push(`the Pix of entry ${id} has ${of}, and refunds of ${back}`)
    }
  }
  return { faults }
}

const A_PAGE = 100

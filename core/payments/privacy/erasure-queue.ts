import { all, always, type Change, eq, gte, lt, lte, type Rec, remove } from '../../kernel/records/record.ts'
import { applyOutcome, type Lease, type Queue, queueOf } from '../../kernel/running/queue.ts'
import { readSlice, slicesOf } from '../../kernel/running/slices.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import type { Store } from '../../ports/store.ts'
import type { Charge } from '../charges/charge.ts'
import type { Event } from '../events.ts'
import { exports } from '../exports/export.ts'
import { removeErasedExport } from '../exports/export-queue.ts'
import { mails, messages } from '../office.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Erasure, eraseRecord, erasures, TREATMENTS } from './erasure.ts'
import {
  chargeWalks,
  deliveryWalk,
  entryWalk,
  eventWalk,
  linkWalk,
  readMessages,
  readOperations,
  refundWalk,
} from './payer-records.ts'

/** Exceeds the time of one slice under load. */
const LEASE_SECONDS = 60
const AT_ONCE = 2
/** Charges between two renewals of the lease. */
const CHARGES_PER_SLICE = 20
/** The time in which a request that read the client before may store a copy; then the records are read again. */
const SETTLE_SECONDS = 120
/** The wait for records in use: an undelivered event, a running bank operation, an unwritten export. */
const RETRY_SECONDS = 60
/** Exceeds the difference between the clocks of processes. */
const CLOCK_SKEW_SECONDS = 60

/** The first and the last `seq` among entries; null without one. */
type Span = readonly [first: number, last: number] | null

/** The position of a pass: the walk over charges and its cursor, and the results so far. */
interface Place {
  readonly walk: number
  readonly cursor: string | null
  /** True if a record could not be erased yet. */
  readonly isPartial: boolean
  /** The payer's entries. */
  readonly span: Span
  /** The time at which the last pass ended: only exports from before it may still hold data. Null until then. */
  readonly erasedAt: Instant | null
}

const START: Place = { walk: 0, cursor: null, isPartial: false, span: null, erasedAt: null }

/** Returns the stored position. A position of an earlier release has no span: its pass starts again. */
const placeOf = ({ place }: Erasure): Place => {
  const stored: Place = place === null ? START : JSON.parse(place)
  return stored.span === undefined ? START : stored
}

const spanWith = (span: Span, seqs: readonly number[]): Span => {
  const known = [...(span ?? []), ...seqs]
  return known.length === 0 ? null : [Math.min(...known), Math.max(...known)]
}

/** The queue of erasures. Changes are idempotent: an interrupted pass is continued at its last slice. */
export const erasureQueue = (ports: PaymentsPorts): Queue =>
  queueOf({
    collection: erasures,
    owner: 'accountId',
    leaseSeconds: LEASE_SECONDS,
    atOnce: AT_ONCE,
    handle: (claimed, _report, lease) => runPass(ports, claimed, lease),
  })

const runPass = async (ports: PaymentsPorts, claimed: Erasure, lease: Lease<Erasure>): Promise<void> => {
  const { store, clock } = ports
  const payer = { id: claimed.clientId, accountId: claimed.accountId }
  const walks = chargeWalks(payer)
  let leased: Erasure | null = claimed
  let place = placeOf(claimed)
  const advance = async (to: Partial<Place>): Promise<Erasure | null> => {
    place = { ...place, ...to }
    return lease.renew(clock.now(), { place: JSON.stringify(place) })
  }
  for (let of = walks[place.walk]; of; of = walks[place.walk]) {
    const { records, next } = await readSlice(store, { ...of, limit: CHARGES_PER_SLICE }, place.cursor)
    let { isPartial, span } = place
    for (const charge of records) {
      const { isErased, seqs } = await eraseCharge(store, charge)
      isPartial = isPartial || !isErased
      span = spanWith(span, seqs)
    }
    leased = await advance({ walk: next === null ? place.walk + 1 : place.walk, cursor: next, isPartial, span })
    // Another process has claimed the erasure since.
    if (!leased) return
  }
  let { isPartial } = place
  for await (const slice of slicesOf(store, linkWalk(payer)))
    isPartial = !(await commitEach(store, slice, (link) => eraseRecord(TREATMENTS.links, link))) || isPartial
  const settledAt = addSeconds(claimed.requestedAt, SETTLE_SECONDS)
  if (isPartial || clock.now() < settledAt) {
    const wait = isPartial ? RETRY_SECONDS : SETTLE_SECONDS
    await postpone(ports, leased, wait, null)
    return
  }
  if (place.erasedAt === null) leased = await advance({ erasedAt: clock.now() })
  if (leased) await endPass(ports, leased, place)
}

const postpone = ({ store, clock }: PaymentsPorts, leased: Erasure, seconds: number, place: string | null) =>
  applyOutcome(store, erasures, leased, { dueAt: addSeconds(clock.steady(), seconds), place, attempts: 0 })

/** Completes the erasure after the removal of the exports, which copy descriptions of entries into files. */
const endPass = async (ports: PaymentsPorts, leased: Erasure, { span, erasedAt }: Place): Promise<void> => {
  const { store, clock } = ports
  let isDone = true
  if (span !== null && erasedAt !== null)
    for await (const slice of slicesOf(store, exportWalk(leased, span, erasedAt)))
      for (const each of slice) if (each.state === 'waiting' || !(await removeErasedExport(ports, each))) isDone = false
  if (!isDone) await postpone(ports, leased, RETRY_SECONDS, leased.place)
  else
    await applyOutcome(store, erasures, leased, {
      ...{ status: 'completed', completedAt: clock.now() },
      ...{ dueAt: null, place: null, attempts: 0 },
    })
}

/** The walk over the account's exports that may contain entries of the payer as they were before the erasure. */
const exportWalk = ({ accountId }: Erasure, [first, last]: NonNullable<Span>, erasedAt: Instant) => ({
  from: exports,
  where: all(
    eq('accountId', accountId),
    lte('createdAt', addSeconds(erasedAt, CLOCK_SKEW_SECONDS)),
    lt('afterSeq', last),
    gte('lastSeq', first),
  ),
  sort: 'createdAt' as const,
})

/** Commits the changes of records together. Returns false if one has changed: the next pass reads them again. */
const commitEach = async <R extends Rec>(
  store: Store,
  records: readonly R[],
  change: (record: R) => readonly Change[],
): Promise<boolean> => {
  const changes = records.flatMap(change)
  return changes.length === 0 || (await store.commit(changes)).ok
}

/** Erases a charge and the records about it that no other work needs. `isErased` is false if one has to wait. */
const eraseCharge = async (store: Store, charge: Charge) => {
  const outcomes = [charge.operationId === null]
  const erased = async <R extends Rec>(records: readonly R[], change: (record: R) => readonly Change[]) =>
    outcomes.push(await commitEach(store, records, change))
  const caused: Event[] = []
  for await (const slice of slicesOf(store, eventWalk(charge))) {
    const delivered = slice.filter(({ dueAt }) => dueAt === null)
    outcomes.push(delivered.length === slice.length)
    caused.push(...slice)
    await erased(delivered, (event) => eraseRecord(TREATMENTS.events, event))
    for (const event of slice)
      for await (const each of slicesOf(store, deliveryWalk(event)))
        await erased(each, (delivery) => eraseRecord(TREATMENTS.deliveries, delivery))
  }
  const queued = await readMessages(store, charge, caused)
  await erased(queued.mails, ({ id }) => [remove(mails, id, always)])
  await erased(queued.messages, ({ id }) => [remove(messages, id, always)])
  const refunded = []
  for await (const slice of slicesOf(store, refundWalk(charge))) {
    refunded.push(...slice)
    await erased(slice, (refund) => eraseRecord(TREATMENTS.refunds, refund))
  }
  const operations = await readOperations(store, charge, refunded)
  outcomes.push(operations.every(({ state }) => state !== 'asking'))
  await erased(
    operations.filter(({ state }) => state !== 'asking'),
    (operation) => eraseRecord(TREATMENTS.operations, operation),
  )
  const seqs: number[] = []
  for await (const slice of slicesOf(store, entryWalk(charge))) {
    seqs.push(...slice.map(({ seq }) => seq))
    await erased(slice, (entry) => eraseRecord(TREATMENTS.entries, entry))
  }
  // Last, so that an interrupted pass finds the charge's own texts until all copies are gone.
  await erased([charge], (each) => eraseRecord(TREATMENTS.charges, each))
  return { isErased: outcomes.every((isErased) => isErased), seqs }
}

import { failure, invalid, isLeft, issue, left, right } from '../../failure.ts'
import {
  all,
  always,
  type Change,
  eq,
  type Field,
  insert,
  patch,
  type Rec,
  remove,
} from '../../kernel/records/record.ts'
import { tenantKey } from '../../kernel/resources/queries.ts'
import { applyOutcome, type Lease, type Queue, queueOf } from '../../kernel/running/queue.ts'
import { readSlice } from '../../kernel/running/slices.ts'
import {
  accept,
  countingUseCase,
  type FactsOf,
  type Fresh,
  unavailable,
  useCase,
  useCaseOf,
} from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant, startOfDay } from '../../kernel/values/day.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { type Charge, statusAt } from '../charges/charge.ts'
import { type Client, clients, clientTokens } from '../customers/client.ts'
import type { Event } from '../events.ts'
import { mails, messages, recordAudit } from '../office.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import {
  type Erasure,
  eraseRecord,
  erasureId,
  erasures,
  keptUntil,
  paidDayOf,
  TREATMENTS,
  withLatePayments,
} from './erasure.ts'
import {
  chargesOf,
  chargeWalks,
  deliveryWalk,
  entryWalk,
  eventWalk,
  linkWalk,
  readMessages,
  readOperations,
  refundWalk,
  slicesOf,
} from './payer-records.ts'

export const UNKNOWN_CLIENT = failure('not-found', 'client.unknown')

/** Finds a client of the account, also a removed one: its data is stored until it is erased. */
export const findPayer = async (store: Store, accountId: number, id: number | null): Promise<Client | null> => {
  const client = id === null ? null : await store.find(byId(clients, id))
  return client?.accountId === accountId ? client : null
}

/** The most open charges that the failure names. */
const MAX_NAMED = 100

/** Reads the charges that block an erasure, and the day of the payer's last payment; null without one. */
const surveyCharges = async (store: Store, client: Client, steady: Instant) => {
  const open: number[] = []
  let lastPaid: string | null = null
  for await (const slice of chargesOf(store, client))
    for (const charge of slice) {
      const isOpen = statusAt(charge, steady) === 'pending' || charge.operationId !== null
      if (isOpen && open.length < MAX_NAMED) open.push(charge.id)
      const paid = paidDayOf(charge)
      if (paid !== null && (lastPaid === null || paid > lastPaid)) lastPaid = paid
    }
  return { open, lastPaid }
}

type Eraser = Pick<Actor, 'accountId' | 'userId' | 'origin'>

const readFacts = async (store: Store, accountId: number, id: number | null, steady: Instant) => {
  const client = await findPayer(store, accountId, id)
  if (!client) return null
  const { erasure, token } = await store.read({
    erasure: byId(erasures, erasureId(client.id)),
    token: byId(clientTokens, client.id),
  })
  return { client, erasure, token, ...(await surveyCharges(store, client, steady)) }
}

type ErasureFacts = FactsOf<typeof readFacts>

/**
 * Erases a client at once, and enqueues the erasure of the copies of its data. A repeated call changes nothing. The first
 * commit closes the client, so that no charge is issued between the second read of its charges and the second commit.
 */
export const eraseClient = (ports: PaymentsPorts) => (actor: Eraser, id: number | null) =>
  useCaseOf<Erasure>()(async (hooks) => {
    const read = (store: Store) => readFacts(store, actor.accountId, id, ports.clock.steady())
    const closed = await useCase(ports, read, decideClosing)()
    if (isLeft(closed)) return closed
    const readAgain = async (store: Store) => {
      const facts = await read(store)
      return facts && { ...facts, holder: await findHolder(store, facts) }
    }
    return countingUseCase(ports, readAgain, (facts, fresh) => decideErasure(facts, actor, fresh))(hooks)
  })

/** Reports whether an unfinished erasure has closed the client. A removed client has the status `DELETED` too. */
const isClosed = ({ removedAt, status }: Client): boolean => removedAt !== null && status !== 'DELETED'

/** Finds the client that has taken the document of a closed one. */
const findHolder = async (store: Store, { client }: ErasureFacts): Promise<Client | null> =>
  isClosed(client) && client.document !== null
    ? store.find(byKey(clients, 'document', tenantKey(client.accountId, client.document)))
    : null

/** Closes a client without open charges. No charge is issued for a closed client, as for a removed one. */
const decideClosing = (facts: ErasureFacts | null, { now: removedAt }: Fresh) => {
  if (!facts) return left(UNKNOWN_CLIENT)
  const { client, erasure, open } = facts
  if (erasure || isClosed(client)) return accept(null)
  if (open.length > 0) return client.removedAt === null ? left(blockedBy(open)) : accept(null)
  if (client.removedAt !== null) {
    // A concurrent change that was decided while the charge was open becomes stale.
    return accept(
      null,
      patch(clients, client.id, { set: { updatedAt: removedAt }, when: eq('updatedAt', client.updatedAt) }),
    )
  }
  return accept(null, patch(clients, client.id, { set: { removedAt }, when: eq('removedAt', null) }))
}

const blockedBy = (open: readonly number[]) =>
  invalid(
    open.map((id) => issue(`charges.${id}`, 'client.charges-open')),
    'client.charges-open',
  )

/** Reopens a closed client. If another client has taken its document, the closed one stays removed. */
const reopen = (client: Client, holder: Client | null): readonly Change[] => {
  if (!isClosed(client)) return []
  const set: Partial<Client> = holder ? { status: 'DELETED' } : { removedAt: null }
  return [patch(clients, client.id, { set, when: eq('removedAt', client.removedAt) })]
}

const decideErasure = (
  facts: (ErasureFacts & { readonly holder: Client | null }) | null,
  actor: Eraser,
  fresh: Fresh,
) => {
  if (!facts) return left(UNKNOWN_CLIENT)
  const { client, erasure: known, token, open, lastPaid } = facts
  if (known) return accept(right<never, Erasure>(withLatePayments(known, [lastPaid])))
  if (open.length > 0) return accept(left(blockedBy(open)), ...reopen(client, facts.holder))
  // Another request for the erasure has reopened the client.
  if (client.removedAt === null) return left(unavailable('store.busy'))
  const until = lastPaid === null ? null : keptUntil(lastPaid)
  const erasure: Erasure = {
    id: erasureId(client.id),
    accountId: client.accountId,
    clientId: client.id,
    status: 'processing',
    payerName: until === null ? null : client.name,
    payerDocument: until === null ? null : client.document,
    keptUntil: until,
    requestedBy: actor.userId,
    requestedAt: fresh.now,
    completedAt: null,
    place: null,
    dueAt: fresh.steady,
    attempts: 0,
    expiresAt: until === null ? null : startOfDay(until),
  }
  const unchanged = all<Field<Client>>(eq('updatedAt', client.updatedAt), eq('removedAt', client.removedAt))
  return accept(
    right<never, Erasure>(erasure),
    insert(erasures, erasure),
    ...eraseRecord(TREATMENTS.clients, client),
    patch(clients, client.id, { set: { status: 'DELETED', updatedAt: fresh.now }, when: unchanged }),
    ...(token ? [remove(clientTokens, token.id, always)] : []),
    ...recordAudit(fresh, actor, {
      chain: `account:${client.accountId}`,
      action: 'personal-data.erased',
      subject: `client:${client.id}`,
    }),
  )
}

/** Longer than one slice takes under load. */
const LEASE_SECONDS = 60
const AT_ONCE = 2
/** Charges between two renewals of the lease. */
const CHARGES_PER_SLICE = 20
/** A request that read the client before the erasure may store a copy within this time. The records are read again after it. */
const SETTLE_SECONDS = 120
/** The wait for records that other work still needs: an undelivered event, a running bank operation. */
const RETRY_SECONDS = 60

/** The position of a pass: the walk over charges, its cursor, and whether a record could not be erased yet. */
interface Place {
  readonly walk: number
  readonly cursor: string | null
  readonly isPartial: boolean
}

const START: Place = { walk: 0, cursor: null, isPartial: false }

/** The queue of erasures. Each change is idempotent, so that a pass that was interrupted is continued at its last slice. */
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
  let leased = claimed
  let { walk, cursor, isPartial }: Place = claimed.place === null ? START : JSON.parse(claimed.place)
  for (let of = walks[walk]; of; of = walks[walk]) {
    const { records, next } = await readSlice(store, { ...of, limit: CHARGES_PER_SLICE }, cursor)
    for (const charge of records) isPartial = !(await eraseCharge(store, charge)) || isPartial
    walk = next === null ? walk + 1 : walk
    cursor = next
    const renewed = await lease.renew(clock.now(), { place: JSON.stringify({ walk, cursor, isPartial }) })
    // Another process has claimed the erasure since.
    if (!renewed) return
    leased = renewed
  }
  for await (const slice of slicesOf(store, linkWalk(payer)))
    isPartial = !(await commitEach(store, slice, (link) => eraseRecord(TREATMENTS.links, link))) || isPartial
  await endPass(ports, leased, isPartial)
}

const endPass = async ({ store, clock }: PaymentsPorts, leased: Erasure, isPartial: boolean): Promise<void> => {
  const [now, steady] = [clock.now(), clock.steady()]
  const settledAt = addSeconds(leased.requestedAt, SETTLE_SECONDS)
  const isDone = !isPartial && now >= settledAt
  const outcome = isDone
    ? ({ status: 'completed', completedAt: now, dueAt: null } as const)
    : { dueAt: addSeconds(steady, isPartial ? RETRY_SECONDS : SETTLE_SECONDS) }
  await applyOutcome(store, erasures, leased, { ...outcome, place: null, attempts: 0 })
}

/** Commits the changes of records together. Returns false if one of them changed meanwhile: the next pass reads them again. */
const commitEach = async <R extends Rec>(
  store: Store,
  records: readonly R[],
  change: (record: R) => readonly Change[],
): Promise<boolean> => {
  const changes = records.flatMap(change)
  return changes.length === 0 || (await store.commit(changes)).ok
}

/** Erases a charge and all records about it. Returns false if one of them cannot be erased yet. */
const eraseCharge = async (store: Store, charge: Charge): Promise<boolean> => {
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
  for await (const slice of slicesOf(store, entryWalk(charge)))
    await erased(slice, (entry) => eraseRecord(TREATMENTS.entries, entry))
  // Last, so that an interrupted pass finds the charge's own texts until all copies are gone.
  await erased([charge], (each) => eraseRecord(TREATMENTS.charges, each))
  return outcomes.every((isErased) => isErased)
}

import {
  all,
  type Change,
  type Collection,
  eq,
  gt,
  type Id,
  lte,
  type Rec,
  remove,
} from '../../kernel/records/record.ts'
import { commitTogether, type JobRow, type JobSlice } from '../../kernel/running/jobs.ts'
import { freshOf } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { entriesAfter } from '../../office/audit.ts'
import { type List, listOf } from '../../ports/store.ts'
import { type NamedKey, namedKeys } from '../access/named-key.ts'
import { type Event, events } from '../events.ts'
import { type Notification, notifications } from '../inbox/inbox.ts'
import { audit, detachImage } from '../office.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Registration, registrations } from '../registrations/registration.ts'
import { endedBefore, RETENTION_KINDS, type RetentionKind } from '../retention.ts'
import { deliveries } from '../webhooks/deliveries.ts'
import { type ChainName, isChainName } from './member-erasure.ts'

/** The records that are read and removed together. */
const BATCH = 100
/** The batches of one slice: a stop waits for the end of a slice. */
const BATCHES = 20

/** The last record of the batch before, and the position in it. */
interface Place {
  readonly id: Id | null
  readonly seq?: number
}

/** Removes one batch of records that ended before an instant; returns the place of the next one, null at the end. */
type Prune = (ports: PaymentsPorts, before: Instant, place: Place, slice: JobSlice) => Promise<Place | null>

const recordsAfter = <R extends Rec>(from: Collection<R>, id: Id | null, limit: number): List<R> =>
  listOf(from, { where: id === null ? all() : gt('id', id), sort: { by: 'id', dir: 'asc' }, limit })

/**
 * Returns the pruning of a collection. It walks by id, which needs no index of its own: an index by time would cost
 * each write, even if no term is set.
 */
const pruneOf =
  <R extends Rec>(
    from: Collection<R>,
    changesOf: (ports: PaymentsPorts, record: R, before: Instant) => readonly Change[] | Promise<readonly Change[]>,
  ): Prune =>
  async (ports, before, { id }, { report }) => {
    const { records } = await ports.store.list(recordsAfter(from, id, BATCH))
    const found = []
    for (const record of records) {
      const changes = await changesOf(ports, record, before)
      if (changes.length > 0) found.push({ id: record.id, changes })
    }
    await commitTogether(ports.store, from, found, report)
    const last = records.at(-1)
    return last && records.length === BATCH ? { id: last.id } : null
  }

const ENDED = eq('dueAt', null)

/** Removes a delivered event together with its webhooks, because an erasure finds webhooks by their event. */
const pruneEvent = async ({ store }: PaymentsPorts, event: Event, before: Instant): Promise<readonly Change[]> => {
  if (event.dueAt !== null || event.createdAt > before) return []
  const { records } = await store.list(
    listOf(deliveries, {
      where: all(eq('accountId', event.accountId), eq('eventId', event.id)),
      sort: { by: 'createdAt', dir: 'asc' },
      limit: BATCH,
    }),
  )
  // A replayed webhook is waiting again.
  if (records.some(({ dueAt }) => dueAt !== null)) return []
  const sent = records.map(({ id }) => remove(deliveries, id, ENDED))
  return records.length < BATCH ? [...sent, remove(events, event.id, ENDED)] : sent
}

const pruneNotification = (_: PaymentsPorts, { id, createdAt }: Notification, before: Instant): readonly Change[] =>
  createdAt > before ? [] : [remove(notifications, id, lte('createdAt', before))]

const pruneKey = (_: PaymentsPorts, key: NamedKey, before: Instant): readonly Change[] => {
  const { id, revokedAt, expiresAt } = key
  const endedAt = revokedAt ?? expiresAt
  if (endedAt === null || endedAt > before) return []
  return [remove(namedKeys, id, all(eq('revokedAt', revokedAt), eq('expiresAt', expiresAt)))]
}

/** Removes a rejected registration, which is never changed again, and its images. */
const pruneRegistration = ({ clock }: PaymentsPorts, found: Registration, before: Instant): readonly Change[] => {
  const { id, state, image1Id, image2Id, updatedAt } = found
  if (state !== 'REJECTED' || updatedAt > before) return []
  const images = [image1Id, image2Id].filter((image) => image !== null)
  return [
    remove(registrations, id, eq('state', 'REJECTED')),
    ...images.map((image) => detachImage(image, { steady: clock.steady() })),
  ]
}

/** Erases addresses and devices in the next entries of a chain. */
const pruneChain = async (ports: PaymentsPorts, chain: ChainName, before: Instant, seq: number) => {
  const { records } = await ports.store.list(entriesAfter(audit, chain, seq))
  const old = records.filter(({ createdAt }) => createdAt <= before)
  const erasures = old.map((entry) => ({ entry, parts: { changes: false, origin: true } }))
  const { fresh } = freshOf(ports)
  const changes = audit.eraseValues(ports.digest, fresh, { chain, subject: chain }, erasures)
  // An entry that a simultaneous erasure changed is erased by the next run.
  if (changes.length > 0) await ports.store.commit(changes)
  const last = old.at(-1)
  return last && old.length === records.length ? last.seq : null
}

/** Erases entries of a chain together, so that one entry seals many. Times never decrease along a chain. */
const pruneAccessRecords: Prune = async (ports, before, { id, seq }) => {
  if (typeof id === 'string' && seq !== undefined && isChainName(id)) {
    const next = await pruneChain(ports, id, before, seq)
    return next === null ? { id } : { id, seq: next }
  }
  const [chain] = (await ports.store.list(recordsAfter(audit.chains, id, 1))).records
  return chain ? { id: chain.id, seq: 0 } : null
}

/** The kinds of records that this job prunes. A sweep removes sessions, and a queue removes exports. */
const PRUNES: Readonly<Partial<Record<RetentionKind, Prune>>> = {
  events: pruneOf(events, pruneEvent),
  notifications: pruneOf(notifications, pruneNotification),
  apiKeys: pruneOf(namedKeys, pruneKey),
  rejectedRegistrations: pruneOf(registrations, pruneRegistration),
  accessRecords: pruneAccessRecords,
}

interface Cursor extends Place {
  readonly kind: RetentionKind
}

const AT = '03:10'

/** The daily job that prunes records whose term, as the operator has set it, is over. */
export const retentionJob = (ports: PaymentsPorts): JobRow => ({
  name: 'retention',
  schedule: { at: AT },
  run: async (slice) => {
    const days = ports.settings.retentionDays
    let cursor: Cursor | null = slice.cursor === null ? startAt(0) : JSON.parse(slice.cursor)
    for (let count = 0; cursor !== null && count < BATCHES; count += 1) {
      const { kind, ...place }: Cursor = cursor
      const before = endedBefore(days, kind, slice.steady)
      const prune = before === null ? undefined : PRUNES[kind]
      const next = before !== null && prune ? await prune(ports, before, place, slice) : null
      cursor = next === null ? startAt(RETENTION_KINDS.indexOf(kind) + 1) : { kind, ...next }
    }
    return cursor === null ? null : JSON.stringify(cursor)
  },
})

const startAt = (index: number): Cursor | null => {
  const kind = RETENTION_KINDS[index]
  return kind === undefined ? null : { kind, id: null }
}

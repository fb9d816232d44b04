import type { Change } from '../../../core/kernel/records/record.ts'
import { addSeconds } from '../../../core/kernel/values/day.ts'
import { type Charge, type ChargeStatus, chargeMoves, charges } from '../../../core/payments/charges/charge.ts'
import { type Event, events } from '../../../core/payments/events.ts'
import { entries, journals } from '../../../core/payments/ledger/ledger.ts'
import { mails } from '../../../core/payments/office.ts'
import { type Delivery, deliveries } from '../../../core/payments/webhooks/deliveries.ts'
import { byId, type Store } from '../../../core/ports/store.ts'

/** The delays between tries of a webhook delivery. */
const STEPS_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
export const MOST_TRIES = STEPS_SECONDS.length + 1

const IMMUTABLE = new Set([journals.name, entries.name])
/**
 * The fields of an entry that say what its money was for: the release of a held share writes them again, as an erasure
 * does.
 */
const TEXTS: readonly string[] = ['description', 'search']

const writesTexts = (change: Change): boolean =>
  change.kind === 'patch' &&
  change.at[0] === entries.name &&
  [change.set, change.add, change.max].every((fields) =>
    Object.keys(fields ?? {}).every((name) => TEXTS.includes(name)),
  )

/** Checks the transitions made by each commit. */
export interface Watch {
  committed(changes: readonly Change[]): Promise<void>
  /** Returns the number of commits. */
  commits(): number
  /** Collections written since they were last read. */
  readonly dirty: Set<string>
  /** All recipients of queued mails: a sweep deletes the mails. */
  readonly mailed: ReadonlySet<string>
  /** The number of releases of each delivery by stopping processes: a released try is not counted. */
  readonly givenBack: ReadonlyMap<number, number>
  /** The statuses of each charge, in order. */
  readonly statuses: ReadonlyMap<number, readonly ChargeStatus[]>
  /** All values that each charge has had, in cents. */
  readonly values: ReadonlyMap<number, ReadonlySet<number>>
  /** The event types of each charge, in order. */
  readonly told: ReadonlyMap<number, readonly Event['type'][]>
}

export const watchOf = (store: Store, shownAhead: ReadonlySet<string>, broken: string[]): Watch => {
  const statuses = new Map<number, ChargeStatus[]>()
  const values = new Map<number, Set<number>>()
  const told = new Map<number, Event['type'][]>()
  const mailed = new Set<string>()
  const ended = new Set<string>()
  const tried = new Map<number, string>()
  const givenBack = new Map<number, number>()

  const moved = ({ id, status, valueCents }: Charge): void => {
    values.set(id, (values.get(id) ?? new Set()).add(valueCents))
    const known = statuses.get(id) ?? []
    const last = known.at(-1)
    if (last === status) return
    statuses.set(id, [...known, status])
    if (last === undefined && status !== 'pending') broken.push(`charge ${id} began as ${status}`)
    if (last !== undefined && !chargeMoves.can(last, status)) broken.push(`charge ${id} went from ${last} to ${status}`)
  }

  const went = (name: string, { dueAt }: { readonly dueAt: string | null }): void => {
    if (dueAt === null) ended.add(name)
    else if (ended.has(name)) broken.push(`${name} had ended and is due again`)
  }
  // The next try of a failed delivery is due no earlier than its delay.
  const waits = ({ id, attempts, dueAt, updatedAt, response }: Delivery): void => {
    const isNew = response !== null && tried.get(id) !== updatedAt
    if (!isNew) return
    tried.set(id, updatedAt)
    // The instant of a clock that was set ahead cannot be compared.
    if (shownAhead.has(updatedAt)) return
    const least = addSeconds(updatedAt, STEPS_SECONDS[attempts - 1] ?? 0)
    if (dueAt !== null && dueAt < least) broken.push(`delivery ${id} is due ${dueAt}, and not before ${least}`)
  }

  const look = async (change: Change): Promise<void> => {
    const [collection, id] = change.at
    if (collection === charges.name) {
      const charge = await store.find(byId(charges, id))
      if (charge) moved(charge)
    }
    if (collection === events.name && change.kind === 'insert') {
      const event = await store.find(byId(events, id))
      if (event) told.set(event.subjectId, [...(told.get(event.subjectId) ?? []), event.type])
    }
    if (collection === mails.name) {
      const mail = await store.find(byId(mails, id))
      if (mail) mailed.add(mail.to)
      if (mail) went(`mail ${id}`, mail)
    }
    if (collection === deliveries.name) {
      const delivery = await store.find(byId(deliveries, id))
      if (delivery) went(`delivery ${id}`, delivery)
      if (delivery) waits(delivery)
      const isGivenBack = change.kind === 'patch' && change.add?.attempts === -1
      if (delivery && isGivenBack) givenBack.set(delivery.id, (givenBack.get(delivery.id) ?? 0) + 1)
    }
    const lasts = change.kind === 'insert' || change.kind === 'check' || writesTexts(change)
    if (IMMUTABLE.has(collection) && !lasts) broken.push(`${collection} ${id}: ${change.kind} of an immutable record`)
  }

  const dirty = new Set<string>()
  let commits = 0
  return {
    dirty,
    commits: () => commits,
    mailed,
    givenBack,
    statuses,
    values,
    told,
    async committed(changes) {
      commits += 1
      for (const { at } of changes) dirty.add(at[0])
      // Read at once, so that no commit happens in between.
      await Promise.all(changes.map(look))
    },
  }
}

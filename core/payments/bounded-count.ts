import { type Either, type Failure, isLeft, left, right, throttled } from '../failure.ts'
import {
  all,
  always,
  type Change,
  ensure,
  eq,
  expiringCollection,
  gt,
  lt,
  orNull,
  patch,
  record,
  t,
} from '../kernel/records/record.ts'
import type { FactsOf, Fresh } from '../kernel/running/use-case.ts'
import { addDays, addSeconds, type Day, type Instant, secondsBetween, startOfDay } from '../kernel/values/day.ts'
import { LINK_CHARGES } from '../limits.ts'
import { byId, type Store } from '../ports/store.ts'
import type { Charge } from './charges/charge.ts'
import type { PaymentsPorts } from './payments-ports.ts'

const boundedCount = record({
  /** The kind of count and its owner: `key-lookups|7`. */
  id: t.string,
  /** Null for a count over all accounts. */
  accountId: orNull(t.number),
  /** May be negative, since `addPlaces` adds places that were not taken. */
  count: t.number,
  /** The start of the window. A place is released in the window in which it was taken. */
  since: t.string,
  expiresAt: t.string,
})

/** The count of a bound in a time window, and its guard: every request that takes a place patches it. */
export type BoundedCount = t.TypeOf<typeof boundedCount>

export const boundedCounts = expiringCollection('payments.bounded-counts', boundedCount)

/** A count and its bound. */
export interface Bound {
  readonly id: string
  readonly accountId: number | null
  readonly max: number
  /** The end of a window that starts now. */
  readonly expiresAt: Instant
}

const HOUR_SECONDS = 3_600

/** A bound per hour, from the first place taken. */
export const hourlyBound = (of: Omit<Bound, 'expiresAt'>, now: Instant): Bound => ({
  ...of,
  expiresAt: addSeconds(now, HOUR_SECONDS),
})

/**
 * Takes a place, if one is left: returns the changes and the start of the window. Concurrent places commute, and the
 * guard rejects those above the bound. Fails with `code` and the seconds until the window ends.
 */
export const takePlace = <const C extends string>(
  code: C,
  known: BoundedCount | null,
  { id, accountId, max: most, expiresAt }: Bound,
  now: Instant,
): Either<Failure<C, never>, { readonly since: Instant; readonly changes: readonly Change[] }> => {
  const window = { since: now, expiresAt }
  if (known !== null && known.expiresAt <= now) {
    const when = eq('expiresAt', known.expiresAt)
    return right({ since: now, changes: [patch(boundedCounts, id, { set: { count: 1, ...window }, when })] })
  }
  if (known !== null && known.count >= most) return left(throttled(code, secondsBetween(now, known.expiresAt)))
  const since = known?.since ?? now
  const isFree = all(lt('count', most), eq('since', since))
  return right({
    since,
    changes: [
      ensure(boundedCounts, { id, accountId, count: 0, ...window }),
      patch(boundedCounts, id, { add: { count: 1 }, when: isFree }),
    ],
  })
}

/** The changes that release a place during its window; `since` is the window in which it was taken. */
export const releasePlace = (known: BoundedCount | null, since: Instant | null, now: Instant): readonly Change[] => {
  if (known === null || known.since !== since || known.expiresAt <= now) return []
  const isSame = all(eq('since', since), gt('count', 0))
  return known.count <= 0 ? [] : [patch(boundedCounts, known.id, { add: { count: -1 }, when: isSame })]
}

/** The changes that add places to a window, whether or not places were taken. */
const addPlaces = (
  { id, accountId, expiresAt }: Omit<Bound, 'max'>,
  places: number,
  now: Instant,
): readonly Change[] => [
  ensure(boundedCounts, { id, accountId, count: 0, since: now, expiresAt }),
  patch(boundedCounts, id, { add: { count: -places }, when: always }),
]

const dayId = (linkId: string, day: Day): string => `link-day|${linkId}|${day}`

/**
 * Reads the counts of unpaid charges of a link: of a network in the hour, of all on the day. No id names the network.
 */
export const readLinkPlaces = async (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  store: Store,
  linkId: string,
  network: string,
  today: Day,
) => {
  const hourId = `link-hour|${linkId}|${cipher.digest(network, `${boundedCounts.name}/${linkId}`)}`
  const found = await store.read({ hour: byId(boundedCounts, hourId), day: byId(boundedCounts, dayId(linkId, today)) })
  return { hourId, ...found }
}

type LinkOwner = Pick<Charge, 'accountId'> & { readonly linkId: string }

const dayBound = ({ accountId, linkId }: LinkOwner, today: Day) => ({
  id: dayId(linkId, today),
  accountId,
  expiresAt: startOfDay(addDays(today, 1)),
})

/** Counts a new charge of a link. Fails: `link.throttled`, until the end of the hour or the day. */
export const takeLinkPlaces = (
  { settings }: Pick<PaymentsPorts, 'settings'>,
  { hourId, hour, day }: FactsOf<typeof readLinkPlaces>,
  of: LinkOwner,
  { steady, today }: Pick<Fresh, 'steady' | 'today'>,
) => {
  const { linkChargesPerHour = LINK_CHARGES.perHour, linkChargesPerDay = LINK_CHARGES.perDay } = settings
  const ofHour = hourlyBound({ id: hourId, accountId: of.accountId, max: linkChargesPerHour }, steady)
  const inHour = takePlace('link.throttled', hour, ofHour, steady)
  if (isLeft(inHour)) return left(inHour.left)
  const inDay = takePlace('link.throttled', day, { ...dayBound(of, today), max: linkChargesPerDay }, steady)
  if (isLeft(inDay)) return left(inDay.left)
  const { since } = inHour.right
  return right({ place: { id: hourId, since }, changes: [...inHour.right.changes, ...inDay.right.changes] })
}

/** Reads the hourly count in which a charge counts, if any. */
export const readLinkPlace = async (store: Store, { linkPlace }: Charge): Promise<BoundedCount | null> =>
  linkPlace && store.find(byId(boundedCounts, linkPlace.id))

/** Returns the changes for a paid charge: it no longer counts in its hour, and raises the day's limit of its link. */
export const freeLinkPlaces = (
  { accountId, linkId, linkPlace, createdDay }: Charge,
  hour: BoundedCount | null,
  { steady, today }: Pick<Fresh, 'steady' | 'today'>,
): readonly Change[] => {
  if (linkId === null || linkPlace === null) return []
  const places = LINK_CHARGES.perPaid + (createdDay === today ? 1 : 0)
  return [
    ...releasePlace(hour, linkPlace.since, steady),
    ...addPlaces(dayBound({ accountId, linkId }, today), places, steady),
  ]
}

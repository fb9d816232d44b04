import { type Either, type Failure, left, right, throttled } from '../failure.ts'
import {
  all,
  always,
  type Change,
  type Collection,
  ensure,
  eq,
  gt,
  lt,
  orNull,
  patch,
  record,
  t,
} from '../kernel/records/record.ts'
import { addSeconds, type Instant, secondsBetween } from '../kernel/values/day.ts'

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

/** The guard record of a bound in a time window: every request that takes a place patches it. */
export type BoundedCount = t.TypeOf<typeof boundedCount>

export const boundedCounts: Collection<BoundedCount> = {
  name: 'payments.bounded-counts',
  ids: 'text',
  codec: boundedCount,
  owner: null,
  indexes: [{ sort: 'expiresAt', acrossOwners: true }],
}

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

type Field = keyof BoundedCount & string

/**
 * Takes a place, if one is left: returns the changes and the start of the window. Concurrent places commute, and the guard
 * rejects those above the bound. Fails with `code` and the seconds until the window ends.
 */
export const takePlace = <const C extends string>(
  code: C,
  known: BoundedCount | null,
  { id, accountId, max: most, expiresAt }: Bound,
  now: Instant,
): Either<Failure<C, never>, { readonly since: Instant; readonly changes: readonly Change[] }> => {
  const begun = { since: now, expiresAt }
  if (known !== null && known.expiresAt <= now) {
    const when = eq<Field>('expiresAt', known.expiresAt)
    return right({ since: now, changes: [patch(boundedCounts, id, { set: { count: 1, ...begun }, when })] })
  }
  if (known !== null && known.count >= most) return left(throttled(code, secondsBetween(now, known.expiresAt)))
  const since = known?.since ?? now
  const isFree = all<Field>(lt('count', most), eq('since', since))
  return right({
    since,
    changes: [
      ensure(boundedCounts, { id, accountId, count: 0, ...begun }),
      patch(boundedCounts, id, { add: { count: 1 }, when: isFree }),
    ],
  })
}

/** The changes that release a place during its window; `since` is the window in which it was taken. */
export const releasePlace = (known: BoundedCount | null, since: Instant | null, now: Instant): readonly Change[] => {
  if (known === null || known.since !== since || known.expiresAt <= now) return []
  const isSame = all<Field>(eq('since', since), gt('count', 0))
  return known.count <= 0 ? [] : [patch(boundedCounts, known.id, { add: { count: -1 }, when: isSame })]
}

/** The changes that add places to a window, whether or not places were taken. */
export const addPlaces = (
  { id, accountId, expiresAt }: Omit<Bound, 'max'>,
  places: number,
  now: Instant,
): readonly Change[] => [
  ensure(boundedCounts, { id, accountId, count: 0, since: now, expiresAt }),
  patch(boundedCounts, id, { add: { count: -places }, when: always }),
]

import { isLeft } from '../../core/failure.ts'
import { all, type Collection, eq, insert, lte, patch, t } from '../../core/kernel/records/record.ts'
import { idPool } from '../../core/kernel/running/ids.ts'
import { sweepOf } from '../../core/kernel/running/jobs.ts'
import { accept, decideAndCommit } from '../../core/kernel/running/use-case.ts'
import { addSeconds, type Instant, secondsBetween } from '../../core/kernel/values/day.ts'
import { networkOf } from '../../core/kernel/values/network.ts'
import type { Clock, Random } from '../../core/ports/runtime.ts'
import { byId, type Store } from '../../core/ports/store.ts'
import type { ServerFailure } from './replies/messages.ts'
import type { HttpRequest } from './request.ts'

const rateRecord = t.strict({
  /** The app, the limited scope and the network: `payments|*|203.0.113.7`. */
  id: t.string,
  /** The requests that processes have reserved in this minute, used or not. */
  taken: t.number,
  /** The end of the minute, which begins with its first request. */
  expiresAt: t.string,
})

/** The requests of a network in the current minute, shared by all processes of the store. */
type RateRecord = t.TypeOf<typeof rateRecord>

/** Swept by `expiresAt`. */
export const httpRates: Collection<RateRecord> = {
  name: 'http.rates',
  ids: 'text',
  codec: rateRecord,
  owner: null,
  indexes: [{ sort: 'expiresAt', acrossOwners: true }],
}

/** The collections and sweeps of a server, besides those of its business. */
export const serverPart = { collections: [httpRates], sweeps: [sweepOf(httpRates)] }

interface Limits {
  readonly app: string
  readonly rates: Rates
  readonly ratePerMinute?: number | null
}

type RateLimit = (request: Pick<HttpRequest, 'address'>) => ServerFailure | null | Promise<ServerFailure | null>

/** The scope of the limit of the whole app. */
const ALL = '*'

/** Returns the rate limit of a row: that of the whole app, then the row's own; null without any. */
export const rateLimitOf = (
  { app, rates, ratePerMinute }: Limits,
  row: { readonly name: string; readonly rate?: { readonly perMinute: number } } | null,
): RateLimit | null => {
  const limits = [
    ...(ratePerMinute ? [{ scope: ALL, perMinute: ratePerMinute }] : []),
    ...(row?.rate ? [{ scope: row.name, perMinute: row.rate.perMinute }] : []),
  ]
  if (limits.length === 0) return null
  return async ({ address }) => {
    const network = networkOf(address)
    for (const { scope, perMinute } of limits) {
      const failure = await rates.take({ id: `${app}|${scope}|${network}`, perMinute })
      if (failure) return failure
    }
    return null
  }
}

export const RATE_SECONDS = 60
/** The limit of shares in a process. Beyond it, the oldest are deleted, with the requests reserved for them. */
export const MAX_SHARES = 10_000
/** Commits at once on a release; far fewer than may wait in a store. */
const RELEASES_AT_ONCE = 200
/** The approximate number of commits of a busy network in a minute. */
const SLICES = 20

/**
 * Returns the number of requests that a process reserves at once. Limits below 40 are reserved one by one, and so are
 * exact.
 */
export const sliceOf = (perMinute: number): number => Math.max(1, Math.floor(perMinute / SLICES))

/** The part of a limit that this process has reserved. */
interface Share {
  left: number
  /** True if no process can reserve more in this minute. */
  isSpent: boolean
  /** Null before the first reservation. */
  expiresAt: Instant | null
  waiting: number
  reserving: Promise<ServerFailure | null> | null
}

interface Slice {
  readonly granted: number
  readonly expiresAt: Instant
}

interface Allowance {
  readonly id: string
  readonly perMinute: number
}

/** The rate limits of an app. */
export interface Rates {
  /** Takes one request of an allowance; null if it is allowed. Fails: `rate.limited`, `store.unavailable`. */
  take(allowance: Allowance): ServerFailure | null | Promise<ServerFailure | null>
  /** Releases the unused reservations, on a clean stop. */
  releaseUnused(): Promise<void>
}

type Ports = { readonly store: Store; readonly clock: Clock; readonly random: Random }

/**
 * Creates the rate limits of an app. A minute begins with its first request. Each process reserves slices of the
 * allowance in the store before it uses them, so that all processes together never exceed the limit. An unused
 * reservation, at most a slice, is lost for that minute unless it is released. A request within a slice does not access
 * the store.
 */
export const createRates = (ports: Ports): Rates => {
  const { clock } = ports
  const runtime = { ...ports, ids: idPool(ports.store) }
  const shares = new Map<string, Share>()

  const shareOf = (id: string, steady: Instant): Share => {
    const known = shares.get(id)
    if (known && (known.expiresAt === null || known.expiresAt > steady)) return known
    const share: Share = { left: 0, isSpent: false, expiresAt: null, waiting: 0, reserving: null }
    shares.delete(id)
    shares.set(id, share)
    deleteOldest(shares, steady)
    return share
  }

  const reserve = async ({ id, perMinute }: Allowance, share: Share): Promise<ServerFailure | null> => {
    const wanted = Math.max(sliceOf(perMinute), share.waiting)
    const taken = await decideAndCommit(
      runtime,
      (store) => store.find(byId(httpRates, id)),
      (known, { steady }) => decideSlice(known, { id, perMinute }, wanted, steady),
    )
    if (isLeft(taken)) return taken.left
    const { granted, expiresAt } = taken.right
    share.left += granted
    share.isSpent = granted < wanted
    share.expiresAt = expiresAt
    return null
  }

  const reserveAndTake = async (allowance: Allowance): Promise<ServerFailure | null> => {
    for (;;) {
      const steady = clock.steady()
      const share = shareOf(allowance.id, steady)
      const answer = takeFrom(share, steady)
      if (answer !== undefined) return answer
      share.waiting += 1
      // All requests that wait for the same network share one reservation.
      share.reserving ??= reserve(allowance, share).finally(() => {
        share.reserving = null
      })
      const failure = await share.reserving
      share.waiting -= 1
      if (failure) return failure
    }
  }

  return {
    take(allowance) {
      const steady = clock.steady()
      const answer = takeFrom(shareOf(allowance.id, steady), steady)
      return answer === undefined ? reserveAndTake(allowance) : answer
    },
    releaseUnused: () => releaseUnused(ports, shares),
  }
}

const releaseUnused = async ({ store, clock }: Ports, shares: Map<string, Share>): Promise<void> => {
  const steady = clock.steady()
  const unused = [...shares].filter(([, { left, expiresAt }]) => left > 0 && expiresAt !== null && expiresAt > steady)
  shares.clear()
  for (let at = 0; at < unused.length; at += RELEASES_AT_ONCE) {
    const commits = unused.slice(at, at + RELEASES_AT_ONCE).map(([id, { left, expiresAt }]) => {
      const change = patch(httpRates, id, { add: { taken: -left }, when: eq('expiresAt', expiresAt) })
      return store.commit([change])
    })
    // A failed release has no effect beyond the current minute.
    await Promise.allSettled(commits)
  }
}

/** Returns null if the request is allowed, undefined if the process must reserve more. */
const takeFrom = (share: Share, steady: Instant): ServerFailure | null | undefined => {
  if (share.left > 0) {
    share.left -= 1
    return null
  }
  if (!share.isSpent || share.expiresAt === null) return undefined
  return { tag: 'throttled', code: 'rate.limited', retryAfterSeconds: secondsBetween(steady, share.expiresAt) }
}

/** Deletes expired shares, and the oldest beyond the limit. A map keeps its order, so these come first. */
const deleteOldest = (shares: Map<string, Share>, steady: Instant): void => {
  for (const [id, { expiresAt }] of shares) {
    const isOver = expiresAt !== null && expiresAt <= steady
    if (!isOver && shares.size <= MAX_SHARES) return
    shares.delete(id)
  }
}

const decideSlice = (known: RateRecord | null, { id, perMinute }: Allowance, wanted: number, steady: Instant) => {
  const isNew = known === null || known.expiresAt <= steady
  if (isNew) {
    const [granted, expiresAt] = [Math.min(wanted, perMinute), addSeconds(steady, RATE_SECONDS)]
    const fields = { taken: granted, expiresAt }
    const change = known
      ? patch(httpRates, id, { set: fields, when: eq('expiresAt', known.expiresAt) })
      : insert(httpRates, { id, ...fields })
    return accept<Slice>({ granted, expiresAt }, change)
  }
  const { expiresAt } = known
  const granted = Math.min(wanted, Math.max(0, perMinute - known.taken))
  if (granted === 0) return accept<Slice>({ granted, expiresAt })
  const when = all(eq('expiresAt', expiresAt), lte('taken', perMinute - granted))
  return accept<Slice>({ granted, expiresAt }, patch(httpRates, id, { add: { taken: granted }, when }))
}

import { isLeft, t } from '../../core/fp.ts'
import { insert, patch } from '../../core/kernel/records/change.ts'
import type { Collection } from '../../core/kernel/records/collection.ts'
import { all, eq, lte } from '../../core/kernel/records/where.ts'
import { idPool } from '../../core/kernel/running/fresh.ts'
import { sweepOf } from '../../core/kernel/running/jobs.ts'
import { accept, decideAndCommit } from '../../core/kernel/running/use-case.ts'
import { addSeconds, type Instant, secondsBetween } from '../../core/kernel/values/day.ts'
import { networkOf } from '../../core/kernel/values/network.ts'
import type { Clock, Random } from '../../core/ports/runtime.ts'
import { byId, type Store } from '../../core/ports/store.ts'
import type { ServerFailure } from './replies/messages.ts'
import type { HttpRequest } from './request.ts'

const rateRecord = t.strict({
  /** App, what is limited there, and the address: `payments|*|203.0.113.7`. */
  id: t.string,
  /** Requests that processes have set aside for it in this minute, whether or not they came. */
  taken: t.number,
  /** When the minute ends, counted from its first request. */
  expiresAt: t.string,
})

/** How often somebody may still ask within a minute, shared by every process of the store. */
export type RateRecord = t.TypeOf<typeof rateRecord>

/** Swept by `expiresAt`. Source: decisions.md §7, `RATE_LIMIT_PER_MINUTE`. */
export const httpRates: Collection<RateRecord> = {
  name: 'http.rates',
  ids: 'text',
  codec: rateRecord,
  owner: null,
  indexes: [{ sort: 'expiresAt', acrossOwners: true }],
}

interface Limits {
  readonly app: string
  readonly rates: Rates
  readonly ratePerMinute?: number | null
}

export type RateLimit = (request: Pick<HttpRequest, 'address'>) => ServerFailure | null | Promise<ServerFailure | null>

/** Everything of an app that has no limit of its own. */
const ALL = '*'

/** What limits a row by address, or null: the limit of the whole app, then the one that its text states. */
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
/** Addresses that a process remembers; beyond that the longest known are forgotten, with what was set aside for them. */
export const MAX_SHARES = 10_000
/** Well below what may wait in a store. */
const GIVEN_AT_ONCE = 200
/** Commits that one busy address costs in a minute, about. */
const SLICES = 20

/** Requests that a process sets aside at once. Limits below 40 go one by one, and so hold exactly. */
export const sliceOf = (perMinute: number): number => Math.max(1, Math.floor(perMinute / SLICES))

/** What this process has set aside of an allowance that all processes share. */
interface Share {
  left: number
  /** Whether nobody can set aside any more of this minute. */
  isSpent: boolean
  /** Null before the store was asked. */
  expiresAt: Instant | null
  waiting: number
  asking: Promise<ServerFailure | null> | null
}

interface Slice {
  readonly granted: number
  readonly expiresAt: Instant
}

interface Allowance {
  readonly id: string
  readonly perMinute: number
}

/** Limits how often something may be asked. */
export interface Rates {
  /** Null where it may be. Fails: `rate.limited`, and `store.unavailable` where it cannot be told. */
  take(allowance: Allowance): ServerFailure | null | Promise<ServerFailure | null>
  /** Returns to the others what was set aside and not used, on a clean stop. */
  releaseUnused(): Promise<void>
}

type Ports = { readonly store: Store; readonly clock: Clock; readonly random: Random }

/**
 * A minute begins with its first request. Each process sets slices of the allowance aside in the store before it lets
 * anybody use them, so that all processes together never let more through than the limit; what one of them has set
 * aside and not used, at most a slice, is lost to the others for that minute unless it is given back. Between slices a request costs no store.
 */
export const createRates = (ports: Ports): Rates => {
  const { clock } = ports
  const runtime = { ...ports, ids: idPool(ports.store) }
  const shares = new Map<string, Share>()

  const shareOf = (id: string, steady: Instant): Share => {
    const known = shares.get(id)
    if (known && (known.expiresAt === null || known.expiresAt > steady)) return known
    const share: Share = { left: 0, isSpent: false, expiresAt: null, waiting: 0, asking: null }
    shares.delete(id)
    shares.set(id, share)
    forget(shares, steady)
    return share
  }

  const slice = async ({ id, perMinute }: Allowance, share: Share): Promise<ServerFailure | null> => {
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

  const takeSlowly = async (allowance: Allowance): Promise<ServerFailure | null> => {
    for (;;) {
      const steady = clock.steady()
      const share = shareOf(allowance.id, steady)
      const answer = use(share, steady)
      if (answer !== undefined) return answer
      share.waiting += 1
      // Those who wait for the same address share one look at the store.
      share.asking ??= slice(allowance, share).finally(() => {
        share.asking = null
      })
      const failure = await share.asking
      share.waiting -= 1
      if (failure) return failure
    }
  }

  return {
    take(allowance) {
      const steady = clock.steady()
      const answer = use(shareOf(allowance.id, steady), steady)
      return answer === undefined ? takeSlowly(allowance) : answer
    },
    releaseUnused: () => unclaim(ports, shares),
  }
}

const unclaim = async ({ store, clock }: Ports, shares: Map<string, Share>): Promise<void> => {
  const steady = clock.steady()
  const unused = [...shares].filter(([, { left, expiresAt }]) => left > 0 && expiresAt !== null && expiresAt > steady)
  shares.clear()
  for (let at = 0; at < unused.length; at += GIVEN_AT_ONCE) {
    const commits = unused.slice(at, at + GIVEN_AT_ONCE).map(([id, { left, expiresAt }]) => {
      const change = patch(httpRates, id, { add: { taken: -left }, when: eq('expiresAt', expiresAt) })
      return store.commit([change])
    })
    // A minute that is over meanwhile, or a store that is away, needs nothing back.
    await Promise.allSettled(commits)
  }
}

/** Null where there was something left, undefined where the store is to be asked. */
const use = (share: Share, steady: Instant): ServerFailure | null | undefined => {
  if (share.left > 0) {
    share.left -= 1
    return null
  }
  if (!share.isSpent || share.expiresAt === null) return undefined
  return { tag: 'throttled', code: 'rate.limited', retryAfterSeconds: secondsBetween(steady, share.expiresAt) }
}

/** Those that have run out stand first, as a map keeps its order. */
const forget = (shares: Map<string, Share>, steady: Instant): void => {
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

/** What a server keeps in the store of its business besides that, and what of it runs out. Keys are the business's own. */
export const serverPart = { collections: [httpRates], sweeps: [sweepOf(httpRates)] }

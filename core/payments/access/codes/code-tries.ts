import { type Failure, throttled } from '../../../failure.ts'
import { type Either, left, right, t } from '../../../fp.ts'
import { type Change, ensure, patch } from '../../../kernel/records/change.ts'
import type { Collection } from '../../../kernel/records/collection.ts'
import { record } from '../../../kernel/records/record.ts'
import { all, eq, gt, lt } from '../../../kernel/records/where.ts'
import { addSeconds, type Instant, secondsBetween } from '../../../kernel/values/day.ts'
import { networkOf } from '../../../kernel/values/network.ts'
import type { Origin } from '../../../office/audit.ts'

const codeTries = record({
  /** Names the counted thing: an address, an e-mail and flow, a registration, a code and an address; or a founder. */
  id: t.string,
  /** Those that were wrong, or are not yet known to be right. */
  wrong: t.number,
  /** When the first of them was. */
  since: t.string,
  /** Until when they count. */
  expiresAt: t.string,
})

/** Wrong tries at codes that were mailed. Source: decisions.md §1, Sessions and codes. */
export type CodeTries = t.TypeOf<typeof codeTries>

export const codeTryCounts: Collection<CodeTries> = {
  name: 'payments.code-tries',
  ids: 'text',
  codec: codeTries,
  owner: null,
  indexes: [{ sort: 'expiresAt', acrossOwners: true }],
}

/** How many wrong tries within how long, counted from the first of them. */
export interface Bound {
  readonly most: number
  readonly seconds: number
  /** How long what follows lasts, from the last of them on; else it ends with them. */
  readonly lastsSeconds?: number
}

const HOUR = 3_600
const DAY = 24 * HOUR

/** From one address, over all e-mails and registrations: further ones are refused unread. */
export const TRIES_FROM_ADDRESS: Bound = { most: 100, seconds: HOUR }
/** At the codes of one e-mail and flow, or of one registration: further codes are long ones. */
export const TRIES_BEFORE_LONG_CODES: Bound = { most: 30, seconds: DAY, lastsSeconds: DAY }
/** At one code from one address, for which they end it; no code lives longer. */
export const TRIES_AT_CODE_FROM_ADDRESS: Bound = { most: 5, seconds: HOUR }
/** At one code, for everybody. */
export const TRIES_AT_CODE = 20

/** What callers are counted under whose program does not say where they come from. */
const UNKNOWN_NETWORK = 'unknown'

/** Where a try comes from, as it is counted. */
export const networkOfTry = (origin: Origin | null | undefined): string =>
  origin ? networkOf(origin.address) : UNKNOWN_NETWORK

export const addressTriesId = (network: string): string => `address|${network}`
export const codeTriesId = (codeId: string, network: string): string => `${codeId}|${network}`

/** Whether a bound is reached now. */
export const isReached = (known: CodeTries | null, { most }: Bound, now: Instant): known is CodeTries =>
  known !== null && known.expiresAt > now && known.wrong >= most

/** Fails: `code.throttled`, where an address has tried too often. */
export const addressMayTry = (known: CodeTries | null, now: Instant): Either<Failure<'code.throttled'>, null> =>
  isReached(known, TRIES_FROM_ADDRESS, now)
    ? left(throttled('code.throttled', secondsBetween(now, known.expiresAt)))
    : right(null)

/** The changes that count a try before it is compared, of a bound that is not reached. Tries commute, but for its last. */
export const countTry = (
  known: CodeTries | null,
  id: string,
  { most, seconds, lastsSeconds }: Bound,
  now: Instant,
): readonly Change[] => {
  const begun = { since: now, expiresAt: addSeconds(now, seconds) }
  const first = ensure(codeTryCounts, { id, wrong: 0, ...begun })
  const counts = gt<keyof CodeTries & string>('expiresAt', now)
  const oneMore = patch(codeTryCounts, id, { add: { wrong: 1 }, when: all(counts, lt('wrong', most - 1)) })
  if (!known) return [first, oneMore]
  if (known.expiresAt <= now) {
    return [patch(codeTryCounts, id, { set: { wrong: 1, ...begun }, when: eq('expiresAt', known.expiresAt) })]
  }
  if (known.wrong < most - 1) return [oneMore]
  const set = lastsSeconds === undefined ? {} : { expiresAt: addSeconds(now, lastsSeconds) }
  return [patch(codeTryCounts, id, { add: { wrong: 1 }, set, when: all(counts, eq('wrong', known.wrong)) })]
}

/** The changes that give a try back that was right, with what followed from it. */
export const giveTryBack = (known: CodeTries | null, { seconds }: Bound, now: Instant): readonly Change[] => {
  if (!known || known.expiresAt <= now || known.wrong === 0) return []
  const { id, since } = known
  const set = { expiresAt: addSeconds(since, seconds) }
  return [patch(codeTryCounts, id, { add: { wrong: -1 }, set, when: all(eq('since', since), gt('wrong', 0)) })]
}

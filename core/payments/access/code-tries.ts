import { type Failure, throttled } from '../../failure.ts'
import { type Either, isLeft, left, right, t } from '../../fp.ts'
import { type Change, ensure, patch } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { record } from '../../kernel/records/record.ts'
import { all, eq, gt, lt } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, type DecisionResult, type RunnerCode, useCase } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant, secondsBetween } from '../../kernel/values/day.ts'
import { networkOf } from '../../kernel/values/network.ts'
import type { Origin } from '../../office/audit.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type CodeFormat, LONG, parseTypedCode, type TypedText } from './code-format.ts'

/** A code that was mailed and not used, as its record keeps it. */
export interface MailedCode {
  /** Changes with every new code, and salts its hash. */
  readonly codeId: string
  readonly hash: string
  readonly length: number
  /** Of everybody's. */
  readonly triesLeft: number
  readonly expiresAt: Instant
  /** Takes one of them, where there is one. */
  readonly takeTry: Change
}

/** Somebody types a code in. */
export interface CodeTry<C extends string, I extends string> {
  /** What codes are counted together for: an e-mail and flow, or a registration. */
  readonly subject: string
  readonly typed: string
  /** What its short codes look like. */
  readonly short: CodeFormat
  readonly origin: Origin | null | undefined
  /** What a wrong one is answered with. */
  readonly wrong: Failure<C, I>
}

/** A code that was found right, and what counted it. */
export interface RightCode {
  readonly codeId: string
  readonly counted: readonly Counter[]
  /** What counts tries at this code alone, where it has so many. */
  readonly atCode: readonly Counter[]
}

interface Counter {
  readonly id: string
  readonly limit: TryLimit
}

interface Facts<C extends string, I extends string> {
  readonly found: Either<Failure<C, I>, MailedCode | null>
  readonly ofAddress: CodeTries | null
  readonly ofSubject: CodeTries | null
  readonly atCode: CodeTries | null
}

/** The stored form of a code: there are so few that whoever reads it could else try them all. */
export const codeHash = (cipher: Cipher, codeId: string, typed: string): string => cipher.digest(typed, codeId)

/**
 * Tries a code: the try is counted by a commit of its own, then compared. Whatever is wrong (the code, that there is none,
 * that it was ended) is answered alike, and takes one commit. What `find` fails with is no try.
 * Fails: `code.throttled`, the try's own `wrong`, what `find` fails with.
 * Source: decisions.md §1, Sessions and codes; §12, Codes.
 */
export const tryCode = async <
  C extends string = never,
  I extends string = never,
  D extends string = never,
  J extends string = never,
>(
  ports: PaymentsPorts,
  find: (store: Store) => Promise<Either<Failure<C, I>, MailedCode | null>>,
  tried: CodeTry<D, J>,
): Promise<Either<Failure<C | D | 'code.throttled' | RunnerCode, I | J>, RightCode>> => {
  const { cipher, digest } = ports
  const typed = parseTypedCode(tried.typed, tried.short)
  const counted = await useCase(
    ports,
    (store) => readFacts(store, find, tried),
    (facts, fresh) => decideTry(facts, typed, tried, fresh),
  )()
  if (isLeft(counted)) return counted
  const { mailed, counters, atCode } = counted.right
  const isRight =
    mailed !== null && typed !== null && digest.equal(mailed.hash, codeHash(cipher, mailed.codeId, typed.text))
  return isRight ? right({ codeId: mailed.codeId, counted: counters, atCode }) : left(tried.wrong)
}

const readFacts = async <C extends string = never, I extends string = never>(
  store: Store,
  find: (store: Store) => Promise<Either<Failure<C, I>, MailedCode | null>>,
  { subject, origin }: Pick<CodeTry<string, string>, 'subject' | 'origin'>,
): Promise<Facts<C, I>> => {
  const found = await find(store)
  const network = networkOfTry(origin)
  const codeId = isLeft(found) ? null : (found.right?.codeId ?? null)
  const counts = await store.read({
    ofAddress: byId(codeTryCounts, addressTriesId(network)),
    ofSubject: byId(codeTryCounts, subject),
    atCode: byId(codeTryCounts, codeTriesId(codeId ?? '', network)),
  })
  return { found, ...counts }
}

interface Counted {
  /** The code to compare with; null where none is open to who tries. */
  readonly mailed: MailedCode | null
  readonly counters: readonly Counter[]
  readonly atCode: readonly Counter[]
}

const NO_CODE: Counted = { mailed: null, counters: [], atCode: [] }

/** Counts a try at whatever is out. */
export const decideTry = <C extends string = never, I extends string = never>(
  { found, ofAddress, ofSubject, atCode }: Facts<C, I>,
  typed: TypedText | null,
  { subject, short, origin }: Pick<CodeTry<string, string>, 'subject' | 'short' | 'origin'>,
  { steady }: Pick<Fresh, 'steady'>,
): DecisionResult<Counted, C | 'code.throttled', I> => {
  const may = checkAddressTries(ofAddress, steady)
  if (isLeft(may)) return may
  if (isLeft(found)) return found
  const mailed = found.right
  const length = mailed?.length ?? short.length
  // What cannot be a code is no guess at one.
  if (typed?.length !== length) return accept(NO_CODE)
  // Nobody guesses a long one: it is neither counted by itself nor for its subject.
  const isLong = length === LONG.length
  const network = networkOfTry(origin)
  const counters = [
    { id: addressTriesId(network), bound: TRIES_FROM_ADDRESS, known: ofAddress },
    ...(isLong ? [] : [{ id: subject, bound: TRIES_BEFORE_LONG_CODES, known: ofSubject }]),
  ].filter(({ known, bound }) => !isLimitReached(known, bound, steady))
  const counting = counters.flatMap(({ known, id, bound }) => countTry(known, id, bound, steady))
  if (!mailed || mailed.expiresAt <= steady) return accept(NO_CODE, ...counting)
  if (isLong) return accept({ mailed, counters, atCode: [] }, ...counting)
  const atCodeBound = TRIES_AT_CODE_FROM_ADDRESS
  if (mailed.triesLeft < 1 || isLimitReached(atCode, atCodeBound, steady)) return accept(NO_CODE, ...counting)
  const id = codeTriesId(mailed.codeId, network)
  const taking = countTry(atCode, id, atCodeBound, steady)
  return accept({ mailed, counters, atCode: [{ id, bound: atCodeBound }] }, ...counting, mailed.takeTry, ...taking)
}

/** The counts that a right code was counted in, as they stand now. */
export const readCounted = (store: Store, { counted }: RightCode): Promise<readonly (CodeTries | null)[]> =>
  Promise.all(counted.map(({ id }) => store.find(byId(codeTryCounts, id))))

/** The changes that give its try back. */
export const uncountRightCode = (
  { counted }: RightCode,
  known: readonly (CodeTries | null)[],
  now: Instant,
): readonly Change[] => counted.flatMap(({ limit: bound }, place) => uncountTry(known[place] ?? null, bound, now))

/**
 * Whether somebody may type codes in from where they are: asked before anything else of a request is looked at.
 * Fails: `code.throttled`. Source: decisions.md §1, Sessions and codes.
 */
export const checkCodeTries = (ports: PaymentsPorts) => (origin: Origin | null) =>
  useCase(
    ports,
    (store) => store.find(byId(codeTryCounts, addressTriesId(networkOfTry(origin)))),
    (known, { steady }) => {
      const may = checkAddressTries(known, steady)
      return isLeft(may) ? may : accept(null)
    },
  )

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
export interface TryLimit {
  readonly most: number
  readonly seconds: number
  /** How long what follows lasts, from the last of them on; else it ends with them. */
  readonly lastsSeconds?: number
}

const HOUR = 3_600
const DAY = 24 * HOUR

/** From one address, over all e-mails and registrations: further ones are refused unread. */
export const TRIES_FROM_ADDRESS: TryLimit = { most: 100, seconds: HOUR }
/** At the codes of one e-mail and flow, or of one registration: further codes are long ones. */
export const TRIES_BEFORE_LONG_CODES: TryLimit = { most: 30, seconds: DAY, lastsSeconds: DAY }
/** At one code from one address, for which they end it; no code lives longer. */
export const TRIES_AT_CODE_FROM_ADDRESS: TryLimit = { most: 5, seconds: HOUR }
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
export const isLimitReached = (known: CodeTries | null, { most }: TryLimit, now: Instant): known is CodeTries =>
  known !== null && known.expiresAt > now && known.wrong >= most

/** Fails: `code.throttled`, where an address has tried too often. */
export const checkAddressTries = (known: CodeTries | null, now: Instant): Either<Failure<'code.throttled'>, null> =>
  isLimitReached(known, TRIES_FROM_ADDRESS, now)
    ? left(throttled('code.throttled', secondsBetween(now, known.expiresAt)))
    : right(null)

/** The changes that count a try before it is compared, of a bound that is not reached. Tries commute, but for its last. */
export const countTry = (
  known: CodeTries | null,
  id: string,
  { most, seconds, lastsSeconds }: TryLimit,
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
export const uncountTry = (known: CodeTries | null, { seconds }: TryLimit, now: Instant): readonly Change[] => {
  if (!known || known.expiresAt <= now || known.wrong === 0) return []
  const { id, since } = known
  const set = { expiresAt: addSeconds(since, seconds) }
  return [patch(codeTryCounts, id, { add: { wrong: -1 }, set, when: all(eq('since', since), gt('wrong', 0)) })]
}

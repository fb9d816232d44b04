import { type Either, type Failure, isLeft, left, right, throttled } from '../../failure.ts'
import { type Field, type FieldOptions, field } from '../../kernel/input/mod.ts'
import {
  all,
  type Change,
  ensure,
  eq,
  expiringCollection,
  gt,
  lt,
  patch,
  record,
  t,
} from '../../kernel/records/record.ts'
import { accept, type DecisionResult, type Fresh, type RunnerCode, useCase } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant, secondsBetween } from '../../kernel/values/day.ts'
import { networkOf } from '../../kernel/values/network.ts'
import { codePoints, digitsAndLetters } from '../../kernel/values/text.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import type { Origin, PaymentsPorts } from '../payments-ports.ts'

interface CodeFormat {
  readonly alphabet: string
  readonly length: number
}

export const DIGITS: CodeFormat = { alphabet: '0123456789', length: 6 }
/** The codes of a registration. */
export const LETTERS: CodeFormat = { alphabet: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', length: 4 }
/** A code that cannot be guessed: 100 random bits, in 32 characters without the similar I, 1, O and 0. */
export const LONG: CodeFormat = { alphabet: 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789', length: 20 }

/** A typed code in the form in which it is compared. */
interface TypedText {
  readonly text: string
  /** The length of the codes that it can match. */
  readonly length: number
}

/** Accepts any case and any separators. */
const parseLongCode = (typed: string): string | null => {
  const code = digitsAndLetters(typed).toUpperCase()
  return code.length === LONG.length ? code : null
}

/** Parses a short or a long code, letters in any case; null if it is neither. */
export const parseTypedCode = (typed: string, short: CodeFormat): TypedText | null => {
  if (codePoints(typed) === short.length) return { text: typed.toUpperCase(), length: short.length }
  const text = parseLongCode(typed)
  return text === null ? null : { text, length: LONG.length }
}

/** Leaves room for separators in a long code. */
const MAX_TYPED = 2 * LONG.length

/**
 * Builds the field of a typed code: a short code, as `short` reads it, or a long one. The use case checks which of the
 * two was mailed. Fails: as `short` does.
 */
export const typedCode = <I extends string>(
  short: Field<string, string, I>,
  { length }: CodeFormat,
  about: FieldOptions = {},
): Field<string, string, I | 'required'> => {
  const description = `${length} caracteres; depois de muitas tentativas erradas, ${LONG.length} letras e dígitos.`
  const { pattern: _, ...schema } = short.schema
  return field(
    {
      name: 'code',
      schema: { ...schema, minLength: length, maxLength: MAX_TYPED, description },
      is: short.is,
      read: (value) => {
        const long = typeof value === 'string' && value.length <= MAX_TYPED ? parseLongCode(value) : null
        return long === null ? short.read(value) : right(long)
      },
    },
    about,
  )
}

const codeTries = record({
  /**
   * An address, an e-mail and flow, a registration, a code or public search with an address, or a founder of accounts.
   */
  id: t.string,
  /** Tries that were wrong or are not yet compared. */
  wrong: t.number,
  /** The time of the first try. */
  since: t.string,
  /** The end of the window. */
  expiresAt: t.string,
})

/** A count of wrong tries at mailed codes and public searches, or of founded accounts. */
export type CodeTries = t.TypeOf<typeof codeTries>

export const codeTryCounts = expiringCollection('payments.code-tries', codeTries)

/** The limit of wrong tries in a window that starts with the first. */
export interface TryLimit {
  readonly max: number
  readonly seconds: number
  /** If set, the try that reaches the limit extends the window to end this long after it. */
  readonly extendsSeconds?: number
}

const HOUR = 3_600
const DAY = 24 * HOUR

/** From one address, at all codes together. Further tries are rejected before the code is read. */
export const TRIES_FROM_ADDRESS: TryLimit = { max: 100, seconds: HOUR }
/** At the codes of one e-mail and flow, or of one registration. Further codes are long ones. */
const TRIES_BEFORE_LONG_CODES: TryLimit = { max: 30, seconds: DAY, extendsSeconds: DAY }
/** At one code from one address, which may then not use the code. The window is as long as a code is valid. */
const TRIES_AT_CODE_FROM_ADDRESS: TryLimit = { max: 5, seconds: HOUR }
/** At one code from all addresses. */
export const TRIES_AT_CODE = 20

/** An unused mailed code, as stored. */
export interface MailedCode {
  /** Changes with every new code and salts its hash. */
  readonly codeId: string
  readonly hash: string
  readonly length: number
  /** The tries left for all addresses together. */
  readonly triesLeft: number
  readonly expiresAt: Instant
  /** Subtracts one from `triesLeft`; fails at 0. */
  readonly takeTry: Change
}

/** A try at a code, as submitted. */
export interface CodeTry<C extends string, I extends string> {
  /** The counter of the tries at all codes of an e-mail and flow, or of a registration. */
  readonly subject: string
  readonly typed: string
  readonly short: CodeFormat
  readonly origin: Origin | null | undefined
  readonly wrong: Failure<C, I>
}

/** A code that matched, with the counters of its try. */
export interface RightCode {
  readonly codeId: string
  readonly counted: readonly Counter[]
  /** The counter of the tries at this code from this address; empty for a long code. */
  readonly atCode: readonly Counter[]
}

interface Counter {
  readonly id: string
  readonly limit: TryLimit
}

/**
 * Returns the stored hash of a code. It is keyed with the operator's key: without that, a reader of the store could try
 * all of the million six-digit codes.
 */
export const codeHash = (cipher: Cipher, codeId: string, typed: string): string => cipher.digest(typed, codeId)

/** Draws a code with its id and hash: a short one, or a long one after too many wrong tries at earlier codes. */
export const drawCode = (cipher: Cipher, fresh: Fresh, tries: CodeTries | null, short: CodeFormat) => {
  const { alphabet, length } = isLimitReached(tries, TRIES_BEFORE_LONG_CODES, fresh.steady) ? LONG : short
  const typed = fresh.text(alphabet, length)
  const codeId = fresh.uuid()
  return { typed, codeId, hash: codeHash(cipher, codeId, typed), length }
}

/**
 * Compares a typed code. The try is counted in a commit of its own before the comparison. A wrong code, a used-up code
 * and a missing code return the same failure, each after one commit. A failure of `find` is not counted.
 * Fails: `code.throttled`, `tried.wrong`, and as `find` does.
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
  const network = networkOfTry(tried.origin)
  const counted = await useCase(
    ports,
    async (store) => {
      const found = await find(store)
      const codeId = isLeft(found) ? null : (found.right?.codeId ?? null)
      const counts = await store.read({
        ofAddress: byId(codeTryCounts, addressTriesId(network)),
        ofSubject: byId(codeTryCounts, tried.subject),
        atCode: byId(codeTryCounts, codeTriesId(codeId ?? '', network)),
      })
      return { found, ...counts }
    },
    (facts, fresh) => decideTry(facts, typed, tried, fresh),
  )()
  if (isLeft(counted)) return counted
  const { mailed, counters, atCode } = counted.right
  const isRight =
    mailed !== null && typed !== null && digest.equal(mailed.hash, codeHash(cipher, mailed.codeId, typed.text))
  return isRight ? right({ codeId: mailed.codeId, counted: counters, atCode }) : left(tried.wrong)
}

interface Counted extends Pick<RightCode, 'atCode'> {
  /** The code to compare with; null if this address may try none. */
  readonly mailed: MailedCode | null
  readonly counters: readonly Counter[]
}

const NO_CODE: Counted = { mailed: null, counters: [], atCode: [] }

/** Counts a try, whether or not a code exists. */
export const decideTry = <C extends string = never, I extends string = never>(
  facts: Readonly<Record<'ofAddress' | 'ofSubject' | 'atCode', CodeTries | null>> & {
    readonly found: Either<Failure<C, I>, MailedCode | null>
  },
  typed: TypedText | null,
  { subject, short, origin }: Pick<CodeTry<string, string>, 'subject' | 'short' | 'origin'>,
  { steady }: Pick<Fresh, 'steady'>,
): DecisionResult<Counted, C | 'code.throttled', I> => {
  const { found, ofAddress, ofSubject, atCode } = facts
  const allowed = checkAddressTries(ofAddress, steady)
  if (isLeft(allowed)) return allowed
  if (isLeft(found)) return found
  const mailed = found.right
  const length = mailed?.length ?? short.length
  // A text of another length cannot match and is not counted.
  if (typed?.length !== length) return accept(NO_CODE)
  // A long code cannot be guessed: its tries are counted for the address only.
  const isLong = length === LONG.length
  const network = networkOfTry(origin)
  const counters = [
    { id: addressTriesId(network), limit: TRIES_FROM_ADDRESS, known: ofAddress },
    ...(isLong ? [] : [{ id: subject, limit: TRIES_BEFORE_LONG_CODES, known: ofSubject }]),
  ].filter(({ known, limit }) => !isLimitReached(known, limit, steady))
  const countChanges = counters.flatMap(({ known, id, limit }) => countTry(known, id, limit, steady))
  if (!mailed || mailed.expiresAt <= steady) return accept(NO_CODE, ...countChanges)
  if (isLong) return accept({ mailed, counters, atCode: [] }, ...countChanges)
  const limit = TRIES_AT_CODE_FROM_ADDRESS
  if (mailed.triesLeft < 1 || isLimitReached(atCode, limit, steady)) return accept(NO_CODE, ...countChanges)
  const id = codeTriesId(mailed.codeId, network)
  const countAtCode = countTry(atCode, id, limit, steady)
  return accept({ mailed, counters, atCode: [{ id, limit }] }, ...countChanges, mailed.takeTry, ...countAtCode)
}

/** Reads the present counts of a right code's try. */
export const readCounted = (store: Store, { counted }: RightCode): Promise<readonly (CodeTries | null)[]> =>
  Promise.all(counted.map(({ id }) => store.find(byId(codeTryCounts, id))))

/** Returns the changes that no longer count the try of a right code. */
export const uncountRightCode = (
  { counted }: RightCode,
  known: readonly (CodeTries | null)[],
  now: Instant,
): readonly Change[] => counted.flatMap(({ limit }, index) => uncountTry(known[index] ?? null, limit, now))

export const checkCodeTries = (ports: PaymentsPorts) => (origin: Origin | null) =>
  useCase(
    ports,
    (store) => store.find(byId(codeTryCounts, addressTriesId(networkOfTry(origin)))),
    (known, { steady }) => {
      const allowed = checkAddressTries(known, steady)
      return isLeft(allowed) ? allowed : accept(null)
    },
  )

/** Returns the network of an origin; all callers without one share a network. */
export const networkOfTry = (origin: Origin | null | undefined): string =>
  origin ? networkOf(origin.address) : 'unknown'

const addressTriesId = (network: string): string => `address|${network}`
const codeTriesId = (codeId: string, network: string): string => `${codeId}|${network}`

export const isLimitReached = (known: CodeTries | null, { max }: TryLimit, now: Instant): known is CodeTries =>
  known !== null && known.expiresAt > now && known.wrong >= max

/** Fails: `code.throttled` if the address has reached its limit. */
const checkAddressTries = (known: CodeTries | null, now: Instant): Either<Failure<'code.throttled'>, null> =>
  isLimitReached(known, TRIES_FROM_ADDRESS, now)
    ? left(throttled('code.throttled', secondsBetween(now, known.expiresAt)))
    : right(null)

/**
 * Returns the changes that count a try before it is compared, if the limit is not reached. Tries commute, except the
 * one that reaches the limit.
 */
export const countTry = (
  known: CodeTries | null,
  id: string,
  { max, seconds, extendsSeconds }: TryLimit,
  now: Instant,
): readonly Change[] => {
  const window = { since: now, expiresAt: addSeconds(now, seconds) }
  const first = ensure(codeTryCounts, { id, wrong: 0, ...window })
  const isOpen = gt('expiresAt', now)
  const oneMore = patch(codeTryCounts, id, { add: { wrong: 1 }, when: all(isOpen, lt('wrong', max - 1)) })
  if (!known) return [first, oneMore]
  if (known.expiresAt <= now) {
    return [patch(codeTryCounts, id, { set: { wrong: 1, ...window }, when: eq('expiresAt', known.expiresAt) })]
  }
  if (known.wrong < max - 1) return [oneMore]
  const set = extendsSeconds === undefined ? {} : { expiresAt: addSeconds(now, extendsSeconds) }
  return [patch(codeTryCounts, id, { add: { wrong: 1 }, set, when: all(isOpen, eq('wrong', known.wrong)) })]
}

/** Returns the changes that no longer count a right try, and undo an extension of the window. */
const uncountTry = (known: CodeTries | null, { seconds }: TryLimit, now: Instant): readonly Change[] => {
  if (!known || known.expiresAt <= now || known.wrong === 0) return []
  const { id, since } = known
  const set = { expiresAt: addSeconds(since, seconds) }
  return [patch(codeTryCounts, id, { add: { wrong: -1 }, set, when: all(eq('since', since), gt('wrong', 0)) })]
}

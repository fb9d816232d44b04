import { type Failure, failure } from '../../failure.ts'
import { type Either, isLeft, left, right } from '../../fp.ts'
import { type Change, insert, patch, remove } from '../../kernel/records/change.ts'
import { at } from '../../kernel/records/collection.ts'
import { all, eq, lte } from '../../kernel/records/where.ts'
import { type Begun, KEY_CONFLICT, type KeyHooks, type UseCase } from '../../kernel/running/use-case.ts'
import { digitsFinder, isCardNumber } from '../../kernel/values/card-number.ts'
import { plusSeconds } from '../../kernel/values/day.ts'
import { RETRY_AFTER_SECONDS } from '../../limits.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Digest } from '../../ports/digest.ts'
import { byId, type Store } from '../../ports/store.ts'
import type { Tracer } from '../../ports/tracer.ts'
import { canonical } from './canonical.ts'
import { idempotencyKeys, type KeyRecord } from './key-record.ts'

/** How long a key replays what came of it. Source: decisions.md §2. */
export const KEY_LIFE_SECONDS = 86_400
/** How long a running request is left alone: longer than any request lasts, bank calls included. */
export const KEY_LEASE_SECONDS = 120
export const MAX_KEY_CHARS = 255

/** What somebody can be told of a key. */
export type KeyCode = 'key.malformed' | 'key.reused' | 'key.running'
export type KeyFailure = Failure<KeyCode, never>

const MALFORMED: KeyFailure = failure('refused', 'key.malformed')
const REUSED: KeyFailure = failure('refused', 'key.reused')
const RUNNING: KeyFailure = { tag: 'conflict', code: 'key.running', retryAfterSeconds: RETRY_AFTER_SECONDS }

/** A request with a key: which record is its own, and what it asks. */
export interface KeyClaim {
  readonly id: string
  readonly fingerprint: string
}

/** A key whose request began something, and is not heard of any more. */
export interface AbandonedKey extends Begun {
  readonly is: 'abandoned'
  readonly leasedUntil: string
}

/** What the key of a request says about it; `K` is what is kept of a success. */
export type KeyState<K> =
  | { readonly is: 'free'; readonly expired: boolean }
  | { readonly is: 'done'; readonly kept: K }
  | { readonly is: 'refused'; readonly failure: KeyFailure }
  | { readonly is: 'running'; readonly intent: string | null }
  | AbandonedKey

/** A success as its key's record holds it: all but the text may be null. */
export interface KeptReply {
  readonly status: number | null
  readonly type: string | null
  readonly text: string
  readonly headers: string | null
}

/** What is kept of a success, to and from its record: an answer over HTTP, or a program's value. */
export interface KeptForm<K> {
  readonly write: (kept: K) => KeptReply
  readonly read: (reply: KeptReply) => K
}

export interface KeyPorts {
  readonly store: Store
  readonly digest: Digest
  readonly cipher: Cipher
  readonly clock: Clock
  readonly tracer?: Tracer
}

/** What the number of a card is marked under. */
const CARD_CONTEXT = 'card number'

const contextOf = (id: string): string => at(idempotencyKeys, id).join('/')

const replyOf = (cipher: Cipher, record: KeyRecord): KeptReply => ({
  status: record.replyStatus,
  type: record.replyType,
  text: record.replySealed === null ? '' : cipher.open(record.replySealed, contextOf(record.id)),
  headers: record.replyHeaders,
})

const doneWith = (cipher: Cipher, id: string, { status, type, text, headers }: KeptReply) =>
  ({
    status: 'done',
    replyStatus: status,
    replyType: type,
    replySealed: cipher.seal(text, contextOf(id)),
    replyHeaders: headers,
    leasedUntil: null,
  }) as const

const NOT_DONE = { replyStatus: null, replyType: null, replySealed: null, replyHeaders: null } as const

/** The hooks of a request, what was last kept of it, and what it has begun. */
interface KeptHooks<V, K> extends KeyHooks<V> {
  readonly last: { kept: { readonly value: K } | null; intent: string | null }
}

interface KeyedRun<V, K> {
  readonly claim: KeyClaim
  /** The record of a key that ran out makes way. */
  readonly expired: boolean
  /** What an earlier request has begun, where this one takes it up. */
  readonly resumes: Begun | null
  readonly encode: (value: V) => K
}

const hooksOf = <V, K>(
  cipher: Cipher,
  form: KeptForm<K>,
  { now, steady }: { readonly now: string; readonly steady: string },
  { claim, expired, resumes, encode }: KeyedRun<V, K>,
): KeptHooks<V, K> => {
  const last: KeptHooks<V, K>['last'] = { kept: null, intent: resumes?.intent ?? null }
  const record = { ...claim, createdAt: steady, expiresAt: plusSeconds(steady, KEY_LIFE_SECONDS) }
  const fresh = (rest: Omit<KeyRecord, keyof typeof record>): readonly Change[] => [
    ...(expired ? [remove(idempotencyKeys, claim.id, lte('expiresAt', steady))] : []),
    insert(idempotencyKeys, { ...record, ...rest }),
  ]
  const isOurs = () => all(eq('status', 'running'), eq('intent', last.intent))
  const keep = (value: V) => {
    last.kept = { value: encode(value) }
    return doneWith(cipher, claim.id, form.write(last.kept.value))
  }
  return {
    last,
    ...(resumes ? { resumes } : {}),
    whole: (value) => fresh({ intent: null, ...keep(value) }),
    begun(intent) {
      last.intent = intent
      const leasedUntil = plusSeconds(now, KEY_LEASE_SECONDS)
      return fresh({ status: 'running', intent, leasedUntil, ...NOT_DONE })
    },
    done: (value) => [patch(idempotencyKeys, claim.id, { set: keep(value), when: isOurs() })],
    freed: () => [remove(idempotencyKeys, claim.id, isOurs())],
    unanswered: () => [patch(idempotencyKeys, claim.id, { set: { leasedUntil: steady }, when: isOurs() })],
  }
}

/** Idempotency keys over the store, whatever is kept of a success. Source: decisions.md §2, §12; design, section 2. */
export const keysOf = <K>({ store, digest, cipher, clock }: KeyPorts, form: KeptForm<K>) => {
  const stateOf = async ({ id, fingerprint }: KeyClaim): Promise<KeyState<K>> => {
    const record = await store.find(byId(idempotencyKeys, id))
    const steady = clock.steady()
    if (!record) return { is: 'free', expired: false }
    if (record.expiresAt <= steady) return { is: 'free', expired: true }
    if (record.fingerprint !== fingerprint) return { is: 'refused', failure: REUSED }
    if (record.status === 'done') return { is: 'done', kept: form.read(replyOf(cipher, record)) }
    const { intent, leasedUntil, createdAt } = record
    if (intent === null || leasedUntil === null || leasedUntil > steady) return { is: 'running', intent }
    return { is: 'abandoned', intent, leasedUntil, begunAt: createdAt }
  }

  const run = async <V>(useCase: UseCase<V>, keyed: KeyedRun<V, K>): Promise<Either<Failure, K>> => {
    const hooks = hooksOf(cipher, form, { now: clock.now(), steady: clock.steady() }, keyed)
    const outcome = await useCase(hooks)
    if (!isLeft(outcome)) return right(hooks.last.kept ? hooks.last.kept.value : keyed.encode(outcome.right))
    // Another request with the key may have succeeded meanwhile, and be the very reason of this failure.
    const state = await stateOf(keyed.claim)
    if (state.is === 'done') return right(state.kept)
    if (state.is === 'refused') return left(state.failure)
    const isAnothers = state.is !== 'free' && state.intent !== hooks.last.intent
    return left(isAnothers || outcome.left.code === KEY_CONFLICT ? RUNNING : outcome.left)
  }

  return {
    /**
     * A scope with a missing part has no keys, and a key never contains the number of a card: of a key a plain digest is stored.
     * Fails: `key.malformed`.
     */
    claim(scope: readonly (string | null)[], key: string, request: unknown): KeyClaim | KeyFailure {
      const isText = typeof key === 'string' && key.length > 0 && key.length <= MAX_KEY_CHARS
      if (!isText || scope.includes(null)) return MALFORMED
      const id = digest.sha256(JSON.stringify([...scope, key]))
      const numbers: string[] = []
      const mark = (number: string): string => {
        numbers.push(number)
        return cipher.mark(number, CARD_CONTEXT)
      }
      const fingerprint = cipher.mark(canonical(request, mark), contextOf(id))
      const holdsCard = isCardNumber(key) || numbers.some((number) => digitsFinder(number)?.(key))
      return holdsCard ? MALFORMED : { id, fingerprint }
    },
    stateOf,
    /** Runs the first request of a key. Fails: `key.reused`, `key.running`, and as the use case does. */
    first: <V>(claim: KeyClaim, expired: boolean, useCase: UseCase<V>, encode: (value: V) => K) =>
      run(useCase, { claim, expired, resumes: null, encode }),
    /**
     * Takes up what an earlier request has begun and nobody finished. One repeat takes it; others are told that it runs.
     * Fails: `key.running`, and as the use case does.
     */
    async resume<V>(
      claim: KeyClaim,
      { intent, begunAt, leasedUntil }: AbandonedKey,
      useCase: UseCase<V>,
      encode: (value: V) => K,
    ): Promise<Either<Failure, K>> {
      const until = plusSeconds(clock.now(), KEY_LEASE_SECONDS)
      const when = all(eq('status', 'running'), eq('leasedUntil', leasedUntil))
      const taken = await store.commit([patch(idempotencyKeys, claim.id, { set: { leasedUntil: until }, when })])
      if (!taken.ok) return left(RUNNING)
      return run(useCase, { claim, expired: false, resumes: { intent, begunAt }, encode })
    },
    running: RUNNING,
  }
}

export type Keys<K> = ReturnType<typeof keysOf<K>>

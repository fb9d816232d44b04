import { type Either, type Failure, failure, isLeft, left, right } from '../failure.ts'
import {
  all,
  at,
  type Change,
  eq,
  expiringCollection,
  insert,
  lte,
  type NewFields,
  newRecord,
  patch,
  remove,
  t,
} from '../kernel/records/record.ts'
import { sweepOf } from '../kernel/running/jobs.ts'
import { KEY_CONFLICT, type KeyHooks, type StartedOperation, type UseCase } from '../kernel/running/use-case.ts'
import { digitsFinder, isCardNumber } from '../kernel/values/card-number.ts'
import { addSeconds } from '../kernel/values/day.ts'
import { encodeBase64 } from '../kernel/values/encoding.ts'
import { RETRY_AFTER_SECONDS } from '../limits.ts'
import type { Cipher, Clock, Digest } from '../ports/runtime.ts'
import { byId, type Store } from '../ports/store.ts'
import type { Tracer } from '../ports/tracer.ts'

const keyRecord = t.strict({
  /** SHA-256 of scope and key. The key itself is not stored. */
  id: t.string,
  /** A keyed digest of the request, whose parameters, query and body may contain a password or a PIN. */
  fingerprint: t.string,
  status: t.keyof({ running: null, done: null }),
  /** The id of the operation that the running request has started. */
  intent: t.union([t.string, t.null]),
  /** The HTTP answer, byte for byte; of an embedder's call only `replySealed`. All null while the request runs. */
  replyStatus: t.union([t.number, t.null]),
  replyType: t.union([t.string, t.null]),
  /** The body, or the value as JSON. Sealed, since it may contain a secret that is shown once. */
  replySealed: t.union([t.string, t.null]),
  /** JSON. */
  replyHeaders: t.union([t.string, t.null]),
  /** The time until which no other request resumes the operation; null when the request is done. */
  leasedUntil: t.union([t.string, t.null]),
  createdAt: t.string,
  expiresAt: t.string,
})

export type KeyRecord = t.TypeOf<typeof keyRecord>

/** Idempotency keys and the replies that they replay. */
export const idempotencyKeys = expiringCollection('http.keys', keyRecord)

export const keysPart = { collections: [idempotencyKeys], sweeps: [sweepOf(idempotencyKeys)] }

/** The time for which a key replays its reply. */
export const KEY_LIFE_SECONDS = 86_400
/** The lease of a running request: exceeds any request, bank calls included. */
export const KEY_LEASE_SECONDS = 120
export const MAX_KEY_CHARS = 255

export type KeyCode = 'key.malformed' | 'key.reused' | 'key.running'
export type KeyFailure = Failure<KeyCode, never>

const MALFORMED: KeyFailure = failure('refused', 'key.malformed')
const REUSED: KeyFailure = failure('refused', 'key.reused')
const RUNNING: KeyFailure = { tag: 'conflict', code: 'key.running', retryAfterSeconds: RETRY_AFTER_SECONDS }

/** A request with a key: the id of the key's record, and the fingerprint of the request. */
export interface KeyClaim {
  readonly id: string
  readonly fingerprint: string
}

/** The state of a key whose request started an operation and did not finish within its lease. */
export interface AbandonedKey extends StartedOperation {
  readonly is: 'abandoned'
  readonly leasedUntil: string
}

/** The state of a key for a request; `K` is the reply to replay. */
export type KeyState<K> =
  | { readonly is: 'free'; readonly expired: boolean }
  | { readonly is: 'done'; readonly reply: K }
  | { readonly is: 'refused'; readonly failure: KeyFailure }
  | { readonly is: 'running'; readonly intent: string | null }
  | AbandonedKey

/** A successful reply as stored. Only the text is required. */
export interface StoredReply {
  readonly status: number | null
  readonly type: string | null
  readonly text: string
  readonly headers: string | null
}

/** Converts replies to and from their stored form: HTTP answers, or the values of an embedder's calls. */
export interface ReplyCodec<K> {
  readonly write: (reply: K) => StoredReply
  readonly read: (stored: StoredReply) => K
}

export interface KeyPorts {
  readonly store: Store
  readonly digest: Digest
  readonly cipher: Cipher
  readonly clock: Clock
  readonly tracer?: Tracer
}

/** Creates idempotency keys over a store, for one kind of reply. */
export const keysOf = <K>({ store, digest, cipher, clock }: KeyPorts, codec: ReplyCodec<K>) => {
  const stateOf = async ({ id, fingerprint }: KeyClaim): Promise<KeyState<K>> => {
    const record = await store.find(byId(idempotencyKeys, id))
    const steady = clock.steady()
    if (!record) return { is: 'free', expired: false }
    if (record.expiresAt <= steady) return { is: 'free', expired: true }
    if (record.fingerprint !== fingerprint) return { is: 'refused', failure: REUSED }
    if (record.status === 'done') return { is: 'done', reply: codec.read(openReply(cipher, record)) }
    const { intent, leasedUntil, createdAt } = record
    if (intent === null || leasedUntil === null || leasedUntil > steady) return { is: 'running', intent }
    return { is: 'abandoned', intent, leasedUntil, startedAt: createdAt }
  }

  const run = async <V>(useCase: UseCase<V>, keyed: KeyedRun<V, K>): Promise<Either<Failure, K>> => {
    const hooks = hooksOf(cipher, codec, { now: clock.now(), steady: clock.steady() }, keyed)
    const outcome = await useCase(hooks)
    if (!isLeft(outcome)) return right(hooks.last.reply ? hooks.last.reply.value : keyed.encode(outcome.right))
    // The failure may be caused by the success of another request with the same key, whose reply is then the right one.
    const state = await stateOf(keyed.claim)
    if (state.is === 'done') return right(state.reply)
    if (state.is === 'refused') return left(state.failure)
    const isOtherRequest = state.is !== 'free' && state.intent !== hooks.last.intent
    return left(isOtherRequest || outcome.left.code === KEY_CONFLICT ? RUNNING : outcome.left)
  }

  return {
    /**
     * Returns the claim of a request with a key. Fails: `key.malformed`, also if a part of the scope is null or the key
     * contains a card number, because the stored id is a digest without the operator's key.
     */
    claim(scope: readonly (string | null)[], key: string, request: unknown): KeyClaim | KeyFailure {
      const isText = typeof key === 'string' && key.length > 0 && key.length <= MAX_KEY_CHARS
      if (!isText || scope.includes(null)) return MALFORMED
      const id = digest.sha256(JSON.stringify([...scope, key]))
      const numbers: string[] = []
      const mark = (number: string): string => {
        numbers.push(number)
        return cipher.digest(number, CARD_CONTEXT)
      }
      const fingerprint = cipher.digest(canonicalText(request, mark), contextOf(id))
      const containsCard = isCardNumber(key) || numbers.some((number) => digitsFinder(number)?.(key))
      return containsCard ? MALFORMED : { id, fingerprint }
    },
    stateOf,
    /** Runs the first request with a key. Fails: `key.reused`, `key.running`, and as the use case does. */
    first: <V>(claim: KeyClaim, expired: boolean, useCase: UseCase<V>, encode: (value: V) => K) =>
      run(useCase, { claim, expired, resumes: null, encode }),
    /**
     * Resumes the operation of an abandoned key. Of several requests at once, one resumes it and the others fail with
     * `key.running`. Fails: `key.running`, and as the use case does.
     */
    async resume<V>(
      claim: KeyClaim,
      { intent, startedAt, leasedUntil }: AbandonedKey,
      useCase: UseCase<V>,
      encode: (value: V) => K,
    ): Promise<Either<Failure, K>> {
      const until = addSeconds(clock.now(), KEY_LEASE_SECONDS)
      const when = all(eq('status', 'running'), eq('leasedUntil', leasedUntil))
      const outcome = await store.commit([patch(idempotencyKeys, claim.id, { set: { leasedUntil: until }, when })])
      if (!outcome.ok) return left(RUNNING)
      return run(useCase, { claim, expired: false, resumes: { intent, startedAt }, encode })
    },
    running: RUNNING,
  }
}

export type Keys<K> = ReturnType<typeof keysOf<K>>

const CARD_CONTEXT = 'card number'

const contextOf = (id: string): string => at(idempotencyKeys, id).join('/')

const openReply = (cipher: Cipher, record: KeyRecord): StoredReply => ({
  status: record.replyStatus,
  type: record.replyType,
  text: record.replySealed === null ? '' : cipher.open(record.replySealed, contextOf(record.id)),
  headers: record.replyHeaders,
})

const doneFields = (cipher: Cipher, id: string, { status, type, text, headers }: StoredReply) =>
  ({
    status: 'done',
    replyStatus: status,
    replyType: type,
    replySealed: cipher.seal(text, contextOf(id)),
    replyHeaders: headers,
    leasedUntil: null,
  }) as const

/** The hooks of a request, with the reply that they stored last and the operation that they started. */
interface RecordingHooks<V, K> extends KeyHooks<V> {
  readonly last: { reply: { readonly value: K } | null; intent: string | null }
}

interface KeyedRun<V, K> {
  readonly claim: KeyClaim
  /** True if the key has an expired record, which is then removed. */
  readonly expired: boolean
  /** The operation of an earlier request that this one resumes. */
  readonly resumes: StartedOperation | null
  readonly encode: (value: V) => K
}

const hooksOf = <V, K>(
  cipher: Cipher,
  codec: ReplyCodec<K>,
  { now, steady }: { readonly now: string; readonly steady: string },
  { claim, expired, resumes, encode }: KeyedRun<V, K>,
): RecordingHooks<V, K> => {
  const last: RecordingHooks<V, K>['last'] = { reply: null, intent: resumes?.intent ?? null }
  const expiresAt = addSeconds(steady, KEY_LIFE_SECONDS)
  const create = (rest: Omit<NewFields<KeyRecord>, keyof KeyClaim | 'createdAt' | 'expiresAt'>): readonly Change[] => [
    ...(expired ? [remove(idempotencyKeys, claim.id, lte('expiresAt', steady))] : []),
    insert(idempotencyKeys, newRecord(idempotencyKeys, { createdAt: steady, expiresAt, ...claim, ...rest })),
  ]
  const isOwnOperation = () => all(eq('status', 'running'), eq('intent', last.intent))
  const storeReply = (value: V) => {
    last.reply = { value: encode(value) }
    return doneFields(cipher, claim.id, codec.write(last.reply.value))
  }
  return {
    last,
    ...(resumes ? { resume: resumes } : {}),
    completed: (value) => create(storeReply(value)),
    started(intent) {
      last.intent = intent
      return create({ status: 'running', intent, leasedUntil: addSeconds(now, KEY_LEASE_SECONDS) })
    },
    succeeded: (value) => [patch(idempotencyKeys, claim.id, { set: storeReply(value), when: isOwnOperation() })],
    refused: () => [remove(idempotencyKeys, claim.id, isOwnOperation())],
    unresolved: () => [patch(idempotencyKeys, claim.id, { set: { leasedUntil: steady }, when: isOwnOperation() })],
  }
}

/**
 * Exceeds the depth of any JSON that a server reads or an input accepts. The value of an embedder may be deeper, or
 * cyclic.
 */
const MAX_DEPTH = 100

/** Returns a keyed digest of a text, which replaces the text in a fingerprint. */
type Mark = (text: string) => string

/** The names of a card's security code and number, on the wire and in code. */
const CODES: readonly string[] = ['cvv']
const NUMBERS: readonly string[] = ['cardNumber', 'card_number']

/**
 * Returns the canonical text of a parsed JSON value, with sorted keys and files as their bytes: equal values have equal
 * texts. A card's security code is left out and its number is replaced by its mark, so that neither can be found by
 * trying all values against a stored fingerprint (PCI DSS 3.3.1 and 3.5.1).
 */
export const canonicalText = (value: unknown, mark: Mark): string => textOf(value, mark, [])

const textOf = (value: unknown, mark: Mark, ancestors: readonly unknown[]): string => {
  if (value instanceof Uint8Array) return JSON.stringify(encodeBase64(value))
  // Embedders may pass a bigint. JSON can parse an infinite number (`1e400`), but not write it.
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number' && !Number.isFinite(value)) return `${value}`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (ancestors.length >= MAX_DEPTH || ancestors.includes(value)) return 'endless'
  const within = [...ancestors, value]
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, mark, within)).join()}]`
  const fields = [...Object.entries(value).filter(isPlain), ...markedNumbers(value, mark, within)]
  fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${textOf(field, mark, within)}`).join()}}`
}

const isPlain = ([name, field]: readonly [string, unknown]): boolean =>
  field !== undefined && !CODES.includes(name) && !NUMBERS.includes(name)

/** Returns the card numbers of an object, marked. They are read by name: those of a decoded card are not enumerable. */
const markedNumbers = (value: object, mark: Mark, within: readonly unknown[]): [string, unknown][] => {
  const fields: Readonly<Record<string, unknown>> = Object(value)
  return NUMBERS.filter((name) => Object.hasOwn(fields, name) && fields[name] !== undefined).map((name) => [
    name,
    mark(textOf(fields[name], mark, within)),
  ])
}

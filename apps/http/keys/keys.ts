import { type Failure, failure } from '../../../core/failure.ts'
import { isLeft } from '../../../core/fp.ts'
import { type Change, insert, patch, remove } from '../../../core/kernel/records/change.ts'
import { at } from '../../../core/kernel/records/collection.ts'
import { all, eq, lte } from '../../../core/kernel/records/where.ts'
import { KEY_CONFLICT, type KeyHooks, type UseCase } from '../../../core/kernel/running/use-case.ts'
import { plusSeconds } from '../../../core/kernel/values/day.ts'
import { RETRY_AFTER_SECONDS } from '../../../core/limits.ts'
import type { Cipher } from '../../../core/ports/cipher.ts'
import type { Clock } from '../../../core/ports/clock.ts'
import type { Digest } from '../../../core/ports/digest.ts'
import { byId, type Store } from '../../../core/ports/store.ts'
import type { Encoded } from '../replies/answer.ts'
import type { ServerFailure } from '../replies/server-messages.ts'
import { canonical } from './canonical.ts'
import { httpKeys, type KeyRecord } from './keys-collection.ts'

/** How long a key replays its answer. Source: decisions.md §2. */
export const KEY_LIFE_SECONDS = 86_400
/** How long a running request is left alone: longer than any request lasts, bank calls included. */
export const KEY_LEASE_SECONDS = 120
export const MAX_KEY_CHARS = 255

const MALFORMED: ServerFailure = failure('refused', 'key.malformed')
const REUSED: ServerFailure = failure('refused', 'key.reused')
const RUNNING: ServerFailure = { tag: 'conflict', code: 'key.running', retryAfterSeconds: RETRY_AFTER_SECONDS }

/** A request with a key: which record is its own, and what it asks. */
export interface KeyClaim {
  readonly id: string
  readonly fingerprint: string
}

/** What the key of a request says about it. */
export type KeyState =
  | { readonly is: 'free'; readonly expired: boolean }
  | { readonly is: 'done'; readonly answer: Encoded }
  | { readonly is: 'refused'; readonly failure: ServerFailure }
  | { readonly is: 'running'; readonly intent: string | null }
  | { readonly is: 'abandoned'; readonly intent: string; readonly leasedUntil: string }

interface Ports {
  readonly store: Store
  readonly digest: Digest
  readonly cipher: Cipher
  readonly clock: Clock
}

const contextOf = (id: string): string => at(httpKeys, id).join('/')

/** The first answer, sent again. */
const replayOf = (cipher: Cipher, record: KeyRecord): Encoded => ({
  status: record.replyStatus ?? 200,
  type: record.replyType,
  body: record.replySealed === null ? '' : cipher.open(record.replySealed, contextOf(record.id)),
  headers: { ...(JSON.parse(record.replyHeaders ?? '{}') as Encoded['headers']), 'Idempotent-Replayed': 'true' },
})

const keyStateOf = (cipher: Cipher, record: KeyRecord | null, { fingerprint }: KeyClaim, now: string): KeyState => {
  if (!record) return { is: 'free', expired: false }
  if (record.expiresAt <= now) return { is: 'free', expired: true }
  if (record.fingerprint !== fingerprint) return { is: 'refused', failure: REUSED }
  if (record.status === 'done') return { is: 'done', answer: replayOf(cipher, record) }
  const { intent, leasedUntil } = record
  if (intent === null || leasedUntil === null || leasedUntil > now) return { is: 'running', intent }
  return { is: 'abandoned', intent, leasedUntil }
}

const doneWith = (cipher: Cipher, id: string, { status, type, body, headers }: Encoded) =>
  ({
    status: 'done',
    replyStatus: status,
    replyType: type,
    replySealed: cipher.seal(body, contextOf(id)),
    replyHeaders: JSON.stringify(headers),
    leasedUntil: null,
  }) as const

const NOT_DONE = { replyStatus: null, replyType: null, replySealed: null, replyHeaders: null } as const

/** What is kept for a request in its own commits, and what was last kept. */
interface KeptHooks<V> extends KeyHooks<V> {
  readonly kept: { answer: Encoded | null; intent: string | null }
}

interface KeyedRun<V> {
  readonly claim: KeyClaim
  /** The record of a key that ran out makes way. */
  readonly expired: boolean
  /** What an earlier request has begun, where this one takes it up. */
  readonly intent: string | null
  readonly encode: (value: V) => Encoded
}

const hooksOf = <V>(
  cipher: Cipher,
  now: string,
  { claim, expired, intent: taken, encode }: KeyedRun<V>,
): KeptHooks<V> => {
  const kept: KeptHooks<V>['kept'] = { answer: null, intent: taken }
  const record = { ...claim, createdAt: now, expiresAt: plusSeconds(now, KEY_LIFE_SECONDS) }
  const fresh = (rest: Omit<KeyRecord, keyof typeof record>): readonly Change[] => [
    ...(expired ? [remove(httpKeys, claim.id, lte('expiresAt', now))] : []),
    insert(httpKeys, { ...record, ...rest }),
  ]
  const isOurs = () => all(eq('status', 'running'), eq('intent', kept.intent))
  const keep = (value: V) => {
    kept.answer = encode(value)
    return doneWith(cipher, claim.id, kept.answer)
  }
  return {
    kept,
    whole: (value) => fresh({ intent: null, ...keep(value) }),
    begun(intent) {
      kept.intent = intent
      const leasedUntil = plusSeconds(now, KEY_LEASE_SECONDS)
      return fresh({ status: 'running', intent, leasedUntil, ...NOT_DONE })
    },
    done: (value) => [patch(httpKeys, claim.id, { set: keep(value), when: isOurs() })],
    freed: () => [remove(httpKeys, claim.id, isOurs())],
  }
}

type Begun = Pick<Extract<KeyState, { readonly is: 'abandoned' }>, 'intent' | 'leasedUntil'>

/** Idempotency keys over the store. Source: decisions.md §2, §12; design, section 2. */
export const keysOf = ({ store, digest, cipher, clock }: Ports) => {
  const stateOf = async (claim: KeyClaim): Promise<KeyState> =>
    keyStateOf(cipher, await store.find(byId(httpKeys, claim.id)), claim, clock.now())

  const run = async <V>(useCase: UseCase<V>, keyed: KeyedRun<V>): Promise<Encoded | Failure> => {
    const hooks = hooksOf(cipher, clock.now(), keyed)
    const outcome = await useCase(hooks)
    if (!isLeft(outcome)) return hooks.kept.answer ?? keyed.encode(outcome.right)
    // Another request with the key may have succeeded meanwhile, and be the very reason of this failure.
    const state = await stateOf(keyed.claim)
    if (state.is === 'done') return state.answer
    if (state.is === 'refused') return state.failure
    const isAnothers = state.is !== 'free' && state.intent !== hooks.kept.intent
    return isAnothers || outcome.left.code === KEY_CONFLICT ? RUNNING : outcome.left
  }

  return {
    /** Fails: `key.malformed`. */
    claim(scope: readonly string[], key: string, request: unknown): KeyClaim | ServerFailure {
      if (key.length === 0 || key.length > MAX_KEY_CHARS) return MALFORMED
      const id = digest.sha256(JSON.stringify([...scope, key]))
      return { id, fingerprint: cipher.mark(canonical(request), contextOf(id)) }
    },
    stateOf,
    /** Runs the first request of a key. Fails: `key.reused`, `key.running`, and as the use case does. */
    first: <V>(claim: KeyClaim, expired: boolean, useCase: UseCase<V>, encode: (value: V) => Encoded) =>
      run(useCase, { claim, expired, intent: null, encode }),
    /**
     * Takes up what an earlier request has begun and nobody finished. One repeat takes it; others are told that it runs.
     * Fails: `key.running`, and as the use case does.
     */
    async resume<V>(
      claim: KeyClaim,
      { intent, leasedUntil }: Begun,
      useCase: UseCase<V>,
      encode: (value: V) => Encoded,
    ) {
      const until = plusSeconds(clock.now(), KEY_LEASE_SECONDS)
      const when = all(eq('status', 'running'), eq('leasedUntil', leasedUntil))
      const taken = await store.commit([patch(httpKeys, claim.id, { set: { leasedUntil: until }, when })])
      return taken.ok ? run(useCase, { claim, expired: false, intent, encode }) : RUNNING
    },
    running: RUNNING,
  }
}

export type Keys = ReturnType<typeof keysOf>

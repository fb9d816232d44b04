import { type Either, type Failure, failure, type IssueCode, invalid, isLeft, left, right } from '../../failure.ts'
import { MAX_DECISIONS, MAX_FRESH_IDS, RETRY_AFTER_SECONDS } from '../../limits.ts'
import type { Clock, Random } from '../../ports/runtime.ts'
import { type Store, StoreUnavailable } from '../../ports/store.ts'
import type { TraceContext, Tracer } from '../../ports/tracer.ts'
import type { Input } from '../input/input.ts'
import type { Change, Outcome, Taken } from '../records/record.ts'
import { addSeconds, type Day, dayOf, type Instant } from '../values/day.ts'
import { type IdPool, idOf, OutOfIds, uuidOf } from './ids.ts'

/**
 * The inputs that keep a decision pure: time, ids and random values. They are drawn once per request; each retry gets
 * the same values of a kind in the same order.
 */
export interface Fresh {
  /** The machine's time: for displayed timestamps, signatures and leases. */
  readonly now: Instant
  /** The time that decides what is due or has expired. See `Clock.steady`. */
  readonly steady: Instant
  /** The business day: the day of `steady` in São Paulo. */
  readonly today: Day
  /** The next integer id of a collection. */
  id(collection: { readonly name: string }): number
  /** A random UUID (version 4). */
  uuid(): string
  /** A random text of `length` characters, uniform over the alphabet. */
  text(alphabet: string, length: number): string
  bytes(count: number): Uint8Array
  /** The span that queued work continues, stored with the work; null without a tracer. */
  readonly trace?: TraceContext | null | undefined
  /** Marks the end of a lease with this process, so that other processes can end the lease if this one dies. */
  readonly mark?: LeaseMark['mark'] | undefined
}

/** Marks ends of leases with the process that holds them. */
export interface LeaseMark {
  /** Returns the instant with this process in the digits below a millisecond; unchanged while no worker runs. */
  mark(end: Instant): Instant
}

/** Matches the end of a lease that names its process. */
const MARKED = /\.\d{3}(\d{6})Z$/

/** Returns the process that the end of a lease names; null for any other instant. */
export const processOf = (end: Instant): string | null => MARKED.exec(end)?.[1] ?? null

/** Returns the end of a lease of `seconds` from now. */
export const leaseEnd = ({ now, mark }: Pick<Fresh, 'now' | 'mark'>, seconds: number): Instant => {
  const end = addSeconds(now, seconds)
  return mark?.(end) ?? end
}

interface Sources {
  readonly clock: Clock
  readonly random: Random
  readonly ids: IdPool
  readonly presence?: LeaseMark
  readonly tracer?: Pick<Tracer, 'current'>
}

const drawText = (random: Random, alphabet: string, length: number): string => {
  // Rejection sampling: a byte above the last whole multiple of the alphabet's length would favour its first
  // characters.
  const ceiling = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < ceiling && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}

/** The values of one kind that a request has drawn, and the number that the current attempt has read. */
interface Drawn {
  readonly values: unknown[]
  read: number
}

/**
 * The `Fresh` of one request. Call `rewind` before each attempt: equal calls then return equal values. Each value is
 * drawn when a decision reads it, since many decisions read none. Decisions destructure it, so its functions do not use
 * `this`.
 */
class Draws implements Fresh {
  readonly #sources: Sources
  #now: Instant | null = null
  #steady: Instant | null = null
  #drawn: Map<string, Drawn> | null = null

  constructor(sources: Sources) {
    this.#sources = sources
  }

  get fresh(): Fresh {
    return this
  }

  get now(): Instant {
    this.#now ??= this.#sources.clock.now()
    return this.#now
  }

  get steady(): Instant {
    this.#steady ??= this.#sources.clock.steady()
    return this.#steady
  }

  get today(): Day {
    return dayOf(this.steady)
  }

  get trace(): TraceContext | null {
    return this.#sources.tracer?.current() ?? null
  }

  get mark(): LeaseMark['mark'] | undefined {
    return this.#sources.presence?.mark
  }

  get id(): Fresh['id'] {
    return ({ name }) => this.#replay(`ids of ${name}`, () => idOf(this.#sources.ids, name), MAX_FRESH_IDS)
  }

  get uuid(): Fresh['uuid'] {
    return () => this.#replay('uuid', () => uuidOf(this.#sources.random.bytes(16)))
  }

  get text(): Fresh['text'] {
    return (alphabet, length) =>
      this.#replay(`${length} of ${alphabet}`, () => drawText(this.#sources.random, alphabet, length))
  }

  get bytes(): Fresh['bytes'] {
    return (count) => this.#replay(`${count} bytes`, () => this.#sources.random.bytes(count))
  }

  rewind(): void {
    if (this.#drawn) for (const drawn of this.#drawn.values()) drawn.read = 0
  }

  // Stored by kind: an attempt on another path must not receive values that were drawn for another purpose.
  #replay<A>(kind: string, draw: () => A, max = Number.POSITIVE_INFINITY): A {
    this.#drawn ??= new Map()
    const drawn = this.#drawn.get(kind) ?? { values: [], read: 0 }
    this.#drawn.set(kind, drawn)
    if (drawn.read >= max) throw new RangeError(`a decision may draw at most ${max} ${kind}`)
    if (drawn.read === drawn.values.length) drawn.values.push(draw())
    drawn.read += 1
    return drawn.values[drawn.read - 1] as A
  }
}

export const freshOf = (sources: Sources): Draws => new Draws(sources)

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LETTERS_AND_DIGITS = `${LETTERS}0123456789`

/**
 * Returns random letters and digits, unguessable from 22 on. The first is a letter, so that a code is never taken for
 * an id.
 */
export const randomCode = (fresh: Fresh, length: number): string =>
  fresh.text(LETTERS, 1) + fresh.text(LETTERS_AND_DIGITS, length - 1)

/** The ports and the id pool that every use case needs. */
export interface Runtime {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly ids: IdPool
  /** Present in a process that runs a worker: its leases end when the process dies. */
  readonly presence?: LeaseMark
  /**
   * Receives a span of each use case, store call, bank call, delivery and job, and of each request of an API over the
   * core; without it nothing is traced. `portico/adapters/tracing` makes one.
   */
  readonly tracer?: Tracer
}

/**
 * Changes that a caller adds to the use case's own commits: its idempotency record with the encoded answer. A use case
 * of one commit adds `completed`. A bank operation adds `started` to the commit of its intent, and `succeeded`,
 * `refused` or `unresolved` to the commit of its outcome. If a hook throws, nothing is committed.
 */
export interface KeyHooks<V> {
  completed(value: V): readonly Change[]
  started(intent: string): readonly Change[]
  succeeded(value: V): readonly Change[]
  refused(): readonly Change[]
  /** The outcome is unknown: the operation stays open, and a repeated call may resume it at once. */
  unresolved(): readonly Change[]
  /** The operation that an earlier call with the key started and did not finish: it is resumed, and none is started. */
  readonly resume?: StartedOperation
}

/** The id of a started operation, and its start. */
export interface StartedOperation {
  readonly intent: string
  readonly startedAt: Instant
}

/**
 * A task that does nothing before it is called: `await pay.charges.issue(actor, input)()`. `C` are its failure codes,
 * `I` the codes of its field errors.
 */
export type UseCase<V, C extends string = string, I extends string = IssueCode<C>> = (
  hooks?: KeyHooks<V>,
) => Promise<Either<Failure<C, I>, V>>

/** The result of a decision: a failure, or the changes and the value of a success. */
export type DecisionResult<V, C extends string = string, I extends string = IssueCode<C>> = Either<
  Failure<C, I>,
  Decision<V>
>

/** The changes to commit, and the value as a function of the fields read at the moment of commit. */
export interface Decision<V> {
  readonly changes: readonly Change[]
  readonly value: (taken: Taken) => V
}

/** Returns a successful decision with these changes. */
export const accept = <V>(value: V | ((taken: Taken) => V), ...changes: readonly Change[]): DecisionResult<V, never> =>
  right({ changes, value: typeof value === 'function' ? (value as (taken: Taken) => V) : () => value })

export const unavailable = <const C extends string>(
  code: C,
  retryAfterSeconds = RETRY_AFTER_SECONDS,
): Failure<C, never> => ({ tag: 'unavailable', code, retryAfterSeconds })

const UNAVAILABLE = 'store.unavailable'

/**
 * Another request with the caller's idempotency key was first. The caller reads the key again and replays its answer.
 */
export const KEY_CONFLICT = 'key.conflict'

/** The failure codes of the runner itself; `key.conflict` only with hooks. */
export type RunnerCode = 'store.busy' | typeof UNAVAILABLE | typeof KEY_CONFLICT

/**
 * Reads, decides and commits. After `stale` (a guard failed) or `conflict` (a unique key is taken) it reads and decides
 * again after a jittered wait, at most `MAX_DECISIONS` times, then fails with `store.busy`. After a conflict, the
 * second read finds the duplicate, so that the decision names the wrong field.
 */
export const decideAndCommit = async <F, V, C extends string = never, I extends string = never>(
  runtime: Runtime,
  read: (store: Store) => Promise<F> | F,
  decide: (facts: F, fresh: Fresh) => DecisionResult<V, C, I>,
  extraChanges?: (value: V) => readonly Change[],
): Promise<Either<Failure<C | RunnerCode, I>, V>> => {
  const draws = freshOf(runtime)
  try {
    for (let attempt = 1; attempt <= MAX_DECISIONS; attempt += 1) {
      const facts = await read(runtime.store)
      const decided = decisionOf(runtime.ids, draws, decide, facts)
      // Awaits promises only: most decisions are synchronous, and those of reads commit nothing.
      const decision = decided instanceof Promise ? await decided : decided
      if (isLeft(decision)) return decision
      const committing = commitAll(runtime.store, decision.right, extraChanges)
      const outcome = committing instanceof Promise ? await committing : committing
      if (outcome.ok) return right(decision.right.value(outcome.taken))
      if (isHookConflict(outcome, decision.right.changes)) return left(failure('conflict', KEY_CONFLICT))
      if (attempt < MAX_DECISIONS) await runtime.clock.wait(jitter(runtime.random, attempt))
    }
    return left(unavailable('store.busy'))
  } catch (error) {
    if (error instanceof StoreUnavailable) return left(unavailable(UNAVAILABLE))
    throw error
  }
}

/** Builds a use case of one commit. */
export const useCase =
  <F, V, C extends string = never, I extends string = never>(
    runtime: Runtime,
    read: (store: Store) => Promise<F> | F,
    decide: (facts: F, fresh: Fresh) => DecisionResult<V, C, I>,
  ): UseCase<V, C | RunnerCode, I> =>
  (hooks) =>
    decideAndCommit(runtime, read, decide, hooks?.completed)

/**
 * Types a use case of several steps by its value: `useCaseOf<User>()(async (hooks) => …)`. The failures of all steps
 * become one union.
 */
export const useCaseOf =
  <V>() =>
  <C extends string = never, I extends string = never>(run: UseCase<V, C, I>): UseCase<V, C, I> =>
    run

/**
 * Removes the idempotency key from a use case that runs anew on each call, and thus `key.conflict` from its failures.
 */
export const withoutKeys =
  <V, C extends string, I extends string>(run: UseCase<V, C, I>): UseCase<V, Exclude<C, typeof KEY_CONFLICT>, I> =>
  () =>
    run() as Promise<Either<Failure<Exclude<C, typeof KEY_CONFLICT>, I>, V>>

/** Maps the value of a use case, also for its hooks. */
export const mapUseCase =
  <A, B, C extends string, I extends string>(run: UseCase<A, C, I>, map: (value: A) => B): UseCase<B, C, I> =>
  async (hooks) => {
    const outcome = await run(
      hooks && {
        ...hooks,
        completed: (value) => hooks.completed(map(value)),
        succeeded: (value) => hooks.succeeded(map(value)),
      },
    )
    return isLeft(outcome) ? outcome : right(map(outcome.right))
  }

/** The id of a started operation; extended by the facts that its first call has in memory. */
interface Intent {
  readonly intent: string
}

/** The value of a request that needs no bank operation. */
export interface Done<V> {
  readonly done: V
}

const isDone = <V>(decided: Intent | Done<V>): decided is Done<V> => 'done' in decided

/**
 * Builds the first half of a bank operation: commits its intent, or the final value if the decision needs no operation.
 */
export const startOperation =
  <F, B extends Intent | Done<unknown>, C extends string = never, I extends string = never>(
    runtime: Runtime,
    read: (store: Store) => Promise<F> | F,
    decide: (facts: F, fresh: Fresh) => DecisionResult<B, C, I>,
  ): UseCase<B, C | RunnerCode, I> =>
  (hooks) =>
    decideAndCommit(
      runtime,
      read,
      decide,
      hooks && ((decided) => (isDone(decided) ? hooks.completed(decided) : hooks.started(decided.intent))),
    )

const noChanges = (): readonly Change[] => []

/**
 * Builds a use case of one commit whose value may be a failure: a wrong PIN is counted in the commit and then reported.
 * The caller's key is stored with a success only.
 */
export const countingUseCase =
  <F, V, C extends string = never, I extends string = never, D extends string = never, J extends string = never>(
    runtime: Runtime,
    read: (store: Store) => Promise<F> | F,
    decide: (facts: F, fresh: Fresh) => DecisionResult<Either<Failure<D, J>, V>, C, I>,
  ): UseCase<V, C | D | RunnerCode, I | J> =>
  async (hooks) => {
    const extraChanges =
      hooks && outcomeChanges({ succeeded: hooks.completed, refused: noChanges, unresolved: noChanges })
    return flatten(await decideAndCommit(runtime, read, decide, extraChanges))
  }

/**
 * Builds the second half of a bank operation: commits the bank's answer. Its value may be a failure: a refusal is
 * stored, the caller's key is released, and the failure is returned. A failure with the tag `unavailable` is no outcome
 * yet.
 */
export const finishOperation =
  <F, V, C extends string = never, I extends string = never, D extends string = never, J extends string = never>(
    runtime: Runtime,
    read: (store: Store) => Promise<F> | F,
    decide: (facts: F, fresh: Fresh) => DecisionResult<Either<Failure<D, J>, V>, C, I>,
  ): UseCase<V, C | D | RunnerCode, I | J> =>
  async (hooks) => {
    const outcome = await decideAndCommit(runtime, read, decide, hooks && outcomeChanges(hooks))
    // Another request has taken over the key. The bank's answer must be stored nevertheless.
    if (hooks && isLeft(outcome) && outcome.left.code === KEY_CONFLICT) await decideAndCommit(runtime, read, decide)
    return flatten(outcome)
  }

const outcomeChanges =
  <V>({ succeeded, refused, unresolved }: Pick<KeyHooks<V>, 'succeeded' | 'refused' | 'unresolved'>) =>
  (value: Either<Failure, V>): readonly Change[] => {
    if (!isLeft(value)) return succeeded(value.right)
    return value.left.tag === 'unavailable' ? unresolved() : refused()
  }

const flatten = <E, D, V>(outcome: Either<E, Either<D, V>>): Either<E | D, V> =>
  isLeft(outcome) ? outcome : outcome.right

/**
 * Returns the value of a background step. Throws on any failure except the codes in `stored`, whose outcome is stored
 * already; throws `StoreUnavailable` if the store was unavailable.
 */
export const orThrow = <V, C extends string = never>(
  outcome: Either<Failure<C, string>, V>,
  ...stored: readonly NoInfer<C>[]
): V | null => {
  if (!isLeft(outcome)) return outcome.right
  const { code } = outcome.left
  if (stored.includes(code)) return null
  throw code === UNAVAILABLE ? new StoreUnavailable(code) : new Error(code)
}

/** Adapts hooks to a use case with another value: the caller's answer is always `value`. */
export const hooksWithValue = <V>(hooks: KeyHooks<V>, value: V): KeyHooks<unknown> => ({
  ...hooks,
  completed: () => hooks.completed(value),
  succeeded: () => hooks.succeeded(value),
})

/**
 * Builds the use case of a bank operation. The first call starts and resumes it, unless its decision needs no
 * operation. A repeated key resumes it by `again`, from the stored intent alone.
 */
export const operationUseCase =
  <
    V,
    B extends Intent,
    C extends string = never,
    I extends string = never,
    D extends string = never,
    J extends string = never,
  >(
    first: UseCase<B | Done<V>, C, I>,
    resume: (started: B) => UseCase<V, D, J>,
    again: (intent: string) => UseCase<V, D, J>,
  ): UseCase<V, C | D, I | J> =>
  async (hooks) => {
    if (hooks?.resume) return again(hooks.resume.intent)(hooks)
    const completed = (decided: B | Done<V>) => (hooks && isDone(decided) ? hooks.completed(decided.done) : [])
    const decided = await first(hooks && { ...hooks, succeeded: noChanges, completed })
    if (isLeft(decided)) return decided
    return isDone(decided.right) ? right(decided.right.done) : resume(decided.right)(hooks)
  }

/** Runs a decision. If it runs out of reserved ids, reserves more and runs it again, which is safe since it is pure. */
const decisionOf = <F, D>(
  ids: IdPool,
  draws: Draws,
  decide: (facts: F, fresh: Fresh) => D,
  facts: F,
): D | Promise<D> => {
  draws.rewind()
  try {
    return decide(facts, draws)
  } catch (error) {
    if (!(error instanceof OutOfIds)) throw error
    return ids.refill(error.collection).then(() => decisionOf(ids, draws, decide, facts))
  }
}

/** Commits a decision with the changes of the hooks. Without any change there is no commit. */
const commitAll = <V>(
  store: Store,
  { changes, value }: Decision<V>,
  extraChanges?: (value: V) => readonly Change[],
): Outcome | Promise<Outcome> => {
  if (changes.length > 0) return store.commit(changes, extraChanges && ((taken) => extraChanges(value(taken))))
  const extra = extraChanges?.(value(noTakenFields)) ?? []
  return extra.length === 0 ? { ok: true, taken: noTakenFields } : store.commit(extra)
}

const noTakenFields: Taken = (at, field) => {
  throw new Error(`no taken field ${at.join('/')}.${field}`)
}

const isHookConflict = (outcome: Outcome, changes: readonly Change[]): boolean => {
  if (outcome.ok) return false
  const collection = 'conflict' in outcome ? outcome.conflict.collection : outcome.stale[0]
  return changes.every((change) => change.at[0] !== collection)
}

const jitter = (random: Random, attempt: number): number => {
  const [byte = 0] = random.bytes(1)
  return attempt * (2 + byte / 16)
}

/**
 * Builds a use case that validates its input first, for HTTP callers and embedders alike. A resumed operation is
 * validated as of the day on which it started. Fails: `fields` with every wrong field, and as `run` does.
 */
export const withValidInput =
  <A, G, J extends string, V, C extends string, I extends string>(
    { clock }: { readonly clock: Pick<Clock, 'steady'> },
    accepted: Input<A, G, J>,
    input: G,
    run: (value: A) => UseCase<V, C, I>,
  ): UseCase<V, C | 'fields', I | J> =>
  async (hooks) => {
    const checked = accepted.check(input, dayOf(hooks?.resume?.startedAt ?? clock.steady()))
    if (!isLeft(checked)) return run(checked.right)(hooks)
    const failure: Failure<'fields', J> = invalid(checked.left)
    return left(failure)
  }

/** Builds a use case that returns one found value. Fails with the code `unknown` if `find` returns null. */
export const readUseCase =
  <V, const C extends string>(unknown: C, find: () => Promise<V | null>): UseCase<V, C> =>
  async () => {
    const found = await find()
    return found === null ? left(failure('not-found', unknown)) : right(found)
  }

/** The facts that a function returns, without null and its promise. */
export type FactsOf<F extends (...input: never) => unknown> = NonNullable<Awaited<ReturnType<F>>>

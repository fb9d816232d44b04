import { type Failure, failure, type IssueCode } from '../../failure.ts'
import { type Either, isLeft, left, right } from '../../fp.ts'
import { MAX_DECISIONS, RETRY_AFTER_SECONDS } from '../../limits.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { type Store, StoreUnavailable } from '../../ports/store.ts'
import type { Tracer } from '../../ports/tracer.ts'
import type { Change, Outcome, Taken } from '../records/change.ts'
import type { Instant } from '../values/day.ts'
import { type Fresh, freshOf, type LeaseMark, OutOfIds } from './fresh/fresh.ts'
import type { IdPool } from './fresh/ids.ts'

/** What every use case runs on. */
export interface Runtime {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly ids: IdPool
  /** Of a process that runs a worker: its leases end when it dies. */
  readonly presence?: LeaseMark
  /**
   * Receives a span of each use case, store call, bank call, delivery and job, and of each request of an API over the core;
   * without it nothing is traced. `portico/adapters/tracing` makes one.
   */
  readonly tracer?: Tracer
}

/**
 * What must ride in a use case's own commits though it is not the core's business: the caller's idempotency record
 * with its encoded answer. A plain use case calls `whole`; one that talks to a bank commits `begun` with its intent,
 * then `done`, `freed` or `unanswered` with its outcome. Whoever throws for a value keeps it from being committed.
 */
export interface KeyHooks<V> {
  whole(value: V): readonly Change[]
  begun(intent: string): readonly Change[]
  done(value: V): readonly Change[]
  freed(): readonly Change[]
  /** The outcome is not known: what was begun lives on, and a repeat may carry it on at once. */
  unanswered(): readonly Change[]
  /** What an earlier call with the key has begun and nobody finished: it is carried on, and nothing begun anew. */
  readonly resumes?: Begun
}

/** An intent, and when it was begun. */
export interface Begun {
  readonly intent: string
  readonly begunAt: Instant
}

/**
 * Nothing happens before it is called: `await pay.charges.issue(actor, input)()`. `C` are the codes that it can fail
 * with, `I` those of its wrong fields.
 */
export type UseCase<V, C extends string = string, I extends string = IssueCode<C>> = (
  hooks?: KeyHooks<V>,
) => Promise<Either<Failure<C, I>, V>>

/** What a decision answers: the changes, and the value as a function of what they took at the moment of commit. */
export type Decided<V, C extends string = string, I extends string = IssueCode<C>> = Either<Failure<C, I>, Decision<V>>

export interface Decision<V> {
  readonly changes: readonly Change[]
  readonly value: (taken: Taken) => V
}

export const decided = <V>(value: V | ((taken: Taken) => V), ...changes: readonly Change[]): Decided<V, never> =>
  right({ changes, value: typeof value === 'function' ? (value as (taken: Taken) => V) : () => value })

export const unavailable = <const C extends string>(
  code: C,
  retryAfterSeconds = RETRY_AFTER_SECONDS,
): Failure<C, never> => ({ tag: 'unavailable', code, retryAfterSeconds })

const UNAVAILABLE = 'store.unavailable'

/** The caller's own key was taken: another request with it was first. Its holder looks the key up and replays. */
export const KEY_CONFLICT = 'key.conflict'

/** What the runner itself can fail with, whatever was decided; `key.conflict` only with hooks. */
export type RunnerCode = 'store.busy' | typeof UNAVAILABLE | typeof KEY_CONFLICT

/**
 * Read, decide, commit: the only loop there is. `Stale` and `Conflict` both mean: read and decide again, at most
 * five times after a jittered wait, then 503; the second reading finds the duplicate and names every wrong field.
 */
export const decideAndCommit = async <F, V, C extends string = never, I extends string = never>(
  runtime: Runtime,
  read: (store: Store) => Promise<F> | F,
  decide: (facts: F, fresh: Fresh) => Decided<V, C, I>,
  ride?: (value: V) => readonly Change[],
): Promise<Either<Failure<C | RunnerCode, I>, V>> => {
  const draws = freshOf(runtime)
  try {
    for (let attempt = 1; attempt <= MAX_DECISIONS; attempt += 1) {
      const facts = await read(runtime.store)
      const decision = await decisionOf(runtime.ids, draws, () => decide(facts, draws.fresh))
      if (isLeft(decision)) return decision
      const outcome = await commitAll(runtime.store, decision.right, ride)
      if (outcome.ok) return right(decision.right.value(outcome.taken))
      if (isOfHooks(outcome, decision.right.changes)) return left(failure('conflict', KEY_CONFLICT))
      if (attempt < MAX_DECISIONS) await runtime.clock.wait(jitter(runtime.random, attempt))
    }
    return left(unavailable('store.busy'))
  } catch (error) {
    if (error instanceof StoreUnavailable) return left(unavailable(UNAVAILABLE))
    throw error
  }
}

/** A use case that one commit finishes. */
export const useCase =
  <F, V, C extends string = never, I extends string = never>(
    runtime: Runtime,
    read: (store: Store) => Promise<F> | F,
    decide: (facts: F, fresh: Fresh) => Decided<V, C, I>,
  ): UseCase<V, C | RunnerCode, I> =>
  (hooks) =>
    decideAndCommit(runtime, read, decide, hooks?.whole)

/**
 * A use case of several steps, by the value it gives: `useCaseOf<User>()(async (hooks) => …)`. What it fails with, step by
 * step, becomes the one type of its failures.
 */
export const useCaseOf =
  <V>() =>
  <C extends string = never, I extends string = never>(run: UseCase<V, C, I>): UseCase<V, C, I> =>
    run

/** A use case that is asked anew each time: it keeps no key, so that none is ever in its way. */
export const withoutKeys =
  <V, C extends string, I extends string>(asked: UseCase<V, C, I>): UseCase<V, Exclude<C, typeof KEY_CONFLICT>, I> =>
  () =>
    asked() as Promise<Either<Failure<Exclude<C, typeof KEY_CONFLICT>, I>, V>>

/** A use case of which something else is told: what it gives, as `told` has it. */
export const mapped =
  <A, B, C extends string, I extends string>(asked: UseCase<A, C, I>, told: (value: A) => B): UseCase<B, C, I> =>
  async (hooks) => {
    const outcome = await asked(
      hooks && { ...hooks, whole: (value) => hooks.whole(told(value)), done: (value) => hooks.done(told(value)) },
    )
    return isLeft(outcome) ? outcome : right(told(outcome.right))
  }

/** What was begun: the id by which it is carried on, and what whoever began it knows besides. */
interface Intent {
  readonly intent: string
}

/** The first half of a use case that talks to a bank: commits the intent. */
export const startOperation =
  <F, B extends Intent, C extends string = never, I extends string = never>(
    runtime: Runtime,
    read: (store: Store) => Promise<F> | F,
    decide: (facts: F, fresh: Fresh) => Decided<B, C, I>,
  ): UseCase<B, C | RunnerCode, I> =>
  (hooks) =>
    decideAndCommit(runtime, read, decide, hooks && (({ intent }) => hooks.begun(intent)))

const nothing = (): readonly Change[] => []

/**
 * A use case that one commit finishes, whose value may itself be a failure: a wrong guess is counted, and the caller told.
 * The caller's key is kept with a success alone.
 */
export const countingUseCase =
  <F, V, C extends string = never, I extends string = never, D extends string = never, J extends string = never>(
    runtime: Runtime,
    read: (store: Store) => Promise<F> | F,
    decide: (facts: F, fresh: Fresh) => Decided<Either<Failure<D, J>, V>, C, I>,
  ): UseCase<V, C | D | RunnerCode, I | J> =>
  async (hooks) => {
    const ride = hooks && hooked({ done: hooks.whole, freed: nothing, unanswered: nothing })
    return flattened(await decideAndCommit(runtime, read, decide, ride))
  }

/**
 * The second half: commits what the bank said. Its value may itself be a failure (a refusal is recorded, and the
 * caller told): the caller's key is then freed, else it is done. One that is `unavailable` is no outcome yet.
 */
export const finishOperation =
  <F, V, C extends string = never, I extends string = never, D extends string = never, J extends string = never>(
    runtime: Runtime,
    read: (store: Store) => Promise<F> | F,
    decide: (facts: F, fresh: Fresh) => Decided<Either<Failure<D, J>, V>, C, I>,
  ): UseCase<V, C | D | RunnerCode, I | J> =>
  async (hooks) => {
    const outcome = await decideAndCommit(runtime, read, decide, hooks && hooked(hooks))
    // Somebody else has the key by now, and answers for it: what happened outside has happened all the same.
    if (hooks && isLeft(outcome) && outcome.left.code === KEY_CONFLICT) await decideAndCommit(runtime, read, decide)
    return flattened(outcome)
  }

const hooked =
  <V>({ done, freed, unanswered }: Pick<KeyHooks<V>, 'done' | 'freed' | 'unanswered'>) =>
  (value: Either<Failure, V>): readonly Change[] => {
    if (!isLeft(value)) return done(value.right)
    return value.left.tag === 'unavailable' ? unanswered() : freed()
  }

const flattened = <E, D, V>(outcome: Either<E, Either<D, V>>): Either<E | D, V> =>
  isLeft(outcome) ? outcome : outcome.right

/**
 * The value of what nobody waits for. Throws any failure but those that `told` names, whose outcome is recorded: whoever
 * carries it on reports it. `StoreUnavailable` where that is why.
 */
export const orThrow = <V, C extends string = never>(
  outcome: Either<Failure<C, string>, V>,
  ...told: readonly NoInfer<C>[]
): V | null => {
  if (!isLeft(outcome)) return outcome.right
  const { code } = outcome.left
  if (told.includes(code)) return null
  throw code === UNAVAILABLE ? new StoreUnavailable(code) : new Error(code)
}

/** The hooks of a use case for one whose every value means the same to its caller. */
export const hooksFor = <V>(hooks: KeyHooks<V>, value: V): KeyHooks<unknown> => ({
  ...hooks,
  whole: () => hooks.whole(value),
  done: () => hooks.done(value),
})

/**
 * A request is begin, then resume; a repeated key and the scheduler call resume alone. `again` is how it is resumed by whoever
 * did not begin it.
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
    first: UseCase<B, C, I>,
    resume: (begun: B) => UseCase<V, D, J>,
    again: (intent: string) => UseCase<V, D, J>,
  ): UseCase<V, C | D, I | J> =>
  async (hooks) => {
    if (hooks?.resumes) return again(hooks.resumes.intent)(hooks)
    const begun = await first(hooks && { ...hooks, done: nothing, whole: nothing })
    return isLeft(begun) ? begun : resume(begun.right)(hooks)
  }

/** A decision that runs out of reserved ids is stopped, more are reserved, and it is run again: it is pure. */
const decisionOf = async <D>(ids: IdPool, draws: ReturnType<typeof freshOf>, decide: () => D): Promise<D> => {
  for (;;) {
    draws.rewind()
    try {
      return decide()
    } catch (error) {
      if (!(error instanceof OutOfIds)) throw error
      await ids.refill(error.collection)
    }
  }
}

/** Commits a decision with what rides along. Where nothing changes and nothing rides there is no commit. */
const commitAll = async <V>(
  store: Store,
  { changes, value }: Decision<V>,
  ride?: (value: V) => readonly Change[],
): Promise<Outcome> => {
  if (changes.length > 0) return store.commit(changes, ride && ((taken) => ride(value(taken))))
  const riding = ride?.(value(nothingTaken)) ?? []
  return riding.length === 0 ? { ok: true, taken: nothingTaken } : store.commit(riding)
}

const nothingTaken: Taken = (at, field) => {
  throw new Error(`nothing was taken for ${at.join('/')}.${field}`)
}

const isOfHooks = (outcome: Outcome, changes: readonly Change[]): boolean => {
  if (outcome.ok) return false
  const collection = 'conflict' in outcome ? outcome.conflict.collection : outcome.stale[0]
  return changes.every((change) => change.at[0] !== collection)
}

const jitter = (random: Random, attempt: number): number => {
  const [byte = 0] = random.bytes(1)
  return attempt * (2 + byte / 16)
}

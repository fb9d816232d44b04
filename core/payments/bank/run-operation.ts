import { isLeft, left, right } from '../../fp.ts'
import { type Change, patch } from '../../kernel/records/change.ts'
import { all, eq, gt, not } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { type Queue, queueOf, WAITING } from '../../kernel/running/queue.ts'
import { readSlice, type Slice } from '../../kernel/running/slices.ts'
import {
  accept,
  type DecisionResult,
  decideAndCommit,
  finishOperation,
  orThrow,
  type RunnerCode,
  type Runtime,
  type UseCase,
  useCaseOf,
} from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { replaceUnstorable } from '../../kernel/values/text.ts'
import type { BankAnswer } from '../../ports/bank.ts'
import type { Cipher, Log } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import type { AnyOperations } from '../payments-ports.ts'
import { reportUnreadable } from './notices.ts'
import {
  type BankReply,
  bankOperations,
  CALL_SECONDS,
  type Operation,
  type OperationHandler,
  operationExpiry,
  orderIn,
  secondsToRetry,
  type Verdict,
} from './operation.ts'

/** What a decision comes to that may have nothing to ask a bank: its value at once, or what was begun. */
export type DoneOrStarted<V, B> = { readonly done: V } | { readonly begun: B }

/** A use case that one commit finishes where there is nothing to ask, and that else begins and carries on. */
export const startOperationIfNeeded =
  <
    F,
    V,
    B extends { readonly intent: string },
    C extends string = never,
    I extends string = never,
    D extends string = never,
    J extends string = never,
  >(
    runtime: Runtime,
    read: (store: Store) => Promise<F> | F,
    decide: (facts: F, fresh: Fresh) => DecisionResult<DoneOrStarted<V, B>, C, I>,
    resume: (begun: B) => UseCase<V, D, J>,
    again: (intent: string) => UseCase<V, D, J>,
  ): UseCase<V, C | D | RunnerCode, I | J> =>
  async (hooks) => {
    if (hooks?.resume) return again(hooks.resume.intent)(hooks)
    const ride = (made: DoneOrStarted<V, B>) =>
      'done' in made ? (hooks?.completed(made.done) ?? []) : (hooks?.started(made.begun.intent) ?? [])
    const made = await decideAndCommit(runtime, read, decide, hooks && ride)
    if (isLeft(made)) return made
    return 'done' in made.right ? right(made.right.done) : resume(made.right.begun)(hooks)
  }

interface Ports extends Runtime {
  readonly cipher: Pick<Cipher, 'open'>
  readonly log: Log
}

/** What a request has begun a moment ago: its intent is the operation's id. */
export interface StartedBankOperation<O> {
  readonly intent: string
  readonly order: O
  /** As it was committed: its outcome is decided on it first, and only where that is stale on what it has become. */
  readonly operation?: Operation
}

/**
 * The operations of one kind, as they go on. Each asks the bank by our own id and commits the outcome: nothing else ends an
 * operation. An outcome that is not known yet leaves it asking; whoever comes after the end is told the same.
 */
export const operationsOf = <S, O, A, V, C extends string>(ports: Ports, handler: OperationHandler<S, O, A, V, C>) => {
  const read = async (store: Store, id: string): Promise<Facts<S> | null> => {
    const operation = await store.find(byId(bankOperations, id))
    // One of another kind is none of these, whoever names it.
    if (operation?.kind !== handler.kind) return null
    return { operation, subject: await handler.read(store, operation) }
  }
  /** An answer that cannot be read is reported, and the bank is asked again. */
  const report = async (id: string, heard: BankResult<A> | null): Promise<void> => {
    if (heard?.outcome !== 'unknown' || !heard.unreadable) return
    const operation = await ports.store.find(byId(bankOperations, id))
    await reportUnreadable(ports, heard.unreadable, operation?.accountId ?? null)()
  }
  const finish = (id: string, heard: BankResult<A> | null, begun: Operation | null = null) => {
    let known = begun
    const facts = async (store: Store): Promise<Facts<S> | null> => {
      const operation = known
      known = null
      return operation ? { operation, subject: await handler.read(store, operation) } : read(store, id)
    }
    return finishOperation(ports, facts, (found, fresh) => decideOperation(handler, found, heard, fresh))
  }
  const resume = (id: string) =>
    useCaseOf<V>()(async (hooks) => {
      const facts = await read(ports.store, id)
      const isAsked = facts?.operation.state === 'asking' || facts?.operation.dueAt
      const heard = isAsked ? await askBank(ports, handler, facts) : null
      await report(id, heard)
      return finish(id, heard)(hooks)
    })
  /** Whoever begins may have been held up for so long that what they send would arrive when it counts as lost. */
  const isTooLate = ({ createdAt }: Pick<Operation, 'createdAt'>): boolean =>
    handler.once !== undefined &&
    ports.clock.now() >= addSeconds(createdAt, handler.once.lostAfterSeconds - CALL_SECONDS)

  return {
    kind: handler.kind,
    places: handler.places,
    leaseSeconds: handler.leaseSeconds,
    isSentOnce: handler.once !== undefined,
    /** For the request that began it, which sends the order by `send`: another than everybody's where nobody else can. */
    send: ({ intent, order, operation }: StartedBankOperation<O>, send: (order: O) => Promise<BankAnswer<A>>) =>
      useCaseOf<V>()(async (hooks) => {
        const heard = operation && isTooLate(operation) ? NOT_SENT : await send(order)
        await report(intent, heard)
        return finish(intent, heard, operation)(hooks)
      }),
    /** For a worker that has claimed it. */
    resume,
    /**
     * For somebody who repeats a request: they are counted first, as a worker that claims it is, so that whoever asked before
     * them and did not reach the bank knows that somebody else may.
     */
    repeat: (id: string) =>
      useCaseOf<V>()(async (hooks) => {
        const isAsked = all<'kind' | 'state'>(eq('kind', handler.kind), eq('state', 'asking'))
        await ports.store.commit([patch(bankOperations, id, { add: { attempts: 1 }, when: isAsked })])
        return resume(id)(hooks)
      }),
  }
}

const NOT_SENT = { outcome: 'unavailable' } as const

/** Only what the bank does not know yet is sent, and only where it is still wanted; what is sent once is not sent again. */
const askBank = async <S, O, A, V, C extends string>(
  { cipher, clock }: Ports,
  handler: OperationHandler<S, O, A, V, C>,
  { operation, subject }: Facts<S>,
): Promise<BankResult<A>> => {
  const { find, send, orderOf, once } = handler
  const askedAt = clock.steady()
  const isWanted = handler.isWanted(operation, subject, askedAt)
  const order = orderIn<O>(cipher, operation) ?? (await orderOf?.(subject)) ?? null
  // Without its subject there is nothing to ask for.
  if (order === null) return { outcome: 'withdrawn' }
  if (!find) return isWanted && send ? send(order) : { outcome: 'withdrawn' }
  const known = await find(order)
  if (known.outcome === 'unknown') return known
  if (known.outcome !== 'done') return { outcome: 'unknown' }
  if (known.value !== null) return { outcome: 'done', value: known.value }
  if (once) {
    const isLost = askedAt >= addSeconds(operation.createdAt, once.lostAfterSeconds)
    return isLost ? { outcome: 'lost', askedAt } : { outcome: 'unknown' }
  }
  if (!isWanted) return { outcome: 'unsent', askedAt }
  if (!send) return { outcome: 'refused', reason: LOST }
  const sent = await send(order)
  // Nothing but its refusal ends what the bank may have been asked before.
  return sent.outcome === 'unavailable' ? { outcome: 'unknown' } : sent
}

/** What is decided on: the operation and its subject, as they are now. */
export interface Facts<S> {
  readonly operation: Operation
  readonly subject: S
}

/**
 * Nobody wants it any more, it was not sent, and the bank did not know it when it was asked: what arrives after that moment is
 * not told by it, however late its answer is heard.
 */
interface Unsent {
  readonly outcome: 'unsent'
  readonly askedAt: Instant
}

/** It was sent once, and the bank did not know it when it was asked: it will hardly arrive any more. */
interface Lost {
  readonly outcome: 'lost'
  readonly askedAt: Instant
}

/** What whoever asked has heard. */
export type BankResult<A> = BankReply<A> | Unsent | Lost

/** How long what was sent before may be on its way: it is looked for so long, and not sent again. */
const LINGER_SECONDS = 3 * 3_600
const LINGER_WAIT_SECONDS = 3_600

type Handler<S, A, V, C extends string> = Pick<
  OperationHandler<S, never, A, V, C>,
  'decide' | 'ended' | 'unknown' | 'once' | 'firstWaitSeconds' | 'longestWaitSeconds'
>

/** Turns what the bank has said into the end of an operation, once; null where nobody asked. */
export const decideOperation = <S, A, V, C extends string>(
  handler: Handler<S, A, V, C>,
  facts: Facts<S> | null,
  heard: BankResult<A> | null,
  fresh: Fresh,
) => {
  if (!facts) return left(handler.unknown)
  const { operation, subject } = facts
  const reply = heard && replyIn(operation, heard)
  if (operation.state !== 'asking' || reply === null) {
    const { value, changes = [] } = handler.ended(operation, subject, reply, fresh)
    return accept(
      value,
      ...(heard && operation.dueAt !== null ? afterLateCheck(operation, heard, fresh) : []),
      ...changes,
    )
  }
  const verdict = handler.decide(operation, subject, reply, fresh)
  const lingers = heard?.outcome === 'unsent' && verdict.is === 'asking'
  const lingerSeconds = heard?.outcome === 'lost' ? (handler.once?.lingerSeconds ?? null) : null
  return accept(
    verdict.value,
    ...(lingers ? lingering(operation, fresh) : stateAfter(handler, operation, { ...verdict, lingerSeconds }, fresh)),
    ...(verdict.changes ?? []),
  )
}

/** What an order that nobody sends again has come to, where the bank does not know it. */
export const LOST = 'O banco não conhece a operação.'

/** More than a person reads of why a bank said no. */
const MAX_REASON_CHARS = 1_000

/**
 * What was not sent is withdrawn, but not while what was sent before may still arrive. No refusal is lost for how its reason is
 * written: it is kept as every store can, and no longer than anybody reads.
 */
const replyIn = <A>({ inFlightUntil }: Operation, heard: BankResult<A>): BankReply<A> => {
  if (heard.outcome === 'refused')
    return { ...heard, reason: replaceUnstorable(heard.reason.slice(0, MAX_REASON_CHARS)) }
  if (heard.outcome === 'lost') return { outcome: 'refused', reason: LOST }
  if (heard.outcome !== 'unsent') return heard
  return { outcome: inFlightUntil !== null && inFlightUntil <= heard.askedAt ? 'withdrawn' : 'unknown' }
}

const ASKING = eq<'state'>('state', 'asking')
const LINGERS = all<'state' | 'dueAt'>(not(ASKING), not(eq('dueAt', null)))

const stateAfter = <S, A, V, C extends string>(
  handler: Handler<S, A, V, C>,
  operation: Operation,
  { is, reason = null, lingerSeconds }: Verdict<V, C> & { readonly lingerSeconds: number | null },
  fresh: Fresh,
): readonly Change[] => {
  if (is === 'superseded') return []
  const { id, attempts } = operation
  if (is === 'asking')
    return [patch(bankOperations, id, { set: { dueAt: nextRetryAt(handler, operation, fresh) }, when: ASKING })]
  const { steady } = fresh
  const set =
    lingerSeconds === null
      ? ({ state: is, reason, dueAt: null, expiresAt: operationExpiry(fresh) } as const)
      : ({
          state: is,
          reason,
          dueAt: nextLateCheckAt(fresh),
          inFlightUntil: addSeconds(steady, lingerSeconds),
        } as const)
  return [patch(bankOperations, id, { set, when: all<'state' | 'attempts'>(ASKING, eq('attempts', attempts)) })]
}

/** When the bank is asked once more: no later than what it does not know then counts as lost. */
const nextRetryAt = <S, A, V, C extends string>(
  handler: Handler<S, A, V, C>,
  operation: Operation,
  { steady }: Fresh,
): Instant => {
  const dueAt = addSeconds(steady, secondsToRetry(handler, operation))
  const lostAt = handler.once && addSeconds(operation.createdAt, handler.once.lostAfterSeconds)
  return lostAt !== undefined && steady < lostAt && lostAt < dueAt ? lostAt : dueAt
}

/** What came after all is soon found. */
const LATE_CHECK_SECONDS = 60
const nextLateCheckAt = ({ steady }: Pick<Fresh, 'steady'>): Instant => addSeconds(steady, LATE_CHECK_SECONDS)

/** What counted as lost is looked for until a look after its time has not found it, or it is there. */
const afterLateCheck = <A>({ id, inFlightUntil }: Operation, heard: BankResult<A>, fresh: Fresh): readonly Change[] => {
  if (heard.outcome === 'refused' || heard.outcome === 'unavailable') return []
  const ends = { dueAt: null, expiresAt: operationExpiry(fresh) } as const
  const isOver = heard.outcome === 'lost' && inFlightUntil !== null && inFlightUntil <= heard.askedAt
  const found = heard.outcome === 'done' ? ({ ...ends, state: 'done', reason: null } as const) : null
  const set = found ?? (isOver ? ends : { dueAt: nextLateCheckAt(fresh) })
  return [patch(bankOperations, id, { set, when: LINGERS })]
}

const lingering = ({ id, inFlightUntil }: Operation, { now, steady }: Fresh): readonly Change[] => {
  const set = {
    inFlightUntil: inFlightUntil ?? addSeconds(now, LINGER_SECONDS),
    dueAt: addSeconds(steady, LINGER_WAIT_SECONDS),
  }
  return [patch(bankOperations, id, { set, when: ASKING })]
}

/** With these nothing was recorded; any other failure is an outcome. */
const UNRECORDED: readonly string[] = ['store.busy', 'store.unavailable']

const SLICE = 100

/**
 * What was sent once and waits is asked about at every start, whenever it was due: whoever would have asked may be gone. To ask
 * too early does no harm. Source: decisions.md §11, Withdrawals.
 */
export const retryAtStart = async (
  { store, clock }: Pick<Runtime, 'store' | 'clock'>,
  kinds: readonly AnyOperations[],
): Promise<void> => {
  const steady = clock.steady()
  for (const { kind } of kinds.filter(({ isSentOnce }) => isSentOnce)) {
    const where = all<'kind' | 'dueAt'>(eq('kind', kind), gt('dueAt', steady))
    const walk = { from: bankOperations, where, when: WAITING, sort: 'dueAt', limit: SLICE } as const
    let place: string | null = null
    do {
      const slice: Slice<Operation> = await readSlice(store, walk, place)
      for (const { id, dueAt } of slice.records)
        await store.commit([patch(bankOperations, id, { set: { dueAt: steady }, when: eq('dueAt', dueAt) })])
      place = slice.next
    } while (place !== null)
  }
}

/** Operations that the bank has not answered: places for each kind, so that none holds up another. */
export const operationQueues = (kinds: readonly AnyOperations[]): readonly Queue[] =>
  kinds.map(({ kind, places, leaseSeconds, resume }) =>
    queueOf({
      collection: bankOperations,
      name: `${bankOperations.name}.${kind}`,
      only: eq('kind', kind),
      owner: 'accountId',
      leaseSeconds,
      atOnce: places,
      handle: async ({ id }) => {
        const outcome = await resume(id)()
        if (isLeft(outcome) && UNRECORDED.includes(outcome.left.code)) orThrow(outcome)
      },
    }),
  )

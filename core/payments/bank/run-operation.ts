import { type Either, type Failure, isLeft, left, right } from '../../failure.ts'
import {
  all,
  type Change,
  eq,
  expiringCollection,
  insert,
  not,
  orNull,
  patch,
  record,
  t,
} from '../../kernel/records/record.ts'
import { type Queue, queueOf } from '../../kernel/running/queue.ts'
import {
  accept,
  type Fresh,
  finishOperation,
  orThrow,
  type RunnerCode,
  type Runtime,
  type UseCase,
  useCase,
  useCaseOf,
} from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { replaceUnstorable } from '../../kernel/values/text.ts'
import type { BankAnswer, UnreadableRecord } from '../../ports/bank.ts'
import type { Cipher, Log } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import { notifyAdmins } from '../events.ts'
import type { AnyOperations } from '../payments-ports.ts'
import {
  asUnknown,
  type BankReply,
  bankOperations,
  CALL_SECONDS,
  type JoinedOperation,
  NO_ANSWER,
  type Operation,
  type OperationHandler,
  type OperationResult,
  type OperationTimes,
  operationExpiry,
  orderIn,
  type StartedBankOperation,
  secondsToRetry,
  type Verdict,
} from './operation.ts'

interface Ports extends Runtime {
  readonly cipher: Pick<Cipher, 'open'>
  readonly log: Log
}

/**
 * Runs the operations of one kind: looks up or sends the order and commits the outcome. Only this, or a notice of the
 * acquirer (`endOperation`), ends an operation. With an unknown outcome it stays `asking`. A call after the end returns
 * the stored outcome.
 */
export const operationsOf = <S, O, A, V, C extends string, R = never>(
  ports: Ports,
  handler: OperationHandler<S, O, A, V, C, R>,
) => {
  const { kind, atOnce, leaseSeconds, once } = handler

  const read = async (store: Store, id: string, started: Started<R> | null = null): Promise<Facts<S> | null> => {
    const operation = started?.operation ?? (await store.find(byId(bankOperations, id)))
    if (operation?.kind !== kind) return null
    return { operation, subject: await handler.read(store, operation, started?.committed) }
  }

  /** Decides on the result of an attempt, and commits the outcome; returns the stored result if nothing was sent. */
  const finish = (id: string, result: BankResult<A> | null, started: Started<R> | null = null) =>
    useCaseOf<V>()(async (hooks) => {
      await reportUnreadableResult(ports, id, result)
      // The first decision uses the operation as started; after a stale commit it is read again.
      let known = started
      const readOnce = (store: Store) => {
        const first = known
        known = null
        return read(store, id, first)
      }
      return finishOperation(ports, readOnce, (facts, fresh) => decideOperation(handler, facts, result, fresh))(hooks)
    })

  const resume = (id: string) =>
    useCaseOf<V>()(async (hooks) => {
      const facts = await read(ports.store, id)
      if (!facts || !isDue(facts.operation)) return finish(id, null)(hooks)
      const result = await findOrSend(ports, handler, facts)
      if (result.outcome === 'done' && facts.operation.state !== 'asking')
        ports.log.warn('the bank has an order whose operation ended as lost or withdrawn', { kind, id })
      return finish(id, result)(hooks)
    })

  const repeat = (id: string) =>
    useCaseOf<V>()(async (hooks) => {
      const isAsking = all(eq('kind', kind), ASKING)
      await ports.store.commit([patch(bankOperations, id, { add: { attempts: 1 }, when: isAsking })])
      return resume(id)(hooks)
    })

  /** Reports whether the request was delayed so long that its order would arrive after it counts as lost. */
  const isTooLate = ({ createdAt }: Operation): boolean =>
    once !== undefined && ports.clock.now() >= addSeconds(createdAt, once.lostAfterSeconds - CALL_SECONDS)

  return {
    kind,
    atOnce,
    leaseSeconds,
    isSentOnce: once !== undefined,
    /**
     * Sends the order for the request that started the operation, by `send`, which may use data that is not stored.
     * Repeats an operation that an earlier request started.
     */
    send: (started: StartedBankOperation<O, R> | JoinedOperation, send: (order: O) => Promise<BankAnswer<A>>) =>
      useCaseOf<V>()(async (hooks) => {
        if (!('operation' in started)) return repeat(started.intent)(hooks)
        const { intent, order, operation } = started
        const result = isTooLate(operation) ? NO_ANSWER : await send(order)
        return finish(intent, result, result.outcome === 'done' ? started : { operation })(hooks)
      }),
    /** Looks up or sends the order for a worker that has claimed the operation. */
    resume,
    /**
     * Resumes an operation for a repeated request. Increments `attempts` first, as a worker's claim does: a slower
     * first request that was not sent is then superseded and does not end the operation.
     */
    repeat,
    /**
     * Runs an operation for a request. If the outcome cannot be stored, returns the stored result, or the pending
     * subject: the bank may have executed the order, and the worker looks it up later.
     */
    orPending: (id: string, run: UseCase<V, C | RunnerCode>) =>
      useCaseOf<V>()(async (hooks) => {
        const outcome = await run(hooks)
        return isNotStored(outcome) ? finish(id, null)(hooks) : outcome
      }),
  }
}

type Started<R> = Pick<StartedBankOperation<never, R>, 'operation' | 'committed'>

/** The operation and its subject, read at one instant. */
interface Facts<S> {
  readonly operation: Operation
  readonly subject: S
}

/** Reports whether the bank is still asked about an operation: it is open, or its order may arrive after its end. */
const isDue = ({ state, dueAt }: Operation): boolean => state === 'asking' || dueAt !== null

/**
 * The result of one attempt. `unsent`: the bank did not have the order at `checkedAt`, and it is no longer wanted; an
 * earlier attempt may still arrive. `lost`: the bank did not have it, and its operation has ended, or it was sent once
 * and its time to arrive is over.
 */
type BankResult<A> = BankReply<A> | { readonly outcome: 'unsent' | 'lost'; readonly checkedAt: Instant }

/** Finds the operation at the bank, and sends the order only if the bank does not have it and it is still wanted. */
const findOrSend = async <S, O, A, V, C extends string>(
  { cipher, clock }: Ports,
  { find, send, once, isWanted }: OperationHandler<S, O, A, V, C>,
  { operation, subject }: Facts<S>,
): Promise<BankResult<A>> => {
  const checkedAt = clock.steady()
  const order = orderIn<O>(cipher, operation)
  const isEnded = operation.state !== 'asking'
  // The order of an ended operation is erased with its client.
  if (order === null) return isEnded ? { outcome: 'lost', checkedAt } : UNKNOWN
  const wanted = isWanted(operation, subject, checkedAt)
  if (!find) return wanted && send ? send(order) : { outcome: 'withdrawn' }
  const known = await find(order, isEnded)
  if (known.outcome !== 'done') return asUnknown(known)
  if (known.value !== null) return { outcome: 'done', value: known.value }
  // The bank does not have the order.
  if (isEnded) return { outcome: 'lost', checkedAt }
  if (once) {
    const isLost = checkedAt >= addSeconds(operation.createdAt, once.lostAfterSeconds)
    return isLost ? { outcome: 'lost', checkedAt } : UNKNOWN
  }
  if (!wanted) return { outcome: 'unsent', checkedAt }
  if (!send) return { outcome: 'refused', reason: LOST }
  const sent = await send(order)
  // An earlier attempt may have reached the bank: only a refusal ends the operation.
  return sent.outcome === 'unavailable' ? UNKNOWN : sent
}

const UNKNOWN = { outcome: 'unknown' } as const

/** The stored reason of an order that is not resent and that the bank does not have. */
export const LOST = 'O banco não conhece a operação.'

type Decider<S, A, V, C extends string> = OperationTimes &
  Pick<OperationHandler<S, never, A, V, C>, 'decide' | 'ended' | 'unknown'>

/** Decides the outcome of an operation, once. `result` is null if no request was sent to the bank. */
const decideOperation = <S, A, V, C extends string>(
  handler: Decider<S, A, V, C>,
  facts: Facts<S> | null,
  result: BankResult<A> | null,
  fresh: Fresh,
) => {
  if (!facts) return left(handler.unknown)
  const { operation, subject } = facts
  if (result === null) return acceptResult(handler.ended(operation, subject, null, fresh), [])
  const reply = replyIn(operation, result)
  if (operation.state !== 'asking') {
    const ended = handler.ended(operation, subject, reply, fresh)
    return acceptResult(ended, afterLateCheck(handler, operation, result, ended, fresh))
  }
  const verdict = handler.decide(operation, subject, reply, fresh)
  return acceptResult(verdict, afterVerdict(handler, operation, result, verdict, fresh))
}

const acceptResult = <V, C extends string>(
  { value, changes = [], valueAtCommit }: OperationResult<V, C>,
  ofOperation: readonly Change[],
) => accept((taken) => (valueAtCommit ? right(valueAtCommit(taken)) : value), ...ofOperation, ...changes)

const MAX_REASON_CHARS = 1_000

/**
 * Converts the result of an attempt to a reply. An unsent order is withdrawn once no earlier attempt can still arrive.
 * The reason of a refusal is cut, and characters that a store rejects are replaced.
 */
const replyIn = <A>({ inFlightUntil }: Operation, result: BankResult<A>): BankReply<A> => {
  if (result.outcome === 'refused')
    return { ...result, reason: replaceUnstorable(result.reason.slice(0, MAX_REASON_CHARS)) }
  if (result.outcome === 'lost') return { outcome: 'refused', reason: LOST }
  if (!('checkedAt' in result)) return result
  return { outcome: inFlightUntil !== null && inFlightUntil <= result.checkedAt ? 'withdrawn' : 'unknown' }
}

const ASKING = eq('state', 'asking')

/** The changes of an open operation after a verdict: the time of its next attempt, or its end. */
const afterVerdict = (
  times: OperationTimes,
  operation: Operation,
  { outcome }: Pick<BankResult<unknown>, 'outcome'>,
  { is, reason = null }: Pick<Verdict<unknown, string>, 'is' | 'reason'>,
  fresh: Fresh,
): readonly Change[] => {
  const { id, attempts } = operation
  if (is === 'superseded') return []
  if (is === 'asking') {
    const set = outcome === 'unsent' ? untilArrival(operation, fresh) : { dueAt: nextRetryAt(times, operation, fresh) }
    return [patch(bankOperations, id, { set, when: ASKING })]
  }
  const mayArrive = outcome === 'lost' || (outcome === 'unsent' && is === 'withdrawn')
  const set = { state: is, reason, ...(mayArrive ? lateChecks(times, fresh) : endOf(fresh)) }
  return [patch(bankOperations, id, { set, when: all(ASKING, eq('attempts', attempts)) })]
}

/** The time for which an order that is no longer wanted may still arrive. It is looked up, and not resent. */
const MAY_ARRIVE_SECONDS = 3 * 3_600
const MAY_ARRIVE_WAIT_SECONDS = 3_600

const untilArrival = ({ inFlightUntil }: Operation, { now, steady }: Fresh) => ({
  inFlightUntil: inFlightUntil ?? addSeconds(now, MAY_ARRIVE_SECONDS),
  dueAt: addSeconds(steady, MAY_ARRIVE_WAIT_SECONDS),
})

/** Returns the time of the next attempt, at the latest the time from which a missing order counts as lost. */
const nextRetryAt = (times: OperationTimes, operation: Operation, { steady }: Fresh): Instant => {
  const dueAt = addSeconds(steady, secondsToRetry(times, operation))
  const lostAt = times.once && addSeconds(operation.createdAt, times.once.lostAfterSeconds)
  return lostAt !== undefined && steady < lostAt && lostAt < dueAt ? lostAt : dueAt
}

/**
 * The look-ups of an order that was withdrawn after `MAY_ARRIVE_SECONDS`: once a day for three days. A clock that jumps
 * ends that time at once, and a suspended process sends its order when it continues.
 */
const WITHDRAWN_CHECKS = { everySeconds: 86_400, forSeconds: 3 * 86_400 } as const
const LATE_CHECK_SECONDS = 60

const checksOf = ({ once }: OperationTimes) =>
  once ? { everySeconds: LATE_CHECK_SECONDS, forSeconds: once.lateCheckSeconds } : WITHDRAWN_CHECKS

/** Schedules the look-ups of an operation that ends although its order may still arrive. */
const lateChecks = (times: OperationTimes, { steady }: Fresh) => {
  const { everySeconds, forSeconds } = checksOf(times)
  return { dueAt: addSeconds(steady, everySeconds), inFlightUntil: addSeconds(steady, forSeconds) }
}

const endOf = (fresh: Fresh) => ({ dueAt: null, expiresAt: operationExpiry(fresh) })

/**
 * Returns the changes after a look-up for an ended operation, repeated until the order is found or its time is over.
 */
const afterLateCheck = (
  times: OperationTimes,
  { id, dueAt, inFlightUntil }: Operation,
  result: BankResult<unknown>,
  { isBusy = false }: Pick<OperationResult<never, never>, 'isBusy'>,
  fresh: Fresh,
): readonly Change[] => {
  if (dueAt === null || result.outcome === 'refused' || result.outcome === 'unavailable') return []
  const isOver = result.outcome === 'lost' && inFlightUntil !== null && inFlightUntil <= result.checkedAt
  const waitSeconds = isBusy ? LATE_CHECK_SECONDS : checksOf(times).everySeconds
  const set =
    result.outcome === 'done' && !isBusy
      ? ({ state: 'done', reason: null, ...endOf(fresh) } as const)
      : isOver
        ? endOf(fresh)
        : { dueAt: addSeconds(fresh.steady, waitSeconds) }
  return [patch(bankOperations, id, { set, when: all(not(ASKING), not(eq('dueAt', null))) })]
}

/** The change that ends an operation by a notice of its outcome. */
export const endOperation = (
  id: string,
  { is: state, reason }: Pick<Operation, 'reason'> & { readonly is: 'done' | 'refused' },
  fresh: Fresh,
): Change => patch(bankOperations, id, { set: { state, reason, ...endOf(fresh) }, when: ASKING })

/** Failure codes of the store. With any other code the outcome is committed, and the queue does not retry. */
const NOT_STORED: readonly string[] = ['store.busy', 'store.unavailable']

/** Reports whether an outcome could not be stored. */
const isNotStored = (outcome: Either<Failure, unknown>): boolean =>
  isLeft(outcome) && NOT_STORED.includes(outcome.left.code)

/** The queues of open operations, one for each kind, so that a slow kind does not block another. */
export const operationQueues = (kinds: readonly AnyOperations[]): readonly Queue[] =>
  kinds.map(({ kind, atOnce, leaseSeconds, resume }) =>
    queueOf({
      collection: bankOperations,
      name: `${bankOperations.name}.${kind}`,
      only: eq('kind', kind),
      owner: 'accountId',
      leaseSeconds,
      atOnce,
      handle: async ({ id }) => {
        const outcome = await resume(id)()
        if (isNotStored(outcome)) orThrow(outcome)
      },
    }),
  )

const report = record({
  /** The kind of the bank's record, and its id at the bank: `pix|E123…`. */
  id: t.string,
  /** Null if the account is not known. */
  accountId: orNull(t.number),
  createdAt: t.string,
  expiresAt: t.string,
})

/** The unreadable bank records that were reported. */
export const unreadableRecords = expiringCollection('payments.unreadable-bank-records', report)

/** Longer than a bank lists a record. */
const STORED_SECONDS = 400 * 86_400
const MAX_ID_CHARS = 100

/**
 * Reports an unreadable bank record, once: notifies the ADMINs of the account and logs one error with the bank's id.
 * Returns true for the first report.
 */
export const reportUnreadable = (
  ports: Omit<Ports, 'cipher'>,
  { kind, id }: Pick<UnreadableRecord, 'kind' | 'id'>,
  accountId: number | null,
) => {
  const bankId = replaceUnstorable(id.slice(0, MAX_ID_CHARS))
  const reportId = `${kind}|${bankId}`
  const first = useCase(
    ports,
    (store) => store.find(byId(unreadableRecords, reportId)),
    (known, fresh) => {
      if (known) return accept(false)
      const { now: createdAt, steady } = fresh
      const reported = { id: reportId, accountId, createdAt, expiresAt: addSeconds(steady, STORED_SECONDS) }
      const notified =
        accountId === null ? [] : [notifyAdmins(fresh, accountId, 'bank.unreadable', { kind, id: bankId })]
      return accept(true, insert(unreadableRecords, reported), ...notified)
    },
  )
  return useCaseOf<boolean>()(async (hooks) => {
    const reported = await first(hooks)
    if (!isLeft(reported) && reported.right)
      ports.log.error('a record of the bank cannot be read', { kind, id: bankId })
    return reported
  })
}

/** Reports an unreadable answer. The outcome stays unknown, so the operation is retried. */
const reportUnreadableResult = async (ports: Ports, id: string, result: BankResult<unknown> | null): Promise<void> => {
  if (result?.outcome !== 'unknown' || !result.unreadable) return
  const operation = await ports.store.find(byId(bankOperations, id))
  await reportUnreadable(ports, result.unreadable, operation?.accountId ?? null)()
}

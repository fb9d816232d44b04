import { isLeft, left } from '../../failure.ts'
import {
  all,
  type Change,
  type Collection,
  eq,
  gt,
  insert,
  type Json,
  not,
  orNull,
  patch,
  record,
  t,
} from '../../kernel/records/record.ts'
import { type Queue, queueOf, WAITING } from '../../kernel/running/queue.ts'
import { readSlice, type Slice } from '../../kernel/running/slices.ts'
import {
  accept,
  type Fresh,
  finishOperation,
  orThrow,
  type Runtime,
  useCase,
  useCaseOf,
} from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { replaceUnstorable } from '../../kernel/values/text.ts'
import type { BankAnswer, UnreadableRecord } from '../../ports/bank.ts'
import type { Cipher, Log } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import { notify } from '../inbox/inbox.ts'
import { adminsOf, type Membership } from '../members/membership.ts'
import type { AnyOperations } from '../payments-ports.ts'
import {
  type BankReply,
  bankOperations,
  CALL_SECONDS,
  type JoinedOperation,
  type Operation,
  type OperationHandler,
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
 * Runs the operations of one kind: looks the order up at the bank and commits the outcome, which is the only way to end
 * an operation. With an unknown outcome it stays `asking`. A call after the end returns the stored outcome.
 */
export const operationsOf = <S, O, A, V, C extends string>(ports: Ports, handler: OperationHandler<S, O, A, V, C>) => {
  const read = async (store: Store, id: string): Promise<Facts<S> | null> => {
    const operation = await store.find(byId(bankOperations, id))
    if (operation?.kind !== handler.kind) return null
    return { operation, subject: await handler.read(store, operation) }
  }
  /** Reports an unreadable answer. The outcome stays unknown, so the bank is asked again. */
  const report = async (id: string, result: BankResult<A> | null): Promise<void> => {
    if (result?.outcome !== 'unknown' || !result.unreadable) return
    const operation = await ports.store.find(byId(bankOperations, id))
    await reportUnreadable(ports, result.unreadable, operation?.accountId ?? null)()
  }
  const finish = (id: string, result: BankResult<A> | null, started: Operation | null = null) => {
    // After `Stale` it is read again.
    let known = started
    const facts = async (store: Store): Promise<Facts<S> | null> => {
      const operation = known
      known = null
      return operation ? { operation, subject: await handler.read(store, operation) } : read(store, id)
    }
    return finishOperation(ports, facts, (found, fresh) => decideOperation(handler, found, result, fresh))
  }
  const resume = (id: string) =>
    useCaseOf<V>()(async (hooks) => {
      const facts = await read(ports.store, id)
      const isAsked = facts?.operation.state === 'asking' || facts?.operation.dueAt
      const result = isAsked ? await askBank(ports, handler, facts) : null
      await report(id, result)
      return finish(id, result)(hooks)
    })
  const repeat = (id: string) =>
    useCaseOf<V>()(async (hooks) => {
      const isAsked = all<'kind' | 'state'>(eq('kind', handler.kind), eq('state', 'asking'))
      await ports.store.commit([patch(bankOperations, id, { add: { attempts: 1 }, when: isAsked })])
      return resume(id)(hooks)
    })
  /** Reports whether the request was delayed so long that its order would arrive after it counts as lost. */
  const isTooLate = ({ createdAt }: Pick<Operation, 'createdAt'>): boolean =>
    handler.once !== undefined &&
    ports.clock.now() >= addSeconds(createdAt, handler.once.lostAfterSeconds - CALL_SECONDS)

  return {
    kind: handler.kind,
    places: handler.places,
    leaseSeconds: handler.leaseSeconds,
    isSentOnce: handler.once !== undefined,
    /**
     * For the request that started the operation: sends its order by `send`, which may use data that is not stored. An
     * operation that an earlier request started is repeated.
     */
    send: (started: StartedBankOperation<O> | JoinedOperation, send: (order: O) => Promise<BankAnswer<A>>) =>
      useCaseOf<V>()(async (hooks) => {
        if (!('operation' in started)) return repeat(started.intent)(hooks)
        const { intent, order, operation } = started
        const result = isTooLate(operation) ? NOT_SENT : await send(order)
        await report(intent, result)
        return finish(intent, result, operation)(hooks)
      }),
    /** For a worker that has claimed the operation. */
    resume,
    /**
     * For a repeated request. Increments `attempts` first, as a worker's claim does: a slower first request that was
     * not sent is then superseded and does not end the operation.
     */
    repeat,
  }
}

const NOT_SENT = { outcome: 'unavailable' } as const

/** Finds the operation at the bank, and sends the order only if the bank does not have it and it is still wanted. */
const askBank = async <S, O, A, V, C extends string>(
  { cipher, clock }: Ports,
  handler: OperationHandler<S, O, A, V, C>,
  { operation, subject }: Facts<S>,
): Promise<BankResult<A>> => {
  const { find, send, once } = handler
  const askedAt = clock.steady()
  const isWanted = handler.isWanted(operation, subject, askedAt)
  const order = orderIn<O>(cipher, operation)
  if (order === null) return { outcome: 'unknown' }
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
  // An earlier attempt may have reached the bank: only a refusal ends the operation.
  return sent.outcome === 'unavailable' ? { outcome: 'unknown' } : sent
}

/** The operation and its subject, read at one instant. */
export interface Facts<S> {
  readonly operation: Operation
  readonly subject: S
}

/**
 * The order is no longer wanted: this attempt did not send it, and the bank did not have it at `askedAt`. An order sent
 * earlier may still arrive after that.
 */
interface Unsent {
  readonly outcome: 'unsent'
  readonly askedAt: Instant
}

/** The order was sent once, and the bank did not have it at `askedAt`, after the time for it to arrive. */
interface Lost {
  readonly outcome: 'lost'
  readonly askedAt: Instant
}

/** The result of one attempt. */
export type BankResult<A> = BankReply<A> | Unsent | Lost

/** The time for which an order sent earlier may still arrive. It is looked for, and not resent. */
const LINGER_SECONDS = 3 * 3_600
const LINGER_WAIT_SECONDS = 3_600

type Handler<S, A, V, C extends string> = Pick<
  OperationHandler<S, never, A, V, C>,
  'decide' | 'ended' | 'unknown' | 'once' | 'firstWaitSeconds' | 'longestWaitSeconds'
>

/** Decides the outcome of an operation, once. `result` is null if the bank was not asked. */
const decideOperation = <S, A, V, C extends string>(
  handler: Handler<S, A, V, C>,
  facts: Facts<S> | null,
  result: BankResult<A> | null,
  fresh: Fresh,
) => {
  if (!facts) return left(handler.unknown)
  const { operation, subject } = facts
  const reply = result && replyIn(operation, result)
  if (operation.state !== 'asking' || reply === null) {
    const { value, changes = [] } = handler.ended(operation, subject, reply, fresh)
    return accept(
      value,
      ...(result && operation.dueAt !== null ? afterLateCheck(operation, result, fresh) : []),
      ...changes,
    )
  }
  const verdict = handler.decide(operation, subject, reply, fresh)
  const lingers = result?.outcome === 'unsent' && verdict.is === 'asking'
  const lingerSeconds = result?.outcome === 'lost' ? (handler.once?.lingerSeconds ?? null) : null
  return accept(
    verdict.value,
    ...(lingers ? lingering(operation, fresh) : stateAfter(handler, operation, { ...verdict, lingerSeconds }, fresh)),
    ...(verdict.changes ?? []),
  )
}

/** The stored reason of an order that is not resent and that the bank does not have. */
export const LOST = 'O banco não conhece a operação.'

const MAX_REASON_CHARS = 1_000

/**
 * Converts the result of an attempt to a reply. An unsent order is withdrawn once no earlier attempt can still arrive.
 * The reason of a refusal is cut, and characters that a store rejects are replaced.
 */
const replyIn = <A>({ inFlightUntil }: Operation, result: BankResult<A>): BankReply<A> => {
  if (result.outcome === 'refused')
    return { ...result, reason: replaceUnstorable(result.reason.slice(0, MAX_REASON_CHARS)) }
  if (result.outcome === 'lost') return { outcome: 'refused', reason: LOST }
  if (result.outcome !== 'unsent') return result
  return { outcome: inFlightUntil !== null && inFlightUntil <= result.askedAt ? 'withdrawn' : 'unknown' }
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

/** Returns the time of the next attempt, at the latest the time from which a missing order counts as lost. */
const nextRetryAt = <S, A, V, C extends string>(
  handler: Handler<S, A, V, C>,
  operation: Operation,
  { steady }: Fresh,
): Instant => {
  const dueAt = addSeconds(steady, secondsToRetry(handler, operation))
  const lostAt = handler.once && addSeconds(operation.createdAt, handler.once.lostAfterSeconds)
  return lostAt !== undefined && steady < lostAt && lostAt < dueAt ? lostAt : dueAt
}

const LATE_CHECK_SECONDS = 60
const nextLateCheckAt = ({ steady }: Pick<Fresh, 'steady'>): Instant => addSeconds(steady, LATE_CHECK_SECONDS)

/** The changes after a check for an order that counts as lost: it is checked until it is found or its time is over. */
const afterLateCheck = <A>(
  { id, inFlightUntil }: Operation,
  result: BankResult<A>,
  fresh: Fresh,
): readonly Change[] => {
  if (result.outcome === 'refused' || result.outcome === 'unavailable') return []
  const ends = { dueAt: null, expiresAt: operationExpiry(fresh) } as const
  const isOver = result.outcome === 'lost' && inFlightUntil !== null && inFlightUntil <= result.askedAt
  const found = result.outcome === 'done' ? ({ ...ends, state: 'done', reason: null } as const) : null
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

/** Failure codes of the store. With any other code the outcome is committed, and the queue does not retry. */
const UNRECORDED: readonly string[] = ['store.busy', 'store.unavailable']

const SLICE = 100

/**
 * Makes every waiting operation that is sent once due at the start of a process, since the process that leased it may
 * be dead. An early check is harmless.
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

/** The queues of unanswered operations, one for each kind, so that a slow kind does not block another. */
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

const report = record({
  /** The kind of the bank's record, and its id at the bank: `pix|E123…`. */
  id: t.string,
  /** Null if the account is not known. */
  accountId: orNull(t.number),
  createdAt: t.string,
  expiresAt: t.string,
})

/** The unreadable bank records that were reported. */
export const unreadableRecords: Collection<t.TypeOf<typeof report>> = {
  name: 'payments.unreadable-bank-records',
  ids: 'text',
  codec: report,
  owner: null,
  indexes: [{ sort: 'expiresAt', acrossOwners: true }],
}

/** Longer than a bank lists a record. */
const STORED_SECONDS = 400 * 86_400
const MAX_ID_CHARS = 100

type Reporting = Runtime & { readonly log: Log }

/**
 * Reports an unreadable bank record, once: notifies the ADMINs of the account and logs one error with the bank's id. Returns
 * true for the first report.
 */
export const reportUnreadable = (
  ports: Reporting,
  { kind, id }: Pick<UnreadableRecord, 'kind' | 'id'>,
  accountId: number | null,
) => {
  const bankId = replaceUnstorable(id.slice(0, MAX_ID_CHARS))
  const first = useCase(
    ports,
    async (store) => {
      const known = await store.find(byId(unreadableRecords, `${kind}|${bankId}`))
      const admins = known || accountId === null ? [] : (await store.list(adminsOf(accountId))).records
      return { known, admins }
    },
    ({ known, admins }, fresh) => {
      if (known) return accept(false)
      const { now: createdAt, steady } = fresh
      const reported = { id: `${kind}|${bankId}`, accountId, createdAt, expiresAt: addSeconds(steady, STORED_SECONDS) }
      const notifications =
        accountId === null ? [] : notify(fresh, admins, { accountId, type: TYPE, data: { kind, id: bankId } })
      return accept(true, insert(unreadableRecords, reported), ...notifications)
    },
  )
  return useCaseOf<boolean>()(async (hooks) => {
    const reported = await first(hooks)
    if (!isLeft(reported) && reported.right)
      ports.log.error('a record of the bank cannot be read', { kind, id: bankId })
    return reported
  })
}

const TYPE = 'bank.unreadable'

/** A pay-out is sent once: after 60 s without trace it has failed, and for 3 h the bank is asked whether it arrived late. */
export const SENT_ONCE = { lostAfterSeconds: 60, lingerSeconds: 3 * 3_600 } as const

/** Notifies the ADMINs that the bank completed a pay-out that had been reported as failed. */
export const notifyLatePayOut = (
  fresh: Fresh,
  admins: readonly Membership[],
  accountId: number,
  data: Json,
): readonly Change[] => notify(fresh, admins, { accountId, type: 'pay_out.late', data })

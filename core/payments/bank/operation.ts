import { type Either, type Failure, refusal } from '../../failure.ts'
import {
  at,
  type Change,
  type Collection,
  insert,
  orNull,
  type Rec,
  record,
  type Taken,
  t,
  word,
} from '../../kernel/records/record.ts'
import { queueConditions, queueIndex } from '../../kernel/running/queue.ts'
import { type Fresh, leaseEnd } from '../../kernel/running/use-case.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import type { BankAnswer } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import type { Store } from '../../ports/store.ts'

const operation = record({
  /** The id of the operation. The order carries the id that the bank knows. */
  id: t.string,
  /** Null while the account is being opened. */
  accountId: orNull(t.number),
  /** The kind of its handler: `create-title`. */
  kind: t.string,
  /** The collection and id of the record that it belongs to. */
  subject: t.tuple([t.string, t.union([t.string, t.number])]),
  /** The order, sealed, so that every attempt sends the same. Null if an earlier release started the operation. */
  order: orNull(t.string),
  /** `withdrawn`: the subject had ended before the bank accepted the order. */
  state: word('asking', 'done', 'refused', 'withdrawn'),
  /** The time of the next attempt by the worker; null after the end. */
  dueAt: orNull(t.string),
  /** Attempts by the worker and by repeated requests, without the first one. */
  attempts: t.number,
  /**
   * The time until which an order that is no longer wanted may still arrive at the bank; after the end of the
   * operation, the time until which a late order is looked up.
   */
  inFlightUntil: orNull(t.string),
  /** The bank's reason for its refusal. */
  reason: orNull(t.string),
  createdAt: t.string,
  /** The time of its deletion; null until its end. */
  expiresAt: orNull(t.string),
  /** The span that its work continues; null without tracing. */
  trace: orNull(t.string),
})

/** A request to the bank, from its order to the bank's answer. */
export type Operation = t.TypeOf<typeof operation>

export const bankOperations: Collection<Operation> = {
  name: 'payments.bank-operations',
  ids: 'text',
  codec: operation,
  owner: null,
  conditions: queueConditions,
  indexes: [
    // Each kind has a queue of its own.
    { eq: 'kind', ...queueIndex('accountId') },
    { sort: 'expiresAt', acrossOwners: true },
  ],
}

/** The time-out of one call to the bank. */
export const CALL_SECONDS = 30

/** The answer in place of a bank that was not called. */
export const NO_ANSWER = { outcome: 'unavailable' } as const

/** The usual settings of a kind. */
export const BANK_CALLS = { atOnce: 4, leaseSeconds: 60, firstWaitSeconds: 5 } as const

/** The time for which an ended operation is stored: longer than an idempotency key that names it. */
const STORED_SECONDS = 30 * 86_400

export const operationExpiry = ({ steady }: Pick<Fresh, 'steady'>): string => addSeconds(steady, STORED_SECONDS)

export const subjectOf = <R extends Rec>({ name }: Pick<Collection<R>, 'name'>, id: R['id']): Operation['subject'] => [
  name,
  id,
]

const contextOf = (id: string): string => at(bankOperations, id).join('/')

/** The input of a new operation; `O` is its order, stored as JSON. */
interface NewOperation<O> extends Pick<Operation, 'id' | 'accountId' | 'subject'> {
  readonly order: O
}

/** An operation that this request has started; its intent is the operation's id. `R` is the record of its subject. */
export interface StartedBankOperation<O, R = never> {
  readonly intent: string
  readonly order: O
  /** As committed: the first decision uses it without a read. */
  readonly operation: Operation
  /** The subject as committed, if a decision on the bank's success may use it without a read. */
  readonly committed?: R
}

/** An operation that an earlier request started. */
export interface JoinedOperation {
  readonly intent: string
  readonly order: null
}

type StartFresh = Pick<Fresh, 'now' | 'steady' | 'mark' | 'trace'>

/**
 * Starts an operation whose order the request sends; after its lease the worker does. Returns it with the change that
 * stores it, for the commit of its subject.
 */
export const beginOperation = <O>(
  cipher: Pick<Cipher, 'seal'>,
  { kind, leaseSeconds }: { readonly kind: string; readonly leaseSeconds: number },
  input: NewOperation<O>,
  fresh: StartFresh,
): { readonly started: StartedBankOperation<O>; readonly change: Change } => {
  const operation = newOperation(cipher, kind, input, leaseEnd(fresh, leaseSeconds), fresh)
  const started = { intent: operation.id, order: input.order, operation }
  return { started, change: insert(bankOperations, operation) }
}

/** Returns the change that starts an operation whose order the worker sends. */
export const enqueueOperation = <O>(
  cipher: Pick<Cipher, 'seal'>,
  { kind }: { readonly kind: string },
  input: NewOperation<O>,
  fresh: StartFresh,
): Change => insert(bankOperations, newOperation(cipher, kind, input, fresh.steady, fresh))

const newOperation = <O>(
  cipher: Pick<Cipher, 'seal'>,
  kind: string,
  { order, ...input }: NewOperation<O>,
  dueAt: string,
  { now, trace = null }: StartFresh,
): Operation => ({
  kind,
  dueAt,
  order: cipher.seal(JSON.stringify(order), contextOf(input.id)),
  createdAt: now,
  trace,
  ...INITIAL,
  ...input,
})

/** Opens the order of an operation; null if a release before 0.4.0 started it. */
export const orderIn = <O>(cipher: Pick<Cipher, 'open'>, { id, order }: Pick<Operation, 'id' | 'order'>): O | null =>
  order === null ? null : JSON.parse(cipher.open(order, contextOf(id)))

const INITIAL = { state: 'asking', attempts: 0, inFlightUntil: null, reason: null, expiresAt: null } as const

/** The bank's answer. `withdrawn`: the order is no longer wanted, and the bank does not have it. */
export type BankReply<A> = BankAnswer<A> | { readonly outcome: 'withdrawn' }

/** Returns an unknown answer, which may name an unreadable record; an unknown one in place of any other. */
export const asUnknown = (answer: BankAnswer<unknown>): Extract<BankAnswer<unknown>, { outcome: 'unknown' }> =>
  answer.outcome === 'unknown' ? answer : { outcome: 'unknown' }

/** The result for the caller, and the changes to commit. */
export interface OperationResult<V, C extends string> {
  readonly value: Either<Failure<C, never>, V>
  readonly changes?: readonly Change[]
  /** Returns the value of a success with the fields that the commit takes. */
  readonly valueAtCommit?: (taken: Taken) => V
  /** True if another operation of the subject must end before a late reply is decided: the operation is retried. */
  readonly isBusy?: boolean
}

/** The outcome of an operation after a reply. */
export interface Verdict<V, C extends string> extends OperationResult<V, C> {
  /** `asking`: the operation is retried. `superseded`: another attempt has started, and its answer decides. */
  readonly is: Operation['state'] | 'superseded'
  /** The bank's reason for its refusal, stored for later callers. */
  readonly reason?: string | null
}

/**
 * Returns the verdict without an outcome: after an unknown answer the operation is retried; a first request that took
 * longer than its lease is superseded by another attempt. Returns null if the reply is an outcome.
 */
export const openVerdict = <V>(
  { attempts }: Pick<Operation, 'attempts'>,
  { outcome }: BankReply<unknown>,
  value: Either<never, V>,
): Verdict<V, never> | null => {
  if (outcome === 'unknown') return { is: 'asking', value }
  return outcome === 'unavailable' && attempts > 0 ? { is: 'superseded', value } : null
}

/** The times of the attempts and look-ups of one kind. */
export interface OperationTimes {
  /** The wait after the first attempt without an answer; it doubles with every attempt. */
  readonly firstWaitSeconds: number
  /** The longest wait; by default ten minutes. */
  readonly longestWaitSeconds?: number
  /**
   * For orders that only the first request sends (`send` is null). One that the bank does not have `lostAfterSeconds`
   * after the start has failed; it is looked up for `lateCheckSeconds` more, since it may arrive late.
   */
  readonly once?: { readonly lostAfterSeconds: number; readonly lateCheckSeconds: number }
}

/**
 * Runs the operations of one kind. `S` is the subject with all facts for the decision, `O` the order, `A` the bank's
 * answer, `V` the caller's value, `C` its failure codes, and `R` the subject's record as the request committed it.
 */
export interface OperationHandler<S, O, A, V, C extends string, R = never> extends OperationTimes {
  readonly kind: string
  /** The limit of operations of this kind that one process runs at once. */
  readonly atOnce: number
  /** Must exceed all calls of one attempt: after it, another process retries. */
  readonly leaseSeconds: number
  /** Reads the subject. The first decision on a success gets `committed`: its guards must fail if that has changed. */
  readonly read: (store: Store, operation: Operation, committed?: R) => Promise<S>
  /** Returns false if the order must no longer be sent. */
  readonly isWanted: (operation: Operation, subject: S, now: string) => boolean
  /** Sends the order. Null if only the first request can send it (card numbers are not stored): it is never resent. */
  readonly send: ((order: O) => Promise<BankAnswer<A>>) | null
  /**
   * Returns the operation at the bank by our id; null if the bank does not have it. A kind without `find` resends the
   * order without a look-up. `isEnded`: the operation has ended, and its order may have arrived late.
   */
  readonly find: ((order: O, isEnded: boolean) => Promise<BankAnswer<A | null>>) | null
  /** Decides the outcome on the subject as of the commit, with guards on the facts that it depends on. */
  readonly decide: (operation: Operation, subject: S, reply: BankReply<A>, fresh: Fresh) => Verdict<V, C>
  /** Returns the result of an operation that has already ended, and the changes that a late reply requires. */
  readonly ended: (operation: Operation, subject: S, reply: BankReply<A> | null, fresh: Fresh) => OperationResult<V, C>
  /** The failure if there is no such operation. */
  readonly unknown: Failure<C, never>
}

const LONGEST_WAIT_SECONDS = 600
const MOST_DOUBLINGS = 10

/** Returns the wait before the next attempt. */
export const secondsToRetry = (
  { firstWaitSeconds, longestWaitSeconds = LONGEST_WAIT_SECONDS }: OperationTimes,
  { attempts }: Pick<Operation, 'attempts'>,
): number => Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** Math.min(attempts, MOST_DOUBLINGS))

/** The `failure` of a record whose bank was never reached; otherwise `failure` is the bank's reason. */
export const UNAVAILABLE = 'unavailable'

const RETRY_SECONDS = 30
export const BANK_UNAVAILABLE: Failure<'bank.unavailable', never> = {
  tag: 'refused',
  code: 'bank.unavailable',
  retryAfterSeconds: RETRY_SECONDS,
}

/** The failure of a pay-out, from the `failure` of its record. */
export const payOutFailure = (why: string): Failure<'bank.refused' | 'bank.unavailable', never> =>
  why === UNAVAILABLE ? BANK_UNAVAILABLE : refusal('bank.refused', why)

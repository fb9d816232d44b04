import { type Failure, refusal } from '../../failure.ts'
import { type Either, t } from '../../fp.ts'
import type { Change } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { at, orNull, type Rec, record, word } from '../../kernel/records/record.ts'
import { eq, not } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { WAITING } from '../../kernel/running/queue.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import type { BankAnswer } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import type { Store } from '../../ports/store.ts'

const operation = record({
  /** Our own id at the bank: what is asked twice by it is done once. */
  id: t.string,
  /** Null where the account is only being opened. */
  accountId: orNull(t.number),
  /** By which its handler is found: `create-title`. */
  kind: t.string,
  /** What it is about: collection and id of the record that keeps it. */
  subject: t.tuple([t.string, t.union([t.string, t.number])]),
  /** What was decided to ask, sealed: whoever asks, and when, orders the same. Null where an earlier release decided it. */
  order: orNull(t.string),
  /** Withdrawn: its subject had ended before the bank knew of it. */
  state: word('asking', 'done', 'refused', 'withdrawn'),
  /** When somebody else is to ask; null once it has ended. */
  dueAt: orNull(t.string),
  /** How often somebody else than who began it has taken it up. */
  attempts: t.number,
  /** Until when an order that nobody wants any more, or that counts as lost, may still arrive there. */
  inFlightUntil: orNull(t.string),
  /** Why the bank refused it. */
  reason: orNull(t.string),
  createdAt: t.string,
  /** When it is forgotten; null while it is asked. */
  expiresAt: orNull(t.string),
  /** The span that its work continues; null without tracing. */
  trace: orNull(t.string),
})

/** One thing that a bank is asked, from its order to its answer. */
export type Operation = t.TypeOf<typeof operation>

export const bankOperations: Collection<Operation> = {
  name: 'payments.bank-operations',
  ids: 'text',
  codec: operation,
  owner: null,
  conditions: { [WAITING]: not(eq('dueAt', null)) },
  indexes: [
    // Each kind has places of its own: none is looked for among the others.
    { eq: 'kind', sort: 'dueAt', when: WAITING, acrossOwners: true, include: ['accountId'] },
    { sort: 'expiresAt', acrossOwners: true },
  ],
}

/** How long what is sent may be on its way to the bank: the time-out of one call. */
export const CALL_SECONDS = 30

/** How long one that has ended is kept: longer than a key that names it. */
const STORED_SECONDS = 30 * 86_400

/** The moment at which an operation that ends now is forgotten. */
export const operationExpiry = ({ steady }: Pick<Fresh, 'steady'>): string => addSeconds(steady, STORED_SECONDS)

/** What it is asked about, by the name of its collection. */
export const subjectOf = <R extends Rec>({ name }: Pick<Collection<R>, 'name'>, id: R['id']): Operation['subject'] => [
  name,
  id,
]

const contextOf = (id: string): string => at(bankOperations, id).join('/')

/** What a new one is made of; `O` is what the bank is ordered, as JSON. */
export interface NewOperation<O> extends Pick<Operation, 'id' | 'accountId' | 'kind' | 'subject'> {
  readonly order: O
  /** When somebody else than who begins it may ask: now, where nobody else does. */
  readonly dueAt: string
}

/** An operation whose order is what is decided now. */
export const newOperation = <O>(
  cipher: Pick<Cipher, 'seal'>,
  { order, dueAt, ...given }: NewOperation<O>,
  { now, mark, trace = null }: Pick<Fresh, 'now' | 'mark' | 'trace'>,
): Operation => ({
  ...given,
  // In the hands of the request that begins it until then.
  dueAt: mark && dueAt > now ? mark(dueAt) : dueAt,
  order: cipher.seal(JSON.stringify(order), contextOf(given.id)),
  ...INITIAL,
  createdAt: now,
  trace,
})

/** What it was decided to ask; null where an earlier release did not write it down. */
export const orderIn = <O>(cipher: Pick<Cipher, 'open'>, { id, order }: Pick<Operation, 'id' | 'order'>): O | null =>
  order === null ? null : JSON.parse(cipher.open(order, contextOf(id)))

const INITIAL = { state: 'asking', attempts: 0, inFlightUntil: null, reason: null, expiresAt: null } as const

/** One that an earlier release has begun: its order is found in its subject, and the bank may have heard of it. */
export const earlierOperation = (
  given: Pick<Operation, 'id' | 'accountId' | 'kind' | 'subject' | 'dueAt' | 'createdAt'>,
): Operation => ({ ...INITIAL, ...given, order: null, attempts: 1, trace: null })

/** What came of asking. `withdrawn`: nobody wants it any more, and the bank does not know it. */
export type BankReply<A> = BankAnswer<A> | { readonly outcome: 'withdrawn' }

/** What whoever asks or waits is told, and what is written of it. */
export interface OperationResult<V, C extends string> {
  readonly value: Either<Failure<C, never>, V>
  readonly changes?: readonly Change[]
}

/** What a reply makes of an operation and of its subject. */
export interface Verdict<V, C extends string> extends OperationResult<V, C> {
  /** `asking`: the bank is asked again. `superseded`: somebody else asks too, and what the bank says to them counts. */
  readonly is: Operation['state'] | 'superseded'
  /** Why the bank refused it: kept for whoever asks later. */
  readonly reason?: string | null
}

/**
 * How operations of one kind are asked and ended. `S` is the subject with all that their outcome is decided on, `O` their
 * order, `A` what the bank gives, `V` what the caller gets, and `C` the codes that it fails with.
 */
export interface OperationHandler<S, O, A, V, C extends string> {
  readonly kind: string
  /** Asked at once in one process, whatever others wait. */
  readonly places: number
  /** Longer than all the calls of one try: then somebody else asks. */
  readonly leaseSeconds: number
  /** The wait for a bank that has not answered; it doubles with every try. */
  readonly firstWaitSeconds: number
  /** Where it stops doubling; ten minutes without it. */
  readonly longestWaitSeconds?: number
  /** The subject as it is now. */
  readonly read: (store: Store, operation: Operation) => Promise<S>
  /** Whether there is still anything to ask: whoever asks looks before. */
  readonly isWanted: (operation: Operation, subject: S, now: string) => boolean
  /** The order of an operation that an earlier release began; null where there is none. */
  readonly orderOf?: (subject: S) => Promise<O | null>
  /** Sends the order. Null where only who begins it can (a card's number is written nowhere): then it is never sent again. */
  readonly send: ((order: O) => Promise<BankAnswer<A>>) | null
  /**
   * Of what is sent once and never again, by who begins it: what the bank does not know so long after it was decided has
   * failed, and so much longer it is asked whether it came after all. `send` is null then.
   */
  readonly once?: { readonly lostAfterSeconds: number; readonly lingerSeconds: number }
  /** What the bank knows of it, by our id; null where it never took it. Without it, the same order sent again tells. */
  readonly find: ((order: O) => Promise<BankAnswer<A | null>>) | null
  /**
   * The outcome, decided on the subject as it is at the moment of commit; guarded by what it was decided on. What was ordered
   * stands sealed in the operation: `orderIn` opens it.
   */
  readonly decide: (operation: Operation, subject: S, reply: BankReply<A>, fresh: Fresh) => Verdict<V, C>
  /** For whoever comes when it has ended: the same, and what their late reply still asks for. */
  readonly ended: (
    operation: Operation,
    subject: S,
    reply: BankReply<A> | null,
    fresh: Fresh,
  ) => OperationResult<V, C>
  /** There is no such operation. */
  readonly unknown: Failure<C, never>
}

const LONGEST_WAIT_SECONDS = 600
const MOST_DOUBLINGS = 10

/** How long a bank that did not answer is left alone, after so many tries before this one. */
export const secondsToRetry = (
  {
    firstWaitSeconds,
    longestWaitSeconds = LONGEST_WAIT_SECONDS,
  }: { readonly firstWaitSeconds: number; readonly longestWaitSeconds?: number },
  { attempts }: Pick<Operation, 'attempts'>,
): number => Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** Math.min(attempts, MOST_DOUBLINGS))

/** What a record's `failure` says where the bank was never reached; else it is the bank's own reason. */
export const UNAVAILABLE = 'unavailable'

/** A bank that could not be reached is worth asking again so much later. */
const RETRY_SECONDS = 30
export const BANK_UNAVAILABLE: Failure<'bank.unavailable', never> = {
  tag: 'refused',
  code: 'bank.unavailable',
  retryAfterSeconds: RETRY_SECONDS,
}

/** What whoever asked is told of money that did not leave. */
export const payOutFailure = (why: string): Failure<'bank.refused' | 'bank.unavailable', never> =>
  why === UNAVAILABLE ? BANK_UNAVAILABLE : refusal('bank.refused', why)

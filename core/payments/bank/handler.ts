import type { Failure } from '../../failure.ts'
import type { Either } from '../../fp.ts'
import type { Change } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import type { BankAnswer } from '../../ports/bank.ts'
import type { Store } from '../../ports/store.ts'
import type { Operation } from './operation.ts'

/** What came of asking. `withdrawn`: nobody wants it any more, and the bank does not know it. */
export type BankReply<A> = BankAnswer<A> | { readonly outcome: 'withdrawn' }

/** What whoever asks or waits is told, and what is written of it. */
export interface Told<V, C extends string> {
  readonly value: Either<Failure<C, never>, V>
  readonly changes?: readonly Change[]
}

/** What a reply makes of an operation and of its subject. */
export interface Verdict<V, C extends string> extends Told<V, C> {
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
  readonly wanted: (operation: Operation, subject: S, now: string) => boolean
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
  readonly ended: (operation: Operation, subject: S, reply: BankReply<A> | null, fresh: Fresh) => Told<V, C>
  /** There is no such operation. */
  readonly unknown: Failure<C, never>
}

const LONGEST_WAIT_SECONDS = 600
const MOST_DOUBLINGS = 10

/** How long a bank that did not answer is left alone, after so many tries before this one. */
export const secondsToNextAsk = (
  {
    firstWaitSeconds,
    longestWaitSeconds = LONGEST_WAIT_SECONDS,
  }: { readonly firstWaitSeconds: number; readonly longestWaitSeconds?: number },
  { attempts }: Pick<Operation, 'attempts'>,
): number => Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** Math.min(attempts, MOST_DOUBLINGS))

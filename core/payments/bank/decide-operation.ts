import { left } from '../../fp.ts'
import { type Change, patch } from '../../kernel/records/change.ts'
import { all, eq, not } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { replaceUnstorable } from '../../kernel/values/text.ts'
import { type BankReply, type OperationHandler, secondsToNextAsk, type Verdict } from './handler.ts'
import { bankOperations, forgottenAt, type Operation } from './operation.ts'

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
export type Heard<A> = BankReply<A> | Unsent | Lost

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
  heard: Heard<A> | null,
  fresh: Fresh,
) => {
  if (!facts) return left(handler.unknown)
  const { operation, subject } = facts
  const reply = heard && replyIn(operation, heard)
  if (operation.state !== 'asking' || reply === null) {
    const { value, changes = [] } = handler.ended(operation, subject, reply, fresh)
    return accept(value, ...(heard && operation.dueAt !== null ? stillAsked(operation, heard, fresh) : []), ...changes)
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
const replyIn = <A>({ inFlightUntil }: Operation, heard: Heard<A>): BankReply<A> => {
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
    return [patch(bankOperations, id, { set: { dueAt: nextAsk(handler, operation, fresh) }, when: ASKING })]
  const { steady } = fresh
  const set =
    lingerSeconds === null
      ? ({ state: is, reason, dueAt: null, expiresAt: forgottenAt(fresh) } as const)
      : ({ state: is, reason, dueAt: lookAgainAt(fresh), inFlightUntil: addSeconds(steady, lingerSeconds) } as const)
  return [patch(bankOperations, id, { set, when: all<'state' | 'attempts'>(ASKING, eq('attempts', attempts)) })]
}

/** When the bank is asked once more: no later than what it does not know then counts as lost. */
const nextAsk = <S, A, V, C extends string>(
  handler: Handler<S, A, V, C>,
  operation: Operation,
  { steady }: Fresh,
): Instant => {
  const dueAt = addSeconds(steady, secondsToNextAsk(handler, operation))
  const lostAt = handler.once && addSeconds(operation.createdAt, handler.once.lostAfterSeconds)
  return lostAt !== undefined && steady < lostAt && lostAt < dueAt ? lostAt : dueAt
}

/** What came after all is soon found. */
const LOOK_SECONDS = 60
const lookAgainAt = ({ steady }: Pick<Fresh, 'steady'>): Instant => addSeconds(steady, LOOK_SECONDS)

/** What counted as lost is looked for until a look after its time has not found it, or it is there. */
const stillAsked = <A>({ id, inFlightUntil }: Operation, heard: Heard<A>, fresh: Fresh): readonly Change[] => {
  if (heard.outcome === 'refused' || heard.outcome === 'unavailable') return []
  const ends = { dueAt: null, expiresAt: forgottenAt(fresh) } as const
  const isOver = heard.outcome === 'lost' && inFlightUntil !== null && inFlightUntil <= heard.askedAt
  const found = heard.outcome === 'done' ? ({ ...ends, state: 'done', reason: null } as const) : null
  const set = found ?? (isOver ? ends : { dueAt: lookAgainAt(fresh) })
  return [patch(bankOperations, id, { set, when: LINGERS })]
}

const lingering = ({ id, inFlightUntil }: Operation, { now, steady }: Fresh): readonly Change[] => {
  const set = {
    inFlightUntil: inFlightUntil ?? addSeconds(now, LINGER_SECONDS),
    dueAt: addSeconds(steady, LINGER_WAIT_SECONDS),
  }
  return [patch(bankOperations, id, { set, when: ASKING })]
}

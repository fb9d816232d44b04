import { patch } from '../../kernel/records/change.ts'
import { all, eq } from '../../kernel/records/where.ts'
import { finishOperation, type Runtime, type UseCase, useCaseOf } from '../../kernel/running/use-case.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import type { BankAnswer } from '../../ports/bank.ts'
import type { Cipher, Log } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import { decideOperation, type Facts, type Heard, LOST } from './decide-operation.ts'
import type { OperationHandler } from './handler.ts'
import { bankOperations, CALL_SECONDS, type Operation, orderIn } from './operation.ts'
import { reportUnreadable } from './unreadable.ts'

interface Ports extends Runtime {
  readonly cipher: Pick<Cipher, 'open'>
  readonly log: Log
}

/** What a request has begun a moment ago: its intent is the operation's id. */
export interface BegunOperation<O> {
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
  const report = async (id: string, heard: Heard<A> | null): Promise<void> => {
    if (heard?.outcome !== 'unknown' || !heard.unreadable) return
    const operation = await ports.store.find(byId(bankOperations, id))
    await reportUnreadable(ports, heard.unreadable, operation?.accountId ?? null)()
  }
  const finish = (id: string, heard: Heard<A> | null, begun: Operation | null = null) => {
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
      const heard = isAsked ? await askAgain(ports, handler, facts) : null
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
    first: ({ intent, order, operation }: BegunOperation<O>, send: (order: O) => Promise<BankAnswer<A>>) =>
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
    again: (id: string) =>
      useCaseOf<V>()(async (hooks) => {
        const isAsked = all<'kind' | 'state'>(eq('kind', handler.kind), eq('state', 'asking'))
        await ports.store.commit([patch(bankOperations, id, { add: { attempts: 1 }, when: isAsked })])
        return resume(id)(hooks)
      }),
  }
}

/** The operations of any kind. */
export interface AnyOperations {
  readonly kind: string
  readonly places: number
  readonly leaseSeconds: number
  readonly isSentOnce: boolean
  readonly resume: (id: string) => UseCase<unknown>
}

const NOT_SENT = { outcome: 'unavailable' } as const

/** Only what the bank does not know yet is sent, and only where it is still wanted; what is sent once is not sent again. */
const askAgain = async <S, O, A, V, C extends string>(
  { cipher, clock }: Ports,
  handler: OperationHandler<S, O, A, V, C>,
  { operation, subject }: Facts<S>,
): Promise<Heard<A>> => {
  const { find, send, orderOf, once } = handler
  const askedAt = clock.steady()
  const isWanted = handler.wanted(operation, subject, askedAt)
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

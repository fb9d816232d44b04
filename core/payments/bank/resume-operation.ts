import { patch } from '../../kernel/records/change.ts'
import { all, eq } from '../../kernel/records/where.ts'
import { finishOperation, type Runtime, type UseCase, useCaseOf } from '../../kernel/running/use-case.ts'
import type { BankAnswer } from '../../ports/bank-answer.ts'
import type { Cipher } from '../../ports/cipher.ts'
import { byId, type Store } from '../../ports/store.ts'
import { decideOperation, type Facts, type Heard } from './decide-operation.ts'
import type { OperationHandler } from './handler.ts'
import { bankOperations, type Operation, orderIn } from './operation.ts'

interface Ports extends Runtime {
  readonly cipher: Pick<Cipher, 'open'>
}

/** What a request has begun a moment ago: its intent is the operation's id. */
export interface BegunOperation<O> {
  readonly intent: string
  readonly order: O
  /** As it was committed: its outcome is decided on it first, and only where that is stale on what it has become. */
  readonly operation?: Operation
}

/** What an order that nobody can send again has come to, where the bank does not know it. */
const LOST = 'O banco não conhece a operação.'

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
      const isAsking = facts?.operation.state === 'asking'
      return finish(id, isAsking ? await askAgain(ports, handler, facts) : null)(hooks)
    })

  return {
    kind: handler.kind,
    places: handler.places,
    leaseSeconds: handler.leaseSeconds,
    /** For the request that began it, which sends the order by `send`: another than everybody's where nobody else can. */
    first: ({ intent, order, operation }: BegunOperation<O>, send: (order: O) => Promise<BankAnswer<A>>) =>
      useCaseOf<V>()(async (hooks) => finish(intent, await send(order), operation)(hooks)),
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
  readonly resume: (id: string) => UseCase<unknown>
}

/** Only what the bank does not know yet is sent, and only where it is still wanted. */
const askAgain = async <S, O, A, V, C extends string>(
  { cipher, clock }: Ports,
  handler: OperationHandler<S, O, A, V, C>,
  { operation, subject }: Facts<S>,
): Promise<Heard<A>> => {
  const { find, send, orderOf } = handler
  const askedAt = clock.steady()
  const isWanted = handler.wanted(operation, subject, askedAt)
  const order = orderIn<O>(cipher, operation) ?? (await orderOf?.(subject)) ?? null
  // Without its subject there is nothing to ask for.
  if (order === null) return { outcome: 'withdrawn' }
  if (!find) return isWanted && send ? send(order) : { outcome: 'withdrawn' }
  const known = await find(order)
  if (known.outcome !== 'done') return { outcome: 'unknown' }
  if (known.value !== null) return { outcome: 'done', value: known.value }
  if (!isWanted) return { outcome: 'unsent', askedAt }
  if (!send) return { outcome: 'refused', reason: LOST }
  const sent = await send(order)
  // Nothing but its refusal ends what the bank may have been asked before.
  return sent.outcome === 'unavailable' ? { outcome: 'unknown' } : sent
}

import { isLeft } from '../../../core/failure.ts'
import { gt, patch } from '../../../core/kernel/records/record.ts'
import { accept, decideAndCommit, type Runtime } from '../../../core/kernel/running/use-case.ts'
import type { BankAnswer } from '../../../core/ports/bank.ts'
import { byId, type Query, type QueryResults, type Store, StoreUnavailable } from '../../../core/ports/store.ts'
import { type Fault, faults, type Operation } from './books.ts'

const REFUSAL = 'Operação recusada pelo banco.'

export const UNAVAILABLE = { outcome: 'unavailable' } as const
/** The answer to a failed commit, which may have been stored nevertheless. */
export const UNKNOWN = { outcome: 'unknown' } as const

/** Reads the books; `unavailable` while the store is. */
export const readBooks = async <T>(read: () => Promise<T>): Promise<BankAnswer<T>> => {
  try {
    return { outcome: 'done', value: await read() }
  } catch (error) {
    if (error instanceof StoreUnavailable) return UNAVAILABLE
    throw error
  }
}

/**
 * Runs an operation, or fails as the console ordered. The facts of the operation are read together with the order of
 * the console; the first attempt of the operation gets these.
 */
export const withFaults = async <Q extends Readonly<Record<string, Query>>, T>(
  runtime: Runtime,
  operation: Operation,
  queries: Q,
  run: (facts: (store: Store) => Promise<QueryResults<Q>>) => Promise<BankAnswer<T>>,
): Promise<BankAnswer<T>> => {
  let first: QueryResults<Q> | null = null
  const mode = await takeFault(runtime, operation, async (store) => {
    const { fault, ...known } = await store.read({ ...queries, fault: byId(faults, operation) })
    first = known as QueryResults<Q>
    return fault as Fault | null
  })
  const facts = async (store: Store): Promise<QueryResults<Q>> => {
    const known = first
    first = null
    return known ?? store.read(queries)
  }
  if (mode === null) return run(facts)
  // The operation runs in mode `timeout`, and does not in mode `timeout_lost`.
  if (mode === 'timeout') await run(facts)
  if (mode === 'refuse') return { outcome: 'refused', reason: REFUSAL }
  return mode === 'unavailable' ? UNAVAILABLE : UNKNOWN
}

const takeFault = async (runtime: Runtime, operation: Operation, read: (store: Store) => Promise<Fault | null>) => {
  const taken = await decideAndCommit(runtime, read, (fault) =>
    fault && fault.times > 0
      ? accept(fault.mode, patch(faults, operation, { add: { times: -1 }, when: gt('times', 0) }))
      : accept(null),
  )
  return isLeft(taken) ? 'unavailable' : taken.right
}

import { isLeft } from '../../../core/failure.ts'
import { gt, patch } from '../../../core/kernel/records/record.ts'
import { accept, decideAndCommit, type Runtime } from '../../../core/kernel/running/use-case.ts'
import type { BankAnswer } from '../../../core/ports/bank.ts'
import { byId, StoreUnavailable } from '../../../core/ports/store.ts'
import { faults, type Operation } from './books.ts'

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

/** Runs an operation, or fails as the console ordered. */
export const withFaults = async <T>(
  runtime: Runtime,
  operation: Operation,
  run: () => Promise<BankAnswer<T>>,
): Promise<BankAnswer<T>> => {
  const mode = await takeFault(runtime, operation)
  if (mode === null) return run()
  // The operation runs in mode `timeout`, and does not in mode `timeout_lost`.
  if (mode === 'timeout') await run()
  if (mode === 'refuse') return { outcome: 'refused', reason: REFUSAL }
  return mode === 'unavailable' ? UNAVAILABLE : UNKNOWN
}

const takeFault = async (runtime: Runtime, operation: Operation) => {
  const taken = await decideAndCommit(
    runtime,
    (store) => store.find(byId(faults, operation)),
    (fault) =>
      fault && fault.times > 0
        ? accept(fault.mode, patch(faults, operation, { add: { times: -1 }, when: gt('times', 0) }))
        : accept(null),
  )
  return isLeft(taken) ? 'unavailable' : taken.right
}

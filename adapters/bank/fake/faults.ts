import { isLeft } from '../../../core/fp.ts'
import { patch } from '../../../core/kernel/records/change.ts'
import { gt } from '../../../core/kernel/records/where.ts'
import { accept, decideAndCommit, type Runtime } from '../../../core/kernel/running/use-case.ts'
import type { BankAnswer } from '../../../core/ports/bank.ts'
import { byId } from '../../../core/ports/store.ts'
import { faults, type Operation } from './books.ts'

const REFUSAL = 'Operação recusada pelo banco.'

/** It was certainly not asked. */
export const UNAVAILABLE = { outcome: 'unavailable' } as const
/** Nobody knows what it did. */
export const UNKNOWN = { outcome: 'unknown' } as const

/** Does the operation, unless the console asked for it to fail: then so, once less often. */
export const withFaults = async <T>(
  runtime: Runtime,
  operation: Operation,
  act: () => Promise<BankAnswer<T>>,
): Promise<BankAnswer<T>> => {
  const mode = await takeFault(runtime, operation)
  if (mode === null) return act()
  // After a time-out the bank did what it was asked; after a lost one it did not.
  if (mode === 'timeout') await act()
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

import { serialByName } from '../../../kernel/running/concurrency.ts'
import type { Store } from '../../../ports/store.ts'

type Line = ReturnType<typeof serialByName>

const lines = new WeakMap<Store, Line>()

/**
 * Where changes of one account wait for each other, whichever use case makes them: each merges into what the one before it
 * made, and would else find it changed again and again. One line for all that runs on a store in this process; between
 * processes the guards hold.
 */
export const accountLine = (store: Store): ((accountId: number) => <A>(task: () => Promise<A>) => Promise<A>) => {
  const line = lines.get(store) ?? serialByName()
  lines.set(store, line)
  return (accountId) => (task) => line(`${accountId}`, task)
}

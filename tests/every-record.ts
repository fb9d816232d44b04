import { always, type Collection, type Rec } from '../core/kernel/records/record.ts'
import type { Store } from '../core/ports/store.ts'

/** Returns all records of a collection of a store. */
export const everyRecord = async <R extends Rec>(store: Pick<Store, 'scan'>, from: Collection<R>): Promise<R[]> => {
  const found: R[] = []
  for await (const record of store.scan(from, always)) found.push(record)
  return found
}

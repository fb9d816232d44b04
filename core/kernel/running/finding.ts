import type { Store } from '../../ports/store.ts'
import type { Collection, Rec } from '../records/collection.ts'
import { always } from '../records/where.ts'

/** What an audit found in one area: what it looked at, and what is wrong, a line each. */
export interface Finding {
  readonly area: string
  /** `accounts` to how many: told in their order. */
  readonly figures: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

/** Records that are looked at together. */
const A_SLICE = 200

/** All records of a collection, slice by slice. */
export async function* slices<R extends Rec>(store: Pick<Store, 'scan'>, from: Collection<R>): AsyncIterable<R[]> {
  let slice: R[] = []
  for await (const record of store.scan(from, always)) {
    slice.push(record)
    if (slice.length < A_SLICE) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}

/** A look at what others are writing meanwhile: what is wrong is looked at again before it is told. */
export const lookTwice = async <A extends { readonly faults: readonly string[] }>(
  look: () => Promise<A>,
): Promise<A> => {
  const first = await look()
  return first.faults.length === 0 ? first : look()
}

import type { Rec } from '../../../core/kernel/records/record.ts'
import type { Find, Query } from '../../../core/ports/store.ts'
import { recordOf } from '../layout/document.ts'
import { keyPath, type Shape } from '../layout/shape.ts'
import { assertFilled } from './filled.ts'
import { group } from './group.ts'
import { asksTwice, page } from './page.ts'
import type { DatabaseReader } from './reader.ts'

/** The answer to any ask. */
export const answer = async (shape: Shape, ask: Query, reader: DatabaseReader): Promise<unknown> => {
  assertFilled(shape, ask)
  if (ask.kind === 'find') return find(shape, ask, reader)
  return ask.kind === 'list' ? page(shape, ask, reader) : group(shape, ask, reader)
}

/** Whether one question answers it: that is of one instant by itself. */
export const isOneQuestion = (shape: Shape, ask: Query): boolean => ask.kind !== 'list' || !asksTwice(shape, ask)

const find = async (shape: Shape, { by }: Find<Rec>, reader: DatabaseReader): Promise<Rec | null> => {
  const { collection } = shape
  if ('key' in by && !collection.keys?.[by.key]) throw new Error(`${collection.name} has no key ${by.key}`)
  const filter = 'id' in by ? { _id: { $eq: by.id } } : { [keyPath(shape, by.key)]: { $eq: by.is } }
  const [doc] = await reader.find(collection.name, { filter, limit: 1 })
  return doc ? recordOf(collection, doc) : null
}

import { usedFields } from '../../../core/kernel/records/stored-shape.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { Shape } from '../layout/shape.ts'

type Asked = Parameters<typeof usedFields>[1]

/** Rejects what would be answered wrongly and not merely slowly: there are records that lack yet what it finds them by. */
export const assertFilled = ({ collection, unfilled }: Shape, asked: Asked): void => {
  if (!unfilled) return
  const { by } = asked
  if (typeof by === 'object' && 'key' in by && unfilled.keys.has(by.key))
    throw new StoreUnavailable(`${collection.name}: its key ${by.key} is being filled`)
  const lacking = usedFields(collection, asked).find((field) => unfilled.fields.has(field))
  if (lacking !== undefined) throw new StoreUnavailable(`${collection.name}: its field ${lacking} is being filled`)
}

import { isPin } from '../../../core/kernel/records/index-choice.ts'
import type { Where } from '../../../core/kernel/records/where.ts'
import type { IndexShape, Shape } from '../tables/schema.ts'

/** Whether the index leads straight to what the part asks for. */
export const serves = ({ collection }: Shape, { row }: IndexShape, part: Where): boolean =>
  (collection.owner !== null && !row.across && isPin(part, collection.owner)) ||
  (row.eq !== undefined && isPin(part, row.eq)) ||
  isRange(part, row.sort)

/** Whether the part bounds a field. */
export const isRange = (part: Where, field: string): boolean => {
  if ('lt' in part) return part.lt[0] === field
  if ('lte' in part) return part.lte[0] === field
  if ('gt' in part) return part.gt[0] === field
  return 'gte' in part ? part.gte[0] === field : isPin(part, field)
}

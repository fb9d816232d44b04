import type { Where } from '../../../core/kernel/where.ts'
import type { IndexShape, Shape } from '../layout/shape.ts'

export interface Wanted {
  readonly parts: readonly Where[]
  readonly when: string | undefined
  /** The field that the index must give the order of; null where order does not matter. */
  readonly sort: string | null
}

/**
 * The index row that serves a query best, or null. The choice is ours and not the server's, which tries plans against
 * each other and keeps the one that won for some other account.
 */
export const chooseIndex = ({ collection, indexes }: Shape, { parts, when, sort }: Wanted): IndexShape | null => {
  const searched = parts.map((part) => ('contains' in part ? part.contains[0] : null))
  const pins = (field: string): boolean => parts.some((part) => isPin(part, field))
  const fits = ({ row }: IndexShape): boolean =>
    (row.when === undefined || row.when === when) &&
    (collection.owner === null || row.across === true || pins(collection.owner)) &&
    (row.eq === undefined || pins(row.eq)) &&
    (sort === null ? !row.across : row.sort === sort)
  const worth = ({ row: { eq, when, search, across } }: IndexShape): number =>
    (search === undefined ? 0 : searched.includes(search) ? 8 : -1) +
    (eq === undefined ? 0 : 4) +
    (when === undefined ? 0 : 2) -
    (across && collection.owner !== null && pins(collection.owner) ? 16 : 0)
  return indexes.filter(fits).sort((a, b) => worth(b) - worth(a))[0] ?? null
}

/** Whether the part names its records by id. */
export const namesIds = (part: Where): boolean => isPin(part, 'id') || ('in' in part && part.in[0] === 'id')

export const isPin = (part: Where, field: string): boolean => 'eq' in part && part.eq[0] === field

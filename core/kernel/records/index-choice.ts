import type { AnyCollection, IndexRow } from './collection.ts'
import type { Where } from './where.ts'

/** The parts that must all hold. */
export const conjuncts = (where: Where): readonly Where[] => ('all' in where ? where.all.flatMap(conjuncts) : [where])

/** Whether the part leaves a field one value. */
export const isPin = (part: Where, field: string): boolean => 'eq' in part && part.eq[0] === field

/** Whether the part names its records by id. */
export const namesIds = (part: Where): boolean => isPin(part, 'id') || ('in' in part && part.in[0] === 'id')

/** The field that a part searches, for one text or any of several; null if it does not search. */
export const searchedField = (part: Where): string | null => {
  if ('contains' in part) return part.contains[0]
  if (!('any' in part)) return null
  const fields = new Set(part.any.map(searchedField))
  const [field = null] = fields
  return fields.size === 1 ? field : null
}

export interface Wanted {
  readonly parts: readonly Where[]
  readonly when: string | undefined
  /** The field that the index must give the order of; null where order does not matter. */
  readonly sort: string | null
}

// Each outweighs all that stand below it together.
const ALL_OWNERS = 16
const SEARCHED = 8
const PINNED = 4
const CONDITION = 2
const NEEDLESS_SEARCH = 1

/**
 * The index row that serves a query best, or null. The choice is ours and not the database's: without statistics, or with
 * those of some other account, it may take a narrower index and then sort.
 */
export const chooseIndex = <I extends { readonly row: IndexRow }>(
  { collection, indexes }: { readonly collection: Pick<AnyCollection, 'owner'>; readonly indexes: readonly I[] },
  { parts, when, sort }: Wanted,
): I | null => {
  const searched = parts.map(searchedField)
  const pins = (field: string): boolean => parts.some((part) => isPin(part, field))
  const ownerPinned = collection.owner !== null && pins(collection.owner)
  const fits = ({ row }: I): boolean =>
    (row.when === undefined || row.when === when) &&
    (collection.owner === null || row.across === true || ownerPinned) &&
    (row.eq === undefined || pins(row.eq)) &&
    // A row over all owners that narrows nothing is the whole collection, in an order nobody asked for.
    (sort === null ? !row.across || row.eq !== undefined || row.when !== undefined : row.sort === sort)
  const worth = ({ row }: I): number =>
    (row.across && ownerPinned ? -ALL_OWNERS : 0) +
    (row.search === undefined ? 0 : searched.includes(row.search) ? SEARCHED : -NEEDLESS_SEARCH) +
    (row.eq === undefined ? 0 : PINNED) +
    (row.when === undefined ? 0 : CONDITION)
  return indexes.filter(fits).sort((a, b) => worth(b) - worth(a))[0] ?? null
}

import type { AnyCollection, IndexRow } from '../records/collection.ts'
import { chooseIndex, isPin, type Wanted } from '../records/index-choice.ts'
import { compile } from '../records/matches.ts'
import { fieldsOf } from '../records/tally.ts'
import type { Where } from '../records/where.ts'

/** A way to the records of a query: through one of its collection's indexes. */
export interface AccessPath<I> {
  readonly index: I
  /** It gives the order that was asked for. */
  readonly isOrdered: boolean
  /** The parts that it leads straight to. */
  readonly served: readonly Where[]
  /** Nothing is asked besides: every entry that it leads to is one that is wanted. */
  readonly isStraight: boolean
  /** What is asked besides is seen in the index itself, without the record. */
  readonly isCovering: boolean
  /** What is asked besides says nothing of places in an order: then those who match are not all together, far from the page. */
  readonly isSpread: boolean
}

export interface Indexed {
  readonly row: IndexRow
  /** Whether it holds only what meets its condition; a store that cannot have that says so. */
  readonly isPartial?: boolean
}

type Of<I> = { readonly collection: AnyCollection; readonly indexes: readonly I[] }

/**
 * The ways to what a query asks for: first the one that gives its order best, then those that lead to fewer records than
 * all of their owner's; what some of these give is to be sorted.
 */
export const accessPaths = <I extends Indexed>(of: Of<I>, wanted: Wanted): readonly AccessPath<I>[] => {
  const chosen = chooseIndex(of, wanted)
  const first = chosen === null ? [] : [pathOf(of, chosen, wanted)]
  if (first[0]?.isStraight) return first
  const others = of.indexes
    .filter((index) => index !== chosen && isAllowed(of, index, wanted))
    .map((index) => pathOf(of, index, wanted))
    .filter(({ index: { row }, served }) => served.some((part) => bounds(part, row)))
  return [...first, ...others]
}

/** Whether the part bounds the field, or leaves it one value. */
export const isRange = (part: Where, field: string): boolean => {
  if ('lt' in part) return part.lt[0] === field
  if ('lte' in part) return part.lte[0] === field
  if ('gt' in part) return part.gt[0] === field
  return 'gte' in part ? part.gte[0] === field : isPin(part, field)
}

/** Whether the part leaves the field some values. */
const isSome = (part: Where, field: string): boolean => isPin(part, field) || ('in' in part && part.in[0] === field)

const bounds = (part: Where, { eq, sort }: IndexRow): boolean =>
  (eq !== undefined && isSome(part, eq)) || isRange(part, sort)

const isAllowed = <I extends Indexed>({ collection }: Of<I>, { row }: I, { parts, when }: Wanted): boolean =>
  (row.when === undefined || row.when === when) &&
  (collection.owner === null || (row.across !== true && parts.some((part) => isPin(part, collection.owner ?? '')))) &&
  (row.eq === undefined || parts.some((part) => isSome(part, row.eq ?? '')))

const pathOf = <I extends Indexed>({ collection }: Of<I>, index: I, { parts, when, sort }: Wanted): AccessPath<I> => {
  const { row, isPartial = true } = index
  const owner = row.across ? null : collection.owner
  const pins = (part: Where, field: string | undefined): boolean => field !== undefined && isPin(part, field)
  const pinned = row.eq === undefined || parts.some((part) => pins(part, row.eq))
  // Several values of a field come one after the other, each in its own order.
  const isOrdered = row.sort === sort && pinned
  const serves = (part: Where): boolean =>
    pins(part, owner ?? undefined) || (pinned ? pins(part, row.eq) || isRange(part, row.sort) : bounds(part, row))
  const bounded = (part: Where): boolean => 'lt' in part || 'lte' in part || 'gt' in part || 'gte' in part
  const held = new Set(['id', owner, row.eq, row.sort, row.search, ...(row.carries ?? [])])
  const served = parts.filter(serves)
  const isHeld = (where: Where): boolean => fieldsOf(where).every((field) => held.has(field))
  const condition = when === undefined ? undefined : collection.conditions?.[when]
  const meets = !condition || (row.when === when && isPartial) || isMet(condition, parts)
  return {
    index,
    isOrdered,
    served,
    isSpread: parts.every((part) => served.includes(part) || !bounded(part)),
    isStraight: meets && served.length === parts.length,
    isCovering:
      (isOrdered || sort === null || held.has(sort)) &&
      parts.every((part) => served.includes(part) || isHeld(part)) &&
      (meets || isHeld(condition)),
  }
}

/** Whether the values that the parts leave to fields decide that a condition holds. */
const isMet = (condition: Where, parts: readonly Where[]): boolean => {
  const record = Object.fromEntries(parts.flatMap((part) => ('eq' in part ? [part.eq] : [])))
  return fieldsOf(condition).every((field) => field in record) && compile(condition)({ id: 0, ...record })
}

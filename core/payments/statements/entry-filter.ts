import { group } from '../../kernel/input/input.ts'
import { type DayRange, inQuery } from '../../kernel/input/query.ts'
import { notBefore } from '../../kernel/input/rules.ts'
import { eq, gte, isIn, lte, type Where } from '../../kernel/records/where.ts'
import { searchIn } from '../../kernel/resources/list-queries.ts'
import type { Day } from '../../kernel/values/day.ts'
import type { Entry } from '../ledger/entry.ts'
import { transactionType, transactionTypes } from '../ledger/transaction-type.ts'

/** The status that is every one. */
export const EVERY = -1

const types = transactionTypes.flatMap(({ id, slug }) => [String(id), slug])

/** Types are named by id or slug, each way on its own or all of them together. Source: decisions.md §11, Shapes. */
export const typeFilters = {
  types: inQuery.words(types, { wire: 'type', about: 'Tipos, por id ou nome' }),
  typeId: inQuery.integers({ about: 'Tipos, por id' }),
  typeIds: inQuery.integers({ aliases: ['type_ids[]'], about: 'Tipos, por id' }),
}

/** A range of days whose ends have names of their own. Fails: as days do, `not-before`. */
export const rangeNamed = (from: string, to: string, about: string) =>
  group(
    {
      from: inQuery.day({ wire: from, about: `${about}, desde` }),
      to: inQuery.day({ wire: to, about: `${about}, até` }),
    },
    notBefore<DayRange>('to', 'from'),
  )

/** What narrows a list of entries beside its days. */
export const entryFilters = {
  ...typeFilters,
  search: inQuery.text({ about: 'Descrição, txid, endToEndId ou nome' }),
  status: inQuery.integer({ about: 'Situação; -1 são todas' }),
}

interface TypeFilter {
  readonly types?: readonly string[] | undefined
  readonly typeId?: readonly number[] | undefined
  readonly typeIds?: readonly number[] | undefined
}

/** What a list of entries is narrowed by, whichever route asks and whatever it calls that. */
export interface EntryFilter extends TypeFilter {
  /** Days of the entries themselves, both ends included. */
  readonly days?: DayRange
  readonly search?: string | undefined
  readonly status?: number | undefined
}

export type EntryField = keyof Entry & string

/** The conditions of a filter but for its days. */
export const conditionsOf = (filter: EntryFilter): readonly Where<EntryField>[] => {
  const typeIds = typeIdsOf(filter)
  const { search, status = EVERY } = filter
  return [
    ...(search ? [searchIn<EntryField>('search', search)] : []),
    ...(typeIds ? [oneOrMany(typeIds)] : []),
    ...(status === EVERY ? [] : [eq<EntryField>('status', status)]),
  ]
}

export const onDays = ({ from, to }: DayRange): readonly Where<EntryField>[] => [
  ...(from ? [gte<EntryField>('day', from)] : []),
  ...(to ? [lte<EntryField>('day', to)] : []),
]

/** The days that are in all of some ranges: an entry is made on the day that it is paid, so that both are about the same day. */
export const overlapOf = (...ranges: readonly DayRange[]): DayRange => {
  const from = inOrder(ranges.map((range) => range.from)).at(-1)
  const to = inOrder(ranges.map((range) => range.to)).at(0)
  return { ...(from && { from }), ...(to && { to }) }
}

/** All the types that are named; null where none is. */
export const typeIdsOf = ({ types: named, typeId, typeIds }: TypeFilter): readonly number[] | null => {
  if (!named && !typeId && !typeIds) return null
  const ids = named?.flatMap((word) => transactionType(word)?.id ?? []) ?? []
  return [...new Set([...ids, ...(typeId ?? []), ...(typeIds ?? [])])]
}

const inOrder = (days: readonly (Day | undefined)[]): readonly Day[] => days.filter((day) => day !== undefined).sort()

// One type is an equality, which an index row serves.
const oneOrMany = (ids: readonly number[]): Where<EntryField> => {
  const [first] = ids
  return ids.length === 1 && first !== undefined ? eq('typeId', first) : isIn('typeId', ids)
}

import { issue } from '../../failure.ts'
import { group } from '../../kernel/input/input.ts'
import { type DayRange, inQuery } from '../../kernel/input/query.ts'
import { notBefore, type Rule, rule } from '../../kernel/input/rules.ts'
import { output, view } from '../../kernel/input/view.ts'
import { eq, gte, isIn, lte, type Where } from '../../kernel/records/where.ts'
import { searchIn } from '../../kernel/resources/list-queries.ts'
import { addDays, type Day } from '../../kernel/values/day.ts'
import type { Entry } from '../ledger/ledger.ts'
import { transactionType, transactionTypes } from '../ledger/transaction-type.ts'

/** The status that is every one. */
export const EVERY_STATUS = -1

const types = transactionTypes.flatMap(({ id, slug }) => [String(id), slug])

/** Types are named by id or slug, each way on its own or all of them together. Source: decisions.md §11, Shapes. */
export const typeFilters = {
  types: inQuery.words(types, { wire: 'type', about: 'Tipos, por id ou nome' }),
  typeId: inQuery.integers({ about: 'Tipos, por id' }),
  typeIds: inQuery.integers({ aliases: ['type_ids[]'], about: 'Tipos, por id' }),
}

/** A range of days whose ends have names of their own. Fails: as days do, `not-before`. */
export const namedRange = (from: string, to: string, about: string) =>
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
  const { search, status = EVERY_STATUS } = filter
  return [
    ...(search ? [searchIn<EntryField>('search', search)] : []),
    ...(typeIds ? [oneOrMany(typeIds)] : []),
    ...(status === EVERY_STATUS ? [] : [eq<EntryField>('status', status)]),
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

/** Days with both their ends, which are in it. */
export interface Period {
  readonly from: Day
  readonly to: Day
}

/** How many days before its end a period begins whose start nobody names. */
const DAYS_BEFORE = 30

/** The last thirty days, or as far as somebody says: from thirty days before its end, to today. Source: decisions.md §11. */
export const periodOf = ({ from, to }: DayRange, today: Day): Period => {
  const until = to ?? (from !== undefined && from > today ? from : today)
  return { from: from ?? addDays(until < today ? until : today, -DAYS_BEFORE), to: until }
}

/** Days that a query names `start_date` and `end_date`. Fails: as days do, `not-before`. */
export const startAndEnd = group(
  {
    from: inQuery.day({ wire: 'start_date', about: 'Desde este dia' }),
    to: inQuery.day({ wire: 'end_date', about: 'Até este dia' }),
  },
  notBefore<DayRange>('to', 'from'),
)

/** Source: 02-billing.md, Statements and reports. */
export const periodView = view(
  'Period',
  {
    from: output.text({ wire: 'start_date', about: 'O primeiro dia' }),
    to: output.text({ wire: 'end_date', about: 'O último dia' }),
  },
  (period: Period) => period,
)

interface Ends {
  readonly from?: Day | undefined
  readonly to?: Day | undefined
}

interface Wires {
  readonly from: string
  readonly to: string
  /** Further names of both, under which they may be sent. */
  readonly also?: readonly [from: string, to: string]
}

/** Days that a statement is asked of: from so many days ago until today, where a caller names none. */
export const defaultDays = (daysBack: number, { from, to, also }: Wires, about = 'Período') => {
  const usual = ({ from: first, to: last }: Ends, today: Day) => ({
    from: first ?? addDays(today, -daysBack),
    to: last ?? today,
  })
  const notReversed: Rule<Ends, 'not-before'> = rule(['from', 'to'], (ends, today) => {
    if (today === null) return []
    const { from: first, to: last } = usual(ends, today)
    return last < first ? [issue('to', 'not-before', { other: 'from' })] : []
  })
  return {
    fields: {
      from: inQuery.day({ wire: from, ...(also && { aliases: [also[0]] }), about: `${about}, desde` }),
      to: inQuery.day({ wire: to, ...(also && { aliases: [also[1]] }), about: `${about}, até` }),
    },
    notReversed,
    /** The days that are meant. */
    of: usual,
  }
}

/** What `start_date` and `end_date` of a summary are where they are not said. Source: 02-billing.md, Statements and reports. */
export const LAST_DAYS = 30

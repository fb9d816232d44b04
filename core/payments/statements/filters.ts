import { issue } from '../../failure.ts'
import {
  type DayRange,
  group,
  inQuery,
  notBefore,
  output,
  type Rule,
  required,
  rule,
  view,
} from '../../kernel/input/mod.ts'
import { all, eq, type Where } from '../../kernel/records/record.ts'
import { inRange, isOneOf, searchIn } from '../../kernel/resources/queries.ts'
import { addDays, type Day } from '../../kernel/values/day.ts'
import { type Group, groupOf } from '../../ports/store.ts'
import { type Entry, entries, transactionType, transactionTypes } from '../ledger/ledger.ts'

/** The status filter that matches every status. */
export const EVERY_STATUS = -1

const types = transactionTypes.flatMap(({ id, slug }) => [String(id), slug])

/** Transaction types by id or slug. The three parameters may be combined: an entry of any of their types matches. */
export const typeFilters = {
  types: inQuery.words(types, { wire: 'type', about: 'Tipos, por id ou nome' }),
  typeId: inQuery.integers({ about: 'Tipos, por id' }),
  typeIds: inQuery.integers({ aliases: ['type_ids[]'], about: 'Tipos, por id' }),
}

/** Returns a range of days whose ends have the given parameter names. Fails: as days do, `not-before`. */
export const namedRange = (from: string, to: string, about: string) =>
  group(
    {
      from: inQuery.day({ wire: from, about: `${about}, desde` }),
      to: inQuery.day({ wire: to, about: `${about}, até` }),
    },
    notBefore<DayRange>('to', 'from'),
  )

/** The fields of sums by day or month over a range of days; `about` names its ends. */
export const groupedDays = (about: Readonly<Record<'from' | 'to', string>>) => ({
  groupBy: required(inQuery.oneOf(['days', 'months'], { about: 'Se as linhas são de dias ou de meses' })),
  from: required(inQuery.day({ wire: 'date_start', about: about.from })),
  to: required(inQuery.day({ wire: 'date_end', about: about.to })),
})

/** The filters of a list of entries, apart from its days. */
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

/** A filter of entries, independent of the parameter names of a route. */
export interface EntryFilter extends TypeFilter {
  /** The days on which the entries were posted, both ends included. */
  readonly days?: DayRange
  readonly search?: string | undefined
  readonly status?: number | undefined
}

export type EntryField = keyof Entry & string

/** Returns the conditions of a filter, without its days. */
export const conditionsOf = (filter: EntryFilter): readonly Where<EntryField>[] => {
  const typeIds = typeIdsOf(filter)
  const { search, status = EVERY_STATUS } = filter
  return [
    ...(search ? [searchIn<EntryField>('search', search)] : []),
    ...(typeIds ? [isOneOf('typeId', typeIds)] : []),
    ...(status === EVERY_STATUS ? [] : [eq('status', status)]),
  ]
}

export const onDays = (range: DayRange): readonly Where<EntryField>[] => inRange('day', range)

/** Returns the query of the sums of an account's matching entries by these fields. */
export const sumsBy = (
  by: readonly EntryField[],
  accountId: number,
  ...conditions: readonly Where<EntryField>[]
): Group<Entry> => groupOf(entries, { where: all(eq('accountId', accountId), ...conditions), by, sum: ['valueCents'] })

/** Returns the days in all ranges. An entry is posted on the day of its payment, so both filters mean that day. */
export const overlapOf = (...ranges: readonly DayRange[]): DayRange => {
  const from = inOrder(ranges.map((range) => range.from)).at(-1)
  const to = inOrder(ranges.map((range) => range.to)).at(0)
  return { ...(from && { from }), ...(to && { to }) }
}

/** Returns the ids of all types in the filter; null without a type filter. */
export const typeIdsOf = ({ types: named, typeId, typeIds }: TypeFilter): readonly number[] | null => {
  if (!named && !typeId && !typeIds) return null
  const ids = named?.flatMap((word) => transactionType(word)?.id ?? []) ?? []
  return [...new Set([...ids, ...(typeId ?? []), ...(typeIds ?? [])])]
}

const inOrder = (days: readonly (Day | undefined)[]): readonly Day[] => days.filter((day) => day !== undefined).sort()

/** A range of days, both ends included. */
export interface Period {
  readonly from: Day
  readonly to: Day
}

/** The length of a period without a start. */
const DAYS_BEFORE = 30

/**
 * Completes a range. By default it ends today, or on its start if that is later, and starts 30 days before its end, but
 * not later than 30 days before today.
 */
export const periodOf = ({ from, to }: DayRange, today: Day): Period => {
  const until = to ?? (from !== undefined && from > today ? from : today)
  return { from: from ?? addDays(until < today ? until : today, -DAYS_BEFORE), to: until }
}

export const periodView = view('Period', {
  from: output.text({ wire: 'start_date', about: 'O primeiro dia' }),
  to: output.text({ wire: 'end_date', about: 'O último dia' }),
})

type Ends = { readonly [K in keyof DayRange]: Day | undefined }

/** Returns the fields of a range, by default `daysBack` days ago until today; `aliases` are those of both ends. */
export const defaultDays = (
  daysBack: number,
  { from, to, aliases }: Readonly<Record<'from' | 'to', string>> & { readonly aliases?: readonly [string, string] },
  about = 'Período',
) => {
  const withDefaults = ({ from: first, to: last }: Ends, today: Day) => ({
    from: first ?? addDays(today, -daysBack),
    to: last ?? today,
  })
  const notReversed: Rule<Ends, 'not-before'> = rule(['from', 'to'], (ends, today) => {
    if (today === null) return []
    const { from: first, to: last } = withDefaults(ends, today)
    return last < first ? [issue('to', 'not-before', { other: 'from' })] : []
  })
  return {
    fields: {
      from: inQuery.day({ wire: from, ...(aliases && { aliases: [aliases[0]] }), about: `${about}, desde` }),
      to: inQuery.day({ wire: to, ...(aliases && { aliases: [aliases[1]] }), about: `${about}, até` }),
    },
    notReversed,
    /** Returns the requested days, with the defaults. */
    of: withDefaults,
  }
}

/** The default range of a summary, in days. */
export const LAST_DAYS = 30

import type { AnyField, Field, Side } from '../../../core/kernel/input/field.ts'
import type { DayRange } from '../../../core/kernel/input/query.ts'
import { inQuery } from '../../../core/kernel/input/query.ts'
import type { Fields } from '../../../core/kernel/input/table.ts'
import type { ResourceFilter } from '../../../core/kernel/resources/scope.ts'
import type { AnyCrud } from './crud-spec.ts'

type Value = string | number | boolean | null | undefined

/** What a list is asked for beside its page: a text to look for, and whatever filters it has. */
export type Listed = { readonly search?: string } & { readonly [field: string]: Value | DayRange }

/** What every record has the moments of. */
const MOMENTS = new Map([
  ['createdAt', 'Criação'],
  ['updatedAt', 'Última alteração'],
])

/** The filters of a resource as a query says them: a range of days by its two ends, `created_at_start` and `created_at_end`. */
export const filtersOf = ({ input, internal, filters = {} }: AnyCrud['resource']['spec'], side: Side): Fields => ({
  search: inQuery.text({ about: 'Texto procurado' }),
  ...Object.fromEntries(
    Object.entries(filters).flatMap(([field, kind]): readonly (readonly [string, AnyField])[] => {
      const own = input[field] ?? internal[field]
      if (kind === 'days' || kind === 'instants')
        return [[field, inQuery.range(side.nameOf(field), own?.about ?? MOMENTS.get(field) ?? field)]]
      return own ? [[field, inQuery.any(own as Field<unknown>)]] : []
    }),
  ),
})

const isRange = (value: Value | DayRange): value is DayRange => typeof value === 'object' && value !== null

/** What was asked, as the use case of a list takes it. */
export const filterOf = ({ search, ...asked }: Listed): ResourceFilter => {
  const parts = Object.entries(asked)
  return {
    where: Object.fromEntries(parts.flatMap(([field, value]) => (isRange(value) ? [] : [[field, value]]))),
    within: Object.fromEntries(parts.flatMap(([field, value]) => (isRange(value) ? [[field, value]] : []))),
    ...(search !== undefined && { search }),
  }
}

import {
  alphanumeric,
  decimal,
  guid,
  input,
  inQuery,
  instant,
  integer,
  line,
  list,
  nullIfAbsent,
  object,
  oneOf,
  output,
  text,
  view,
  withDefault,
} from '../../kernel/input/mod.ts'
import {
  type AnyCollection,
  all,
  type Change,
  check,
  eq,
  type Field,
  type Rec,
  type Where,
} from '../../kernel/records/record.ts'
import { same } from '../../kernel/resources/queries.ts'
import { resourcesOf } from '../../kernel/resources/resource.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { addMonths, type Day } from '../../kernel/values/day.ts'
import { halfUpRatio } from '../../kernel/values/money.ts'

// Fields of each record, as views show them.
export const id = guid({ about: 'Identificador' })
export const createdAt = instant({ about: 'Criação' })
export const timestamps = { createdAt, updatedAt: instant({ about: 'Última alteração' }) }

/** Creates the view of a record that shows its name. */
export const namedView = (schema: string) => view(schema, { id, name: output.text({ about: 'Nome' }) })

/** Creates a resource of an agency: records of a company, with GUIDs. */
export const resource = resourcesOf({
  ...{ name: 'estate', tenant: 'companyId', ids: 'text', coded: false },
  shown: { id, ...timestamps },
})

const MAX_NOTES = 5_000
const MAX_REASON = 1_000
const MAX_HISTORY = 10_000
const DECIMALS = 4

/** A number of referring records, never negative. */
export const counter = (about: string) => withDefault(integer({ min: 0, about }), 0)

export const notes = nullIfAbsent(text({ max: MAX_NOTES, about: 'Observações' }))

export const reason = nullIfAbsent(text({ max: MAX_REASON, about: 'Motivo' }))

/** A percentage of at most 4 decimals. */
export const percentage = (about: string, max = 100) => decimal({ min: 0, max, decimals: DECIMALS, about })

/** The statuses of a record since its creation, oldest first. */
export const statusHistory = <const S extends string>(states: readonly S[]) =>
  withDefault(
    list(
      object(
        input(null, {
          status: oneOf(states, { about: 'Situação' }),
          changedAt: instant({ about: 'Quando mudou' }),
          changedBy: guid({ about: 'Identificador do usuário que mudou' }),
          reason,
        }),
      ),
      { max: MAX_HISTORY, about: 'Situações por que passou, da mais antiga à mais nova' },
    ),
    [],
  )

/** Returns the entry of a status history for a move. */
export const historyEntry = <const S extends string>(
  status: S,
  { userId: changedBy }: { readonly userId: string },
  reason: string | null,
  { now }: Pick<Fresh, 'now'>,
) => ({ status, changedAt: now, changedBy, reason })

/** A copy of another record's name or code, so that a search finds the referring record. */
export const searched = withDefault(line({ max: 255 }), '')

/** Returns the condition that these fields of a record have the values that were read. */
export const unchanged = <R extends Rec>(record: R, ...fields: readonly Field<R>[]): Where<Field<R>> =>
  all(...fields.map((field) => same(record, field)))

/** Counts the changes of fields that calendars show; null before the first. */
export const revisionFields = {
  revision: nullIfAbsent(integer({ min: 1, about: 'Mudanças do que as agendas mostram' })),
  revisedAt: nullIfAbsent(instant({ about: 'A última delas' })),
}

interface Revisable {
  readonly id: string
  readonly revision: number | null
  readonly revisedAt: string | null
}

/** Returns the next revision of a record if new fields change one that calendars show, else nothing. */
export const revisionOf = <R extends Revisable, A extends object>(
  record: R | null,
  fields: A,
  shown: readonly (keyof R & keyof A)[],
  { now }: Pick<Fresh, 'now'>,
): Partial<Pick<Revisable, 'revision' | 'revisedAt'>> =>
  record === null || shown.every((field) => JSON.stringify(record[field]) === JSON.stringify(fields[field]))
    ? {}
    : { revision: (record.revision ?? 0) + 1, revisedAt: now }

/** Guards the revision, so that of two concurrent changes the second is decided again and both are counted. */
export const sameRevision = (of: AnyCollection, record: Revisable | null): readonly Change[] =>
  record === null ? [] : [check<Rec>(of, record.id, eq('revision', record.revision))]

const addressFields = input(null, {
  street: line({ max: 255, about: 'Logradouro' }),
  number: line({ max: 20, about: 'Número' }),
  complement: nullIfAbsent(line({ max: 255, about: 'Complemento' })),
  neighborhood: nullIfAbsent(line({ max: 255, about: 'Bairro' })),
  city: line({ max: 255, about: 'Cidade' }),
  state: line({ max: 60, about: 'Estado' }),
  zipCode: alphanumeric({ max: 20, about: 'CEP, guardado sem pontuação' }),
})

export const address = object(addressFields, { about: 'Endereço' })

/** The address fields that a search covers. */
export const ADDRESS_SEARCH = ['address.street', 'address.neighborhood', 'address.city', 'address.zipCode'] as const

/** The steps of a percent: percentages have at most 4 decimals. */
export const PERCENT_STEPS = 10_000
const WHOLE = 100 * PERCENT_STEPS

/** Returns a percentage (7.5 is 7.5%) of cents, half up. */
export const percentOf = (cents: number, percent: number): number =>
  halfUpRatio(BigInt(cents) * BigInt(Math.round(percent * PERCENT_STEPS)), WHOLE)

/** Returns the month of a day: `2026-11`. */
export const monthOf = (day: Day): string => day.slice(0, 7)

/** Returns the month that is so many months after another, or before it if the count is negative. */
export const shiftMonth = (month: string, count: number): string => monthOf(addMonths(`${month}-01`, count))

/** Returns `11/2026` for `2026-11`. */
export const monthText = (period: string): string => period.split('-').reverse().join('/')

/** Returns `8,5%`. */
export const percentText = (percent: number | null): string => `${`${percent}`.replace('.', ',')}%`

const PAGE_SIZE = 20
const MAX_PAGE_SIZE = 100

/** The page of a list and its size. */
export const pageFields = {
  page: inQuery.page({ about: 'Página, a partir de 1' }),
  perPage: inQuery.perPage({ default: PAGE_SIZE, max: MAX_PAGE_SIZE, wire: 'pageSize', about: 'Registros por página' }),
}

/** A page of a list without a filter. */
export const paging = input(null, pageFields)

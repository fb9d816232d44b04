import { list, nullIfAbsent, withDefault } from '../../kernel/input/field.ts'
import { input, object } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { decimal, instant, integer, oneOf } from '../../kernel/input/scalars.ts'
import { alphanumeric, guid, line, text } from '../../kernel/input/texts.ts'
import { type Change, check } from '../../kernel/records/change.ts'
import type { AnyCollection } from '../../kernel/records/collection.ts'
import type { Rec } from '../../kernel/records/record.ts'
import { eq } from '../../kernel/records/where.ts'
import { resourcesOf } from '../../kernel/resources/resources-of.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { halfUpRatio } from '../../kernel/values/money.ts'

/** Makes the resources of an agency: records of a company, with GUIDs. */
export const resource = resourcesOf({ name: 'estate', tenant: 'companyId', ids: 'text', coded: false })

const MAX_NOTES = 5_000
const MAX_REASON = 1_000
/** More than anybody changes anything. */
const MAX_HISTORY = 10_000
const DECIMALS = 4

/** How many hang on a record: never below nothing. */
export const counter = (about: string) => withDefault(integer({ min: 0, about }), 0)

export const notes = nullIfAbsent(text({ max: MAX_NOTES, about: 'Observações' }))

/** Why something was moved. */
export const reason = nullIfAbsent(text({ max: MAX_REASON, about: 'Motivo' }))

/** A number of percent, of at most 4 decimals. */
export const percentage = (about: string, max = 100) => decimal({ min: 0, max, decimals: DECIMALS, about })

/** Which states a record has had, the oldest first, from its creation on. */
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

/** The entry that says what a record has become, who did it and why. */
export const historyEntry = <const S extends string>(
  status: S,
  { userId: changedBy }: { readonly userId: string },
  why: string | null,
  { now }: Pick<Fresh, 'now'>,
) => ({ status, changedAt: now, changedBy, reason: why })

/** A copy of another record's name or code, by which a search finds what refers to it. */
export const searched = withDefault(line({ max: 255 }), '')

/** Counts the changes of what calendars show of a record; null before the first. */
export const revisionFields = {
  revision: nullIfAbsent(integer({ min: 1, about: 'Mudanças do que as agendas mostram' })),
  revisedAt: nullIfAbsent(instant({ about: 'A última delas' })),
}

interface Revised {
  readonly id: string
  readonly revision: number | null
  readonly revisedAt: string | null
}

/** The revision of a record after a change of what calendars show of it; nothing if that stays. */
export const revisionOf = <R extends Revised, A extends object>(
  record: R | null,
  sent: A,
  shown: readonly (keyof R & keyof A)[],
  { now }: Pick<Fresh, 'now'>,
): Partial<Pick<Revised, 'revision' | 'revisedAt'>> =>
  record === null || shown.every((field) => JSON.stringify(record[field]) === JSON.stringify(sent[field]))
    ? {}
    : { revision: (record.revision ?? 0) + 1, revisedAt: now }

/** Guards the revision of a record: of two changes at once the second decides again and counts both. */
export const sameRevision = (of: AnyCollection, record: Revised | null): readonly Change[] =>
  record === null ? [] : [check<Rec>(of, record.id, eq('revision', record.revision))]

const place = input(null, {
  street: line({ max: 255, about: 'Logradouro' }),
  number: line({ max: 20, about: 'Número' }),
  complement: nullIfAbsent(line({ max: 255, about: 'Complemento' })),
  neighborhood: nullIfAbsent(line({ max: 255, about: 'Bairro' })),
  city: line({ max: 255, about: 'Cidade' }),
  state: line({ max: 60, about: 'Estado' }),
  zipCode: alphanumeric({ max: 20, about: 'CEP, guardado sem pontuação' }),
})

/** Where somebody lives or something stands. */
export const address = object(place, { about: 'Endereço' })

/** What a search for an address looks through. */
export const ADDRESS_SEARCH = ['address.street', 'address.neighborhood', 'address.city', 'address.zipCode'] as const

/** Steps of a number of percent, which has at most 4 decimals. */
const STEPS = 10_000
const WHOLE = 100 * STEPS

/** Cents that are a number of percent (7.5 is 7.5%) of cents, half up. */
export const percentOf = (cents: number, percent: number): number =>
  halfUpRatio(BigInt(cents) * BigInt(Math.round(percent * STEPS)), WHOLE)

const PAGE_SIZE = 20
const MAX_PAGE_SIZE = 100

/** Which page of a list, and how much of it. */
export const pageFields = {
  page: inQuery.page({ about: 'Página, a partir de 1' }),
  perPage: inQuery.perPage({ default: PAGE_SIZE, max: MAX_PAGE_SIZE, wire: 'pageSize', about: 'Registros por página' }),
}

/** A page of a list that nothing else narrows. */
export const paging = input(null, pageFields)

import { isLeft, left, right } from '../../fp.ts'
import { MAX_PAGE } from '../../limits.ts'
import type { Day } from '../values/day.ts'
import {
  type AnyField,
  anyField,
  CAMEL_CASE,
  type Field,
  type FieldOptions,
  field,
  type InputCode,
  list,
  optional,
  PROGRAM,
  type ReadResult,
  type RuleCode,
  reject,
  type Side,
  withDefault,
} from './field.ts'
import { group, type InputOf, input } from './input.ts'
import { notBefore, type Rule } from './rules.ts'
import { type Bounds, day, flag, integer, month, oneOf } from './scalars.ts'
import { guid, text } from './texts.ts'

/** Values that one filter may list. */
export const MAX_FILTER_VALUES = 100
/** How many it is read as at most, with those that are repeated. */
const MAX_FILTER_TEXTS = 10 * MAX_FILTER_VALUES

const isBlank = (sent: unknown): boolean => sent === undefined || (typeof sent === 'string' && sent.trim() === '')

/** Reads one text; a list of them is a key sent twice. */
const readOne = <A, I extends string>(inner: AnyRead<A, I>, sent: unknown): ReadResult<A, I | 'repeated'> =>
  Array.isArray(sent) ? reject('repeated') : inner.read(sent)

interface AnyRead<A, I extends string> {
  read(value: unknown): ReadResult<A, I>
}

export type Filter<A, G, I extends string> = Field<A | undefined, G | undefined, I | 'repeated'>

/** A filter: `inner` of a query's text; a program gives what `plain` takes. */
export const filterOf = <A, G, I extends string>(inner: Field<A, G, I>, plain: Field<A, G, I>): Filter<A, G, I> => {
  const wire: Filter<A, G, I> = anyField<A | undefined, G | undefined, I | 'repeated'>(
    { ...optional(inner), read: (sent) => (isBlank(sent) ? right(undefined) : readOne(inner, sent)) },
    {
      ...namesAndDescription(plain),
      isOptional: true,
      on: bySide(
        () => optional(plain.on(PROGRAM)),
        () => wire,
      ),
    },
  )
  return wire
}

/** A filter that each side says in its own way. */
export const filterOn = <A, G, I extends string>(
  of: (side: Side) => Field<A, G, I>,
  own = CAMEL_CASE,
): Filter<A, G, I> => {
  const made = own.is === 'program' ? optional(of(own)) : filter(of(own))
  return anyField<A | undefined, G | undefined, I | 'repeated'>(made, {
    ...namesAndDescription(made),
    isOptional: true,
    on: (side) => filterOn(of, side),
  })
}

export const filter = <A, G, I extends string>(inner: Field<A, G, I>): Filter<A, G, I> => filterOf(inner, inner)

/** Whatever a field is in a body, a query says in a text. */
export const anyFilter = (inner: Field<unknown>): Filter<unknown, unknown, InputCode> => {
  const types = [inner.schema.type].flat()
  const said = types.includes('integer')
    ? inText(inner, numberOf)
    : types.includes('boolean')
      ? inText(inner, flagOf)
      : inner
  return filterOf(said, inner)
}

/** What a text says of no number and no flag is left to the field to refuse, and so is what is no text. */
const inText = <A>(inner: Field<A>, said: (text: string) => unknown): Field<A> =>
  anyField<A>(
    { ...inner, read: (sent) => inner.read(typeof sent === 'string' ? (said(sent) ?? sent) : {}), encode: String },
    { ...namesAndDescription(inner), isOptional: inner.isOptional },
  )

const numberOf = (text: string): number | undefined => (NUMERAL.test(text) ? Number(text) : undefined)
const flagOf = (text: string): boolean | undefined => FLAGS.get(text)

const namesAndDescription = ({ aliases: also, wire, about }: AnyField) => ({ also, wire, about })

const bySide =
  <F>(program: () => F, wire: () => F) =>
  ({ is }: Side): F =>
    is === 'program' ? program() : wire()

const NUMERAL = /^-?\d{1,16}$/
export const numberAsText = (inner: Field<number>): Field<number> => inText(inner, numberOf)

/** A number that has a usual value; unlike other filters it may not be blank. */
export const integerWithDefault = (
  usual: number,
  max: number,
  about: FieldOptions,
): Field<number, number | undefined> => {
  const plain = integer({ min: 1, max, ...about })
  const inner = numberAsText(plain)
  const wire: Field<number, number | undefined> = anyField<number, number | undefined>(
    {
      ...inner,
      schema: { ...inner.schema, default: usual },
      read: (sent) => (sent === undefined ? right(usual) : readOne(inner, sent)),
    },
    {
      ...namesAndDescription(plain),
      isOptional: true,
      on: bySide(
        () => withDefault(plain, usual),
        () => wire,
      ),
    },
  )
  return wire
}

export const FLAGS = new Map<string, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])
export const flagAsText = (inner: Field<boolean>): Field<boolean> => inText(inner, flagOf)

/** Several values, comma-separated or as repeated keys, each once. */
export const listAsText = <A>(item: Field<A>, plain: Field<A>, about: FieldOptions): Several<A> => {
  const values = list(item, { max: MAX_FILTER_VALUES, ...about })
  const read = (sent: unknown): ReadResult<readonly A[] | undefined> => {
    const texts = [sent]
      .flat()
      .flatMap((text) => (typeof text === 'string' ? text.split(',', MAX_FILTER_TEXTS + 1) : [text]))
    if (texts.length > MAX_FILTER_TEXTS) return reject('list.max', { max: MAX_FILTER_VALUES })
    const wanted = [...new Set(texts.map((text) => (typeof text === 'string' ? text.trim() : text)))]
    const got = values.read(wanted.filter((text) => !isBlank(text)))
    // A filter is named by its key: nobody counts the places of a comma-separated list.
    if (isLeft(got)) return left(got.left.slice(0, 1).map((each) => ({ ...each, path: '' })))
    // `01` and `1` are two texts and one value.
    return right(got.right.length > 0 ? [...new Set(got.right)] : undefined)
  }
  const encode = (kept: readonly A[] | undefined) => kept?.map(item.encode).join(',')
  const wire: Several<A> = anyField<readonly A[] | undefined>(
    { ...optional(values), read, encode },
    {
      ...namesAndDescription(values),
      isOptional: true,
      on: bySide(
        () => optional(list(plain, { max: MAX_FILTER_VALUES, ...about })),
        () => wire,
      ),
    },
  )
  return wire
}

type Several<A> = Field<readonly A[] | undefined>

/** A word that the wire says as its place in the list, from 1. */
export const position = <const V extends string>(words: readonly V[]): Field<V> => {
  const inner = numberAsText(integer({ min: 1, max: words.length }))
  const read = (sent: unknown): ReadResult<V> => {
    const got = inner.read(sent)
    if (isLeft(got)) return got
    const word = words[got.right - 1]
    return word === undefined ? reject('integer') : right(word)
  }
  const encode = (word: V) => `${words.indexOf(word) + 1}`
  return field<V, V, InputCode>({ ...oneOf(words), schema: inner.schema, read, encode })
}

/** One of some fields, by its name: `created_at` on a wire that names it so. */
export const fieldName = <const V extends string>(keys: readonly V[], side: Side, about: FieldOptions): Field<V> => {
  const names = keys.map((key) => side.nameOf(key))
  const inner = oneOf(names)
  const read = (sent: unknown): ReadResult<V> => {
    const got = inner.read(sent)
    if (isLeft(got)) return got
    const key = keys[names.indexOf(got.right)]
    return key === undefined ? reject('one-of') : right(key)
  }
  return field<V, V, InputCode>(
    { ...oneOf(keys), schema: inner.schema, read, encode: (key) => side.nameOf(key) },
    { ...about, on: (other) => fieldName(keys, other, about) },
  )
}

/**
 * A range of days: `created: { from, to }`, on the wire `created_at_start` and `created_at_end`.
 * Fails: as days do, `not-before`.
 */
export const range = <R extends string = never>(wire: string, about: string, ...rules: readonly Rule<DayRange, R>[]) =>
  group<ReturnType<typeof daysOf>, RuleCode | R>(daysOf(wire, about), notBefore<DayRange>('to', 'from'), ...rules)

const daysOf = (wire: string, about: string) => ({
  from: filter(day({ wire: `${wire}_start`, about: `${about}, desde` })),
  to: filter(day({ wire: `${wire}_end`, about: `${about}, até` })),
})

/** Both ends are in it; one that is not there has no bound. */
export interface DayRange {
  readonly from?: Day
  readonly to?: Day
}

/** The longest text that is searched for. */
export const MAX_SEARCH = 100
/** The furthest page: times the largest page it is still an exact offset. */
export const MAX_PAGE_NUMBER = 100_000_000_000
const DEFAULT_PER_PAGE = 15

/**
 * The makers of queries. All may be absent, and all but `page` and `perPage` blank, which is no filter: undefined.
 * `required(inQuery.day())` must be sent, `withDefault(inQuery.oneOf(['asc', 'desc']), 'desc')` has a usual value.
 * Fails: `repeated` where one value belongs, and the codes of the same field in a body.
 */
export const inQuery = {
  /** Any field of a text, as a filter: `inQuery.of(taxId())`. */
  of: filter,
  /** Any field at all whose type only the table of a resource knows: a text says its number or flag. */
  any: anyFilter,
  text: ({ max = MAX_SEARCH, ...about }: { readonly max?: number } & FieldOptions = {}) =>
    filter(text({ max, ...about })),
  day: (about: FieldOptions = {}) => filter(day(about)),
  month: (about: FieldOptions = {}) => filter(month(about)),
  guid: (about: FieldOptions = {}) => filter(guid(about)),
  oneOf: <const V extends string>(values: readonly V[], about: FieldOptions = {}) => filter(oneOf(values, about)),
  integer: (bounds: Bounds & FieldOptions = {}) => filterOf(numberAsText(integer(bounds)), integer(bounds)),
  /** `true`, `false`, `1` or `0`. Source: decisions.md §11. */
  flag: (about: FieldOptions = {}) => filterOf(flagAsText(flag(about)), flag(about)),
  /** Integers, comma-separated or as repeated keys. Source: decisions.md §9. */
  integers: ({ min, max, ...about }: Bounds & FieldOptions = {}) => {
    const plain = integer({ ...(min !== undefined && { min }), ...(max !== undefined && { max }) })
    return listAsText(numberAsText(plain), plain, about)
  },
  /** Some of these words, comma-separated or as repeated keys. */
  words: <const V extends string>(
    values: readonly V[],
    { offered = values, ...about }: { readonly offered?: readonly NoInfer<V>[] } & FieldOptions = {},
  ) => listAsText(oneOf(values, { offered }), oneOf(values), about),
  /** Some of these words, on the wire as their places in the list, from 1. */
  places: <const V extends string>(values: readonly V[], about: FieldOptions = {}) =>
    listAsText(position(values), oneOf(values), about),
  /** One of some fields that a list may be ordered by. */
  field: <const V extends string>(keys: readonly V[], about: FieldOptions = {}): Filter<V, V, InputCode> =>
    filterOn((side) => fieldName(keys, side, about)),
  range,
  /** The page, from 1. */
  page: (about: FieldOptions = {}) => integerWithDefault(1, MAX_PAGE_NUMBER, about),
  /** How many records a page has. */
  perPage: ({
    usual = DEFAULT_PER_PAGE,
    max = MAX_PAGE,
    ...about
  }: { readonly usual?: number; readonly max?: number } & FieldOptions = {}) => integerWithDefault(usual, max, about),
}

/** Which page of a list, and how much of it. */
export const pageFields = {
  page: inQuery.page({ about: 'Página, a partir de 1' }),
  perPage: inQuery.perPage({ about: 'Registros por página' }),
}

/** A page of a list that nothing else narrows. */
export const paging = input(null, pageFields)

/** Which page a program asks for: the first of 15 records where it does not say. */
export type Paging = InputOf<typeof paging>

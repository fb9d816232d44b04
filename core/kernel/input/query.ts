import { isLeft, left, right } from '../../failure.ts'
import { MAX_PAGE } from '../../limits.ts'
import type { Day } from '../values/day.ts'
import {
  ABSENT,
  type AnyField,
  anyField,
  bySide,
  CAMEL_CASE,
  type Field,
  type FieldOptions,
  type FieldSpec,
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
import { group, type InputOf, input, notBefore, type Rule } from './input.ts'
import { type Bounds, day, flag, guid, integer, month, oneOf, text } from './scalars.ts'

/** The largest number of values of one filter. */
const MAX_FILTER_VALUES = 100
/** The largest number of texts that a filter reads before it removes duplicates. */
const MAX_FILTER_TEXTS = 10 * MAX_FILTER_VALUES

const isBlank = (sent: unknown): boolean => sent === undefined || (typeof sent === 'string' && sent.trim() === '')

/** Decodes one text; a list means that the key was sent more than once. */
const readOne = <A, I extends string>(inner: AnyRead<A, I>, sent: unknown): ReadResult<A, I | 'repeated'> =>
  Array.isArray(sent) ? reject('repeated') : inner.read(sent)

interface AnyRead<A, I extends string> {
  read(value: unknown): ReadResult<A, I>
}

export type Filter<A, G, I extends string> = Field<A | undefined, G | undefined, I | 'repeated'>

const namesAndDescription = ({ aliases, wire, about }: AnyField) => ({ aliases, wire, about })

/**
 * Makes an optional field that the wire decodes by `spec`, with the names of `plain`, and a program passes to
 * `program`.
 */
const wireField = <A, G, I extends string>(
  spec: FieldSpec<A, I>,
  plain: AnyField,
  program: () => Field<A, G, I>,
): Field<A, G, I> => {
  const on = bySide(program, () => wire)
  const wire: Field<A, G, I> = anyField<A, G, I>(spec, { ...namesAndDescription(plain), isOptional: true, on })
  return wire
}

/** Makes a filter: the wire decodes a text by `inner`, the program passes the value of `plain`. */
const filterOf = <A, G, I extends string>(inner: Field<A, G, I>, plain: Field<A, G, I>): Filter<A, G, I> =>
  wireField<A | undefined, G | undefined, I | 'repeated'>(
    { ...optional(inner), read: (sent) => (isBlank(sent) ? ABSENT : readOne(inner, sent)) },
    plain,
    () => optional(plain.on(PROGRAM)),
  )

/** Makes a filter whose field differs by side. */
const filterOn = <A, G, I extends string>(of: (side: Side) => Field<A, G, I>, side = CAMEL_CASE): Filter<A, G, I> => {
  const made = side.is === 'program' ? optional(of(side)) : filter(of(side))
  return anyField<A | undefined, G | undefined, I | 'repeated'>(made, {
    ...namesAndDescription(made),
    isOptional: true,
    on: (other) => filterOn(of, other),
  })
}

const filter = <A, G, I extends string>(inner: Field<A, G, I>): Filter<A, G, I> => filterOf(inner, inner)

/** Makes a filter of any field; integers and booleans are read from texts. */
const anyFilter = (inner: Field<unknown>): Filter<unknown, unknown, InputCode> => {
  const types = [inner.schema.type].flat()
  const textual = types.includes('integer')
    ? inText(inner, numberOf)
    : types.includes('boolean')
      ? inText(inner, flagOf)
      : inner
  return filterOf(textual, inner)
}

/** Parses a text before the field decodes it. The field itself refuses a text that does not parse, or another value. */
const inText = <A>(inner: Field<A>, parse: (text: string) => unknown): Field<A> =>
  anyField<A>(
    { ...inner, read: (sent) => inner.read(typeof sent === 'string' ? (parse(sent) ?? sent) : {}), encode: String },
    { ...namesAndDescription(inner), isOptional: inner.isOptional },
  )

const numberOf = (text: string): number | undefined => (NUMERAL.test(text) ? Number(text) : undefined)
const flagOf = (text: string): boolean | undefined => FLAGS.get(text)

const NUMERAL = /^-?\d{1,16}$/
const numberAsText = (inner: Field<number>): Field<number> => inText(inner, numberOf)

/** An integer with a default; unlike other filters it refuses a blank text. */
const integerWithDefault = (
  defaultValue: number,
  max: number,
  about: FieldOptions,
): Field<number, number | undefined> => {
  const plain = integer({ min: 1, max, ...about })
  const inner = numberAsText(plain)
  return wireField<number, number | undefined, InputCode>(
    {
      ...inner,
      schema: { ...inner.schema, default: defaultValue },
      read: (sent) => (sent === undefined ? right(defaultValue) : readOne(inner, sent)),
    },
    plain,
    () => withDefault(plain, defaultValue),
  )
}

export const FLAGS = new Map<string, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** A list of distinct values, comma-separated or as repeated keys. */
const listAsText = <A>(item: Field<A>, plain: Field<A>, about: FieldOptions): ListFilter<A> => {
  const values = list(item, { max: MAX_FILTER_VALUES, ...about })
  const read = (sent: unknown): ReadResult<readonly A[] | undefined> => {
    const texts = [sent]
      .flat()
      .flatMap((text) => (typeof text === 'string' ? text.split(',', MAX_FILTER_TEXTS + 1) : [text]))
    if (texts.length > MAX_FILTER_TEXTS) return reject('list.max', { max: MAX_FILTER_VALUES })
    const wanted = [...new Set(texts.map((text) => (typeof text === 'string' ? text.trim() : text)))]
    const got = values.read(wanted.filter((text) => !isBlank(text)))
    // An index into a comma-separated list is of no use to the client, so the issue names the key alone.
    if (isLeft(got)) return left(got.left.slice(0, 1).map((each) => ({ ...each, path: '' })))
    // `01` and `1` are different texts and the same value.
    return right(got.right.length > 0 ? [...new Set(got.right)] : undefined)
  }
  const encode = (items: readonly A[] | undefined) => items?.map(item.encode).join(',')
  const program = () => optional(list(plain, { max: MAX_FILTER_VALUES, ...about }))
  return wireField({ ...optional(values), read, encode }, values, program)
}

type ListFilter<A> = Field<readonly A[] | undefined>

/** A word that the wire sends as its position in the list, from 1. */
const position = <const V extends string>(words: readonly V[]): Field<V> => {
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

/** One of some field names, in the naming of the side: `created_at` in snake case. */
const fieldName = <const V extends string>(keys: readonly V[], side: Side, about: FieldOptions): Field<V> => {
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

/** A range of days, on the wire `created_at_start` and `created_at_end`. Fails: as `day`, and `not-before`. */
const range = <R extends string = never>(wire: string, about: string, ...rules: readonly Rule<DayRange, R>[]) =>
  group<ReturnType<typeof daysOf>, RuleCode | R>(daysOf(wire, about), notBefore<DayRange>('to', 'from'), ...rules)

const daysOf = (wire: string, about: string) => ({
  from: filter(day({ wire: `${wire}_start`, about: `${about}, desde` })),
  to: filter(day({ wire: `${wire}_end`, about: `${about}, até` })),
})

/** A range with inclusive ends; a missing end sets no bound. */
export interface DayRange {
  readonly from?: Day
  readonly to?: Day
}

const MAX_SEARCH = 100
/** The last page number: times the largest page size it is still an exact offset. */
const MAX_PAGE_NUMBER = 100_000_000_000
const DEFAULT_PER_PAGE = 15

/**
 * The fields of queries. All are optional; a blank text means no filter (undefined), except for `page` and `perPage`.
 * Use `required(inQuery.day())` for a required one, `withDefault(inQuery.oneOf(['asc', 'desc']), 'desc')` for a
 * default.
 * Fails: `repeated` if the key of a single value is sent twice, and the codes of the same field in a body.
 */
export const inQuery = {
  /** A filter of any text field: `inQuery.of(taxId())`. */
  of: filter,
  /** A filter of a field whose type is known only at run time, such as one from the table of a resource. */
  any: anyFilter,
  text: ({ max = MAX_SEARCH, ...about }: { readonly max?: number } & FieldOptions = {}) =>
    filter(text({ max, ...about })),
  day: (about: FieldOptions = {}) => filter(day(about)),
  month: (about: FieldOptions = {}) => filter(month(about)),
  guid: (about: FieldOptions = {}) => filter(guid(about)),
  oneOf: <const V extends string>(values: readonly V[], about: FieldOptions = {}) => filter(oneOf(values, about)),
  integer: (bounds: Bounds & FieldOptions = {}) => filterOf(numberAsText(integer(bounds)), integer(bounds)),
  /** `true`, `false`, `1` or `0`. */
  flag: (about: FieldOptions = {}) => filterOf(inText(flag(about), flagOf), flag(about)),
  /** Integers, comma-separated or as repeated keys. */
  integers: ({ min, max, ...about }: Bounds & FieldOptions = {}) => {
    const plain = integer({ ...(min !== undefined && { min }), ...(max !== undefined && { max }) })
    return listAsText(numberAsText(plain), plain, about)
  },
  /** Some of these words, comma-separated or as repeated keys. */
  words: <const V extends string>(
    values: readonly V[],
    { offered = values, ...about }: { readonly offered?: readonly NoInfer<V>[] } & FieldOptions = {},
  ) => listAsText(oneOf(values, { offered }), oneOf(values), about),
  /** Some of these words; the wire sends their positions in the list, from 1. */
  positions: <const V extends string>(values: readonly V[], about: FieldOptions = {}) =>
    listAsText(position(values), oneOf(values), about),
  /** One of the fields by which a list can be sorted. */
  field: <const V extends string>(keys: readonly V[], about: FieldOptions = {}): Filter<V, V, InputCode> =>
    filterOn((side) => fieldName(keys, side, about)),
  range,
  page: (about: FieldOptions = {}) => integerWithDefault(1, MAX_PAGE_NUMBER, about),
  perPage: ({
    default: defaultValue = DEFAULT_PER_PAGE,
    max = MAX_PAGE,
    ...about
  }: { readonly default?: number; readonly max?: number } & FieldOptions = {}) =>
    integerWithDefault(defaultValue, max, about),
}

/** The page of a list and its size. */
export const pageFields = {
  page: inQuery.page({ about: 'Página, a partir de 1' }),
  perPage: inQuery.perPage({ about: 'Registros por página' }),
}

/** The input of a list without filters. */
export const paging = input(null, pageFields)

/** The page that a program requests; by default the first 15 records. */
export type Paging = InputOf<typeof paging>

import { type Issue, issue } from '../../failure.ts'
import { type Either, isLeft, left, right } from '../../fp.ts'
import { MAX_PAGE } from '../../limits.ts'
import type { Day } from '../values/day.ts'
import { type Decoded, type Fields, namesOf, type Shape, shape } from './body.ts'
import { anyField, type Field, field, list, optional, type Read, wrong } from './codec.ts'
import { flag, oneOf } from './fields/choices.ts'
import { day, month } from './fields/days.ts'
import { type Bounds, integer } from './fields/numbers.ts'
import { guid, text } from './fields/texts.ts'
import type { Rule } from './rules.ts'

/** The longest text that is searched for. */
export const MAX_SEARCH = 100
/** Values that one filter may list. */
export const MAX_FILTER_VALUES = 100
/** The furthest page: times the largest page it is still an exact offset. */
export const MAX_PAGE_NUMBER = 100_000_000_000
const DEFAULT_PER_PAGE = 15

/** What a request's query must be, as texts or, where a key is repeated, lists of texts. */
export interface Query<A> extends Shape<A> {
  readonly kind: 'query'
}

/** A query of these fields. Keys that it does not know, `status[$ne]` too, fall away. */
export const query = <F extends Fields>(
  fields: F,
  ...rules: readonly Rule<Decoded<NoInfer<F>>>[]
): Query<Decoded<F>> => ({ kind: 'query', ...shape<Decoded<F>>(fields, rules) })

/**
 * A query that refuses operator keys (`status[$ne]`, `$where`).
 * Fails: `operator` on the key before its operator. Source: decisions.md §10.
 */
export const strictQuery = <F extends Fields>(
  fields: F,
  ...rules: readonly Rule<Decoded<NoInfer<F>>>[]
): Query<Decoded<F>> => {
  const lenient = query(fields, ...rules)
  const known = namesOf(fields)
  const decode = (value: unknown, today?: Day): Either<readonly Issue[], Decoded<F>> => {
    const got = lenient.decode(value, today)
    const operators = Object.keys(Object(value)).filter((key) => OPERATOR.test(key) && !known.has(key))
    if (operators.length === 0) return got
    const paths = new Set(operators.map((key) => NAME.exec(key.slice(0, MAX_SEARCH))?.[0] ?? key))
    return left([...(isLeft(got) ? got.left : []), ...Array.from(paths, (path) => issue(path, 'operator'))])
  }
  return { ...lenient, decode }
}

const OPERATOR = /[[\]$]/
const NAME = /^.[^[\].$]*/s

const isBlank = (sent: unknown): boolean => sent === undefined || (typeof sent === 'string' && sent.trim() === '')

/** Reads one text; a list of them is a key sent twice. */
const single = <A>(inner: Field<A>, sent: unknown): Read<A> =>
  Array.isArray(sent) ? wrong('repeated') : inner.read(sent)

const filter = <A>(inner: Field<A>): Field<A | undefined> =>
  anyField(
    { ...optional(inner), read: (sent) => (isBlank(sent) ? right(undefined) : single(inner, sent)) },
    { absent: true, also: inner.also },
  )

const NUMERAL = /^-?\d{1,16}$/

const numeral = (bounds: Bounds): Field<number> => {
  const inner = integer(bounds)
  const read = (sent: unknown) =>
    typeof sent === 'string' && NUMERAL.test(sent) ? inner.read(Number(sent)) : wrong('integer')
  return field({ ...inner, read, encode: (value) => `${value}` })
}

/** A number that has a usual value; unlike other filters it may not be blank. */
const counter = (usual: number, max: number): Field<number> => {
  const inner = numeral({ min: 1, max })
  return anyField(
    {
      ...inner,
      schema: { ...inner.schema, default: usual },
      read: (sent) => (sent === undefined ? right(usual) : single(inner, sent)),
    },
    { absent: true },
  )
}

const FLAGS = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

const flagText = (): Field<boolean> => {
  const read = (sent: unknown): Read<boolean> => {
    const known = FLAGS.get(sent)
    return known === undefined ? wrong('flag') : right(known)
  }
  return field({ ...flag(), read, encode: String })
}

/** Several values, comma-separated or as repeated keys, each once. */
const several = <A>(item: Field<A>): Field<readonly A[] | undefined> => {
  const values = list(item, { max: MAX_FILTER_VALUES })
  const read = (sent: unknown): Read<readonly A[] | undefined> => {
    const texts = [sent].flat().flatMap((text) => (typeof text === 'string' ? text.split(',') : [text]))
    const wanted = [...new Set(texts.map((text) => (typeof text === 'string' ? text.trim() : text)))]
    const got = values.read(wanted.filter((text) => !isBlank(text)))
    // A filter is named by its key: nobody counts the places of a comma-separated list.
    if (isLeft(got)) return left(got.left.slice(0, 1).map((each) => ({ ...each, path: '' })))
    // `01` and `1` are two texts and one value.
    return right(got.right.length > 0 ? [...new Set(got.right)] : undefined)
  }
  const encode = (kept: readonly A[] | undefined) => kept?.map(item.encode).join(',')
  return anyField({ ...optional(values), read, encode }, { absent: true })
}

/**
 * The makers of queries. All may be absent, and all but `page` and `perPage` blank, which is no filter: undefined.
 * `required(inQuery.day())` must be sent, `withDefault(inQuery.oneOf(['asc', 'desc']), 'desc')` has a usual value.
 * Fails: `repeated` where one value belongs, and the codes of the same field in a body.
 */
export const inQuery = {
  /** Any field of a text, as a filter: `inQuery.of(taxId())`. */
  of: filter,
  text: (lengths: { readonly max: number } = { max: MAX_SEARCH }) => filter(text(lengths)),
  day: () => filter(day()),
  month: () => filter(month()),
  guid: () => filter(guid()),
  oneOf: <const V extends string>(values: readonly V[]) => filter(oneOf(values)),
  integer: (bounds: Bounds = {}) => filter(numeral(bounds)),
  /** `true`, `false`, `1` or `0`. Source: decisions.md §11. */
  flag: () => filter(flagText()),
  /** Integers, comma-separated or as repeated keys. Source: decisions.md §9. */
  integers: (bounds: Bounds = {}) => several(numeral(bounds)),
  /** Some of these words, comma-separated or as repeated keys. */
  words: <const V extends string>(values: readonly V[]) => several(oneOf(values)),
  /** The page, from 1. */
  page: () => counter(1, MAX_PAGE_NUMBER),
  /** How many records a page has. */
  perPage: ({ usual = DEFAULT_PER_PAGE, max = MAX_PAGE }: { readonly usual?: number; readonly max?: number } = {}) =>
    counter(usual, max),
}

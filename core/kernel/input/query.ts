import { MAX_PAGE } from '../../limits.ts'
import type { About } from './codec.ts'
import type { InputCode } from './codes.ts'
import { flag, oneOf } from './fields/choices.ts'
import { day, month } from './fields/days.ts'
import { type Bounds, integer } from './fields/numbers.ts'
import { guid, text } from './fields/texts.ts'
import {
  anyFilter,
  counter,
  type Filter,
  filter,
  filterOf,
  filterOn,
  flagText,
  nameOf,
  numeral,
  placeOf,
  range,
  several,
} from './filters.ts'

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
  text: ({ max = MAX_SEARCH, ...about }: { readonly max?: number } & About = {}) => filter(text({ max, ...about })),
  day: (about: About = {}) => filter(day(about)),
  month: (about: About = {}) => filter(month(about)),
  guid: (about: About = {}) => filter(guid(about)),
  oneOf: <const V extends string>(values: readonly V[], about: About = {}) => filter(oneOf(values, about)),
  integer: (bounds: Bounds & About = {}) => filterOf(numeral(integer(bounds)), integer(bounds)),
  /** `true`, `false`, `1` or `0`. Source: decisions.md §11. */
  flag: (about: About = {}) => filterOf(flagText(flag(about)), flag(about)),
  /** Integers, comma-separated or as repeated keys. Source: decisions.md §9. */
  integers: ({ min, max, ...about }: Bounds & About = {}) => {
    const plain = integer({ ...(min !== undefined && { min }), ...(max !== undefined && { max }) })
    return several(numeral(plain), plain, about)
  },
  /** Some of these words, comma-separated or as repeated keys. */
  words: <const V extends string>(
    values: readonly V[],
    { offered = values, ...about }: { readonly offered?: readonly NoInfer<V>[] } & About = {},
  ) => several(oneOf(values, { offered }), oneOf(values), about),
  /** Some of these words, on the wire as their places in the list, from 1. */
  places: <const V extends string>(values: readonly V[], about: About = {}) =>
    several(placeOf(values), oneOf(values), about),
  /** One of some fields that a list may be ordered by. */
  field: <const V extends string>(keys: readonly V[], about: About = {}): Filter<V, V, InputCode> =>
    filterOn((side) => nameOf(keys, side, about)),
  range,
  /** The page, from 1. */
  page: (about: About = {}) => counter(1, MAX_PAGE_NUMBER, about),
  /** How many records a page has. */
  perPage: ({
    usual = DEFAULT_PER_PAGE,
    max = MAX_PAGE,
    ...about
  }: { readonly usual?: number; readonly max?: number } & About = {}) => counter(usual, max, about),
}

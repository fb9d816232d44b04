import { MAX_PAGE } from '../../limits.ts'
import type { List, Listed, Store } from '../../ports/store.ts'
import { isObject } from '../input/input.ts'
import {
  all,
  any,
  type Collection,
  contains,
  eq,
  type Field,
  type Id,
  isIn,
  type Rec,
  recordOrder,
  type Where,
} from '../records/record.ts'
import { normalizeTaxId, parseTaxId } from '../values/tax-id.ts'
import { fold, foldLines } from '../values/text.ts'

const VALUES_AT_ONCE = 500

const slicesOf = <A>(values: readonly A[]): readonly (readonly A[])[] =>
  Array.from({ length: Math.ceil(values.length / VALUES_AT_ONCE) }, (_, index) =>
    values.slice(index * VALUES_AT_ONCE, (index + 1) * VALUES_AT_ONCE),
  )

/** Returns the first `count` records of a list and its total, in as many pages as needed. */
const firstOf = async <R extends Rec>(
  store: Pick<Store, 'list'>,
  list: List<R>,
  count: number,
): Promise<{ readonly records: readonly R[]; readonly total: number }> => {
  const found: R[] = []
  let total = 0
  do {
    const limit = Math.min(MAX_PAGE, count - found.length)
    const page = await store.list({ ...list, offset: found.length, limit })
    found.push(...page.records)
    total = page.total ?? total
    if (page.records.length < limit) break
  } while (found.length < count)
  return { records: found, total }
}

/**
 * Returns a page of the records whose field has one of the values. Queries 500 values at a time and merges the results
 * in order.
 */
export const listWithin = async <R extends Rec>(
  store: Pick<Store, 'list'>,
  list: List<R>,
  field: Field<R>,
  values: readonly Id[],
): Promise<Listed<R>> => {
  const slices = slicesOf([...new Set(values)])
  const [only = [], ...more] = slices
  const within = (some: readonly Id[]): List<R> => ({ ...list, where: all(list.where, isIn(field, some)) })
  if (more.length === 0) return store.list(within(only))
  const { offset = 0, limit, sort } = list
  const parts = await Promise.all(slices.map((some) => firstOf(store, within(some), offset + limit)))
  const records = parts
    .flatMap((part) => part.records)
    .sort(recordOrder(sort))
    .slice(offset, offset + limit)
  return { records, total: list.total ? parts.reduce((sum, { total }) => sum + total, 0) : null }
}

/** Returns the records of the tenant with these ids, removed ones included. */
export const recordsById = async <R extends Rec & { readonly id: string }>(
  store: Pick<Store, 'list'>,
  from: Collection<R>,
  tenant: string,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, R>> => {
  const wanted = [...new Set(ids.flatMap((id) => (id === null ? [] : [id])))]
  const found = new Map<string, R>()
  for (const some of slicesOf(wanted)) {
    const where = all<string>(...(from.owner ? [eq(from.owner, tenant)] : []), isIn('id', some))
    const { records } = await store.list({ kind: 'list', from, where: where as List<R>['where'], limit: some.length })
    for (const record of records) found.set(record.id, record)
  }
  return found
}

/** Returns the folded search text: one field a line, so that a search never matches across two fields. */
export const searchText = (record: Rec, search: readonly string[]): string =>
  foldLines(search.map((path) => valueAt(record, path)).flatMap(textsIn))

const valueAt = (record: Rec, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), record)

/** Returns a text, or all texts within an object: a search finds an address by its street. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** A document, phone or postcode with punctuation, or a part of one. */
const MARKED = /^[\d.\-‐-―/()+\s]*\d[\d.\-‐-―/()+\s]*$/

/** The lengths of the groups of `12.ABC.345/01DE-35`, and the mark after each. */
const GROUPS = [
  [2, '\\.'],
  [3, '\\.'],
  [3, '/'],
  [4, '-'],
  [2, ''],
] as const
const CHARACTER = '[\\dA-Z]'

/**
 * A part of a CNPJ with letters that contains one of its marks: inner groups are complete, the outer ones may be cut.
 */
const LETTERED = new RegExp(
  `^(?=.*\\d)(?:${GROUPS.flatMap(([size, mark], first) =>
    GROUPS.slice(first + 1).map(([lastSize], more) => {
      const between = GROUPS.slice(first + 1, first + 1 + more).map(([whole, next]) => `${CHARACTER}{${whole}}${next}`)
      return `${CHARACTER}{1,${size}}${mark}${between.join('')}${CHARACTER}{0,${lastSize}}`
    }),
  ).join('|')})$`,
  'i',
)

const isMarked = (text: string): boolean => MARKED.test(text) || LETTERED.test(text) || parseTaxId(text) !== null

/** Returns the folded texts to search for: the text and, if it may be a document, the text without punctuation. */
export const searchTexts = (text: string): readonly string[] => {
  const bare = isMarked(text) ? normalizeTaxId(text) : text
  return [...new Set([fold(text), fold(bare)])]
}

/**
 * Returns the condition that a folded field contains a text. Documents, phones and postcodes, which are stored without
 * punctuation, match with and without it, also in part.
 */
export const searchIn = <F extends string>(field: F, text: string): Where<F> => {
  const parts = searchTexts(text).map((each) => contains(field, each))
  const [only] = parts
  return only !== undefined && parts.length === 1 ? only : any(...parts)
}

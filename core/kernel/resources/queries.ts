import { MAX_PAGE } from '../../limits.ts'
import { byId, byKey, type List, type Listed, type Store } from '../../ports/store.ts'
import { isObject } from '../input/input.ts'
import type { DayRange } from '../input/query.ts'
import {
  type AnyCollection,
  all,
  always,
  any,
  type Change,
  type Collection,
  check,
  contains,
  eq,
  type Field,
  gte,
  type Id,
  isIn,
  lte,
  patch,
  type Rec,
  recordOrder,
  type Scalar,
  type Where,
} from '../records/record.ts'
import { endOfDay, startOfDay } from '../values/day.ts'
import { normalizeTaxId, parseTaxId } from '../values/tax-id.ts'
import { fold, foldLines } from '../values/text.ts'

/** A reference to a record of the same tenant that is not removed. */
export interface Reference {
  readonly to: AnyCollection
  /** The field values that the referenced record must have: `{ role: 'Owner' }`. */
  readonly is?: Readonly<Record<string, Scalar>>
  /**
   * The field of the referenced record that counts its references. `blockedBy` prevents its removal while it is not 0.
   */
  readonly counts?: string
}

/** A reference with the result of its lookup. */
export interface ResolvedReference {
  readonly field: string
  /** Null clears the reference. */
  readonly id: Id | null
  /** Null if the tenant has no such record. */
  readonly target: Pick<Reference, 'to' | 'is' | 'counts'> | null
}

/** The facts that the decisions of a resource read. */
export interface Facts<R> {
  /** The record to change or remove. Null if the tenant has none, or if one is created. */
  readonly record: R | null
  /** The current holder of each unique text in the input. */
  readonly keyHolders: { readonly [field: string]: R | null | undefined }
  /** The references in the input. */
  readonly references: readonly ResolvedReference[]
  /** The stored references of the record that are counted. */
  readonly storedReferences: readonly ResolvedReference[]
}

interface Spec {
  readonly unique?: readonly string[]
  readonly references?: { readonly [field: string]: readonly Reference[] | undefined }
}

/** Returns the text of a unique key: unique among the records of the tenant that are not removed. */
export const tenantKey = (tenant: Id, text: string): string => `${tenant}|${text}`

const isId = (value: unknown): value is Id => typeof value === 'string' || typeof value === 'number'
const live = eq('removedAt', null)
const targetCondition = (is: Reference['is'] = {}): Where =>
  all(live, ...Object.entries(is).map(([field, value]) => eq(field, value)))

/** Builds the readers of a resource. */
export const factsOf = <R extends Rec>(
  collection: Collection<R>,
  tenant: string,
  { unique = [], references = {} }: Spec,
) => {
  const referenceFields: readonly (readonly [string, readonly Reference[] | undefined])[] = Object.entries(references)
  const isOwn = (record: Rec | null, owner: Id): boolean =>
    record !== null && record[tenant] === owner && record.removedAt === null

  const find = async (store: Store, owner: Id, id: Id): Promise<R | null> => {
    const record = await store.find(byId(collection, id))
    return isOwn(record, owner) ? record : null
  }

  const foundAt = async (
    store: Store,
    owner: Id,
    id: Id,
    targets: readonly Reference[],
  ): Promise<ResolvedReference['target']> => {
    for (const target of targets) {
      const record = await store.find(byId<Rec>(target.to, id))
      const hasValues = Object.entries(target.is ?? {}).every(([field, value]) => record?.[field] === value)
      if (isOwn(record, owner) && hasValues) return target
    }
    return null
  }

  const storedReferencesOf = async (
    store: Store,
    owner: Id,
    record: R | null,
  ): Promise<readonly ResolvedReference[]> => {
    const stored: ResolvedReference[] = []
    for (const [field, targets = []] of referenceFields) {
      const id = record?.[field]
      if (!isId(id) || targets.every(({ counts }) => counts === undefined)) continue
      // With a single target the reference cannot mean another collection.
      const only = targets.length === 1 ? (targets[0] ?? null) : null
      stored.push({ field, id, target: only ?? (await foundAt(store, owner, id, targets)) })
    }
    return stored
  }

  return {
    find,
    async readFacts(store: Store, owner: Id, id: Id | null, input: object): Promise<Facts<R>> {
      const record = id === null ? null : await find(store, owner, id)
      const sent: Readonly<Record<string, unknown>> = { ...input }
      const keyHolders: Record<string, R | null> = {}
      for (const field of unique) {
        const text = sent[field]
        if (typeof text === 'string')
          keyHolders[field] = await store.find(byKey(collection, field, tenantKey(owner, text)))
      }
      const resolved: ResolvedReference[] = []
      for (const [field, targets = []] of referenceFields) {
        const target = sent[field]
        if (target === null) resolved.push({ field, id: null, target: null })
        else if (isId(target))
          resolved.push({ field, id: target, target: await foundAt(store, owner, target, targets) })
      }
      return {
        record,
        keyHolders,
        references: resolved,
        storedReferences: await storedReferencesOf(store, owner, record),
      }
    },
  }
}

/** Returns the changes that decrement the counters of stored references: of some fields, or of all. */
export const releaseReferences = (
  references: readonly ResolvedReference[],
  fields: readonly Pick<ResolvedReference, 'field'>[] | null = null,
): readonly Change[] =>
  references.flatMap(({ field, id, target }) => {
    const isReleased = fields === null || fields.some((each) => each.field === field)
    if (!isReleased || id === null || target?.counts === undefined) return []
    return [patch<Rec>(target.to, id, { add: { [target.counts]: -1 }, when: always })]
  })

/** Returns the changes that guard the referenced records and increment their counters. */
export const countReferences = (references: readonly ResolvedReference[]): readonly Change[] =>
  references.flatMap(({ id, target }) => {
    if (id === null || !target) return []
    const { to, is, counts } = target
    const when = targetCondition(is)
    return [counts === undefined ? check<Rec>(to, id, when) : patch<Rec>(to, id, { add: { [counts]: 1 }, when })]
  })

/** Returns the conditions that these fields still have the values of the record as read. */
export const sameIn =
  <R extends Rec>(fields: readonly string[]) =>
  (record: R): readonly Where<Field<R>>[] =>
    fields.map((field) => same(record, field as Field<R>))

export const same = <R extends Rec>(record: R, field: Field<R>): Where<Field<R>> => {
  const value = record[field]
  return eq(field, typeof value === 'object' || value === undefined ? null : value)
}

const VALUES_AT_ONCE = 500

/** Splits values into slices that fit into one query. */
export const inSlices = <A>(values: readonly A[]): readonly (readonly A[])[] =>
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
  const slices = inSlices([...new Set(values)])
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
  for (const some of inSlices(wanted)) {
    const where = all(...(from.owner ? [eq(from.owner, tenant)] : []), isIn('id', some))
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
const PUNCTUATED_NUMBER = /^[\d.\-‐-―/()+\s]*\d[\d.\-‐-―/()+\s]*$/

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
const PUNCTUATED_CNPJ_PART = new RegExp(
  `^(?=.*\\d)(?:${GROUPS.flatMap(([size, mark], first) =>
    GROUPS.slice(first + 1).map(([lastSize], more) => {
      const between = GROUPS.slice(first + 1, first + 1 + more).map(([whole, next]) => `${CHARACTER}{${whole}}${next}`)
      return `${CHARACTER}{1,${size}}${mark}${between.join('')}${CHARACTER}{0,${lastSize}}`
    }),
  ).join('|')})$`,
  'i',
)

const mayBeNumber = (text: string): boolean =>
  PUNCTUATED_NUMBER.test(text) || PUNCTUATED_CNPJ_PART.test(text) || parseTaxId(text) !== null

/**
 * Returns the folded texts to search for: the text and, if it may be a document, phone or postcode, its form without
 * punctuation.
 */
export const searchTexts = (text: string): readonly string[] => {
  const withoutPunctuation = mayBeNumber(text) ? normalizeTaxId(text) : text
  return [...new Set([fold(text), fold(withoutPunctuation)])]
}

/** Matches any of these values. A single value becomes an equality, which an index row can serve. */
export const isOneOf = <F extends string>(field: F, values: readonly Scalar[]): Where<F> => {
  const [only] = values
  return values.length === 1 && only !== undefined ? eq(field, only) : isIn(field, values)
}

/** Matches the days of a range, both ends included; an absent end is open. */
export const inRange = <F extends string>(field: F, { from, to }: DayRange): readonly Where<F>[] => [
  ...(from ? [gte(field, from)] : []),
  ...(to ? [lte(field, to)] : []),
]

/** Returns the conditions that an instant is on a range of days in São Paulo, both ends included. */
export const onDaysOf = <F extends string>(field: F, { from, to }: DayRange): readonly Where<F>[] => [
  ...(from ? [gte(field, startOfDay(from))] : []),
  ...(to ? [lte(field, endOfDay(to))] : []),
]

/**
 * Returns the condition that a folded field contains a text. Documents, phones and postcodes, which are stored without
 * punctuation, match with and without it, also in part.
 */
export const searchIn = <F extends string>(field: F, text: string): Where<F> => {
  const parts = searchTexts(text).map((each) => contains(field, each))
  const [only] = parts
  return only !== undefined && parts.length === 1 ? only : any(...parts)
}

import { byId, byKey, groupOf, type Store } from '../../ports/store.ts'
import {
  type AnyCollection,
  all,
  always,
  any,
  at,
  type Collection,
  eq,
  not,
  type Rec,
  type Scalar,
  type TallyRow,
  type Where,
} from '../records/record.ts'
import { bucketKey, type GroupRow } from '../records/tally.ts'

/** The result of verifying one area of a store: figures, and one line for each fault. */
export interface Finding {
  readonly area: string
  /** Counts by name (`accounts`), printed in this order. */
  readonly figures: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

const SLICE_SIZE = 200

/** Iterates over all records of a collection in slices. */
export async function* scanSlices<R extends Rec>(store: Pick<Store, 'scan'>, from: Collection<R>): AsyncIterable<R[]> {
  let slice: R[] = []
  for await (const record of store.scan(from, always)) {
    slice.push(record)
    if (slice.length < SLICE_SIZE) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}

/** Returns the first fault, with the number of the others. */
export const firstOf = (faults: readonly string[]): readonly string[] => {
  const [first, ...more] = faults
  return first === undefined ? [] : [more.length === 0 ? first : `${first}, and ${more.length} more`]
}

/** Returns the words of the checks that found a fault. */
export const faultsIn = (checks: readonly (readonly [isWrong: boolean, words: string])[]): string[] =>
  checks.flatMap(([isWrong, words]) => (isWrong ? [words] : []))

/** Verifies data under concurrent writes: if there are faults, verifies once more and returns the second result. */
export const verifyTwice = async <A extends { readonly faults: readonly string[] }>(
  verify: () => Promise<A>,
): Promise<A> => {
  const first = await verify()
  return first.faults.length === 0 ? first : verify()
}

/**
 * Verifies that each record is found by its unique keys. When a release adds a key, older records may share a text: one
 * of them holds it, and the others cannot be found by it. Faults name collections, keys and ids, never the texts, which
 * may be personal data.
 */
export const verifyKeys = async (store: Store, collections: readonly AnyCollection[]): Promise<Finding> => {
  const faults: string[] = []
  let keys = 0
  let texts = 0
  for (const each of collections) {
    // Collections of all record types are mixed here; each is queried by its own fields only.
    const collection = each as Collection<Rec>
    const names = Object.keys(collection.keys ?? {})
    keys += names.length
    if (names.length === 0) continue
    for await (const slice of scanSlices(store, collection)) {
      const entries = slice.flatMap((record) => names.flatMap((key) => textOf(collection, key, record)))
      texts += entries.length
      const found = await Promise.all(entries.map((one) => faultOf(store, collection, one)))
      faults.push(...found.filter((fault) => fault !== null))
    }
  }
  return { area: 'keys', figures: { keys, texts }, faults }
}

interface Text {
  readonly record: Rec
  readonly key: string
  readonly text: string
}

const textOf = ({ keys = {} }: Collection<Rec>, key: string, record: Rec): readonly Text[] => {
  const text = keys[key]?.(record) ?? null
  return text === null ? [] : [{ record, key, text }]
}

const faultOf = async (
  store: Store,
  collection: Collection<Rec>,
  { record, key, text }: Text,
): Promise<string | null> => {
  const { id } = record
  if ((await store.find(byKey(collection, key, text)))?.id === id) return null
  // The key may have moved since the record was scanned: read both from one snapshot before reporting.
  const { now, holder } = await store.read({ now: byId(collection, id), holder: byKey(collection, key, text) })
  const hasText = now !== null && textOf(collection, key, now)[0]?.text === text
  if (!hasText || holder?.id === id) return null
  const place = at(collection, id).join('/')
  if (!holder) return `${place}: no record is found by its ${key}: change the ${key} and set it again`
  return `${place}: its ${key} is also that of ${at(collection, holder.id).join('/')}, which is found by it: change or remove one of them`
}

/** An id that no record has: a condition on it matches all records and is covered by no tally. */
const NO_ID = { integer: -1, text: '' } as const

/**
 * Compares every tally with its records, tenant by tenant. Both are read from one snapshot, so that concurrent writes
 * cause no faults. Memory grows with the tenants of a collection, not with its records.
 */
export const verifyTallies = async (store: Store, collections: readonly AnyCollection[]): Promise<Finding> => {
  const faults: string[] = []
  let tallies = 0
  let buckets = 0
  for (const each of collections) {
    // Collections of all record types are mixed here; each is queried by its own fields only.
    const collection = each as Collection<Rec>
    for (const row of collection.tallies ?? []) {
      tallies += 1
      for await (const where of parts(store, collection, row)) {
        const compared = await compare(store, collection, row, where)
        buckets += compared.buckets
        faults.push(...compared.faults)
      }
    }
  }
  return { area: 'tallies', figures: { tallies, buckets }, faults }
}

/** Returns the parts of a tally: one for each value of its first field, and the whole. */
async function* parts(store: Store, collection: Collection<Rec>, { by }: TallyRow): AsyncIterable<Part> {
  const [first, ...others] = by
  if (first !== undefined) {
    const seen = new Set<Scalar>()
    for await (const slice of scanSlices(store, collection)) {
      for (const value of new Set(slice.map((record) => (record[first] ?? null) as Scalar))) {
        if (seen.has(value)) continue
        seen.add(value)
        yield { where: eq(first, value), by: [first, ...others] }
      }
    }
  }
  // A bucket of a tenant without records is in no other part, but it is in the total.
  yield { where: all(...by.map(anything)), by: [] }
}

/** Matches every record and names the field, so that only a tally by this field can answer the query. */
const anything = (field: string): Where => any(eq(field, null), not(eq(field, null)))

interface Part {
  readonly where: Where
  readonly by: readonly string[]
}

const compare = async (
  store: Store,
  collection: Collection<Rec>,
  { sum, when }: TallyRow,
  { where, by }: Part,
): Promise<{ readonly buckets: number; readonly faults: readonly string[] }> => {
  const query = { by, sum, ...(when === undefined ? {} : { when }) }
  const { tallied, counted } = await store.read({
    tallied: groupOf(collection, { ...query, where }),
    counted: groupOf(collection, { ...query, where: all(where, not(eq('id', NO_ID[collection.ids]))) }),
  })
  const tallies = new Map(tallied.map((row) => [nameOf(row, by), row]))
  const records = new Map(counted.map((row) => [nameOf(row, by), row]))
  const names = [...new Set([...tallies.keys(), ...records.keys()])]
  const title = when === undefined ? collection.name : `${collection.name} (${when})`
  return {
    buckets: by.length === 0 ? 0 : records.size,
    faults: names
      .filter((name) => figuresOf(tallies.get(name), sum) !== figuresOf(records.get(name), sum))
      .map(
        (name) =>
          `${title} ${name}: the tally has ${figuresOf(tallies.get(name), sum)}, its records ${figuresOf(records.get(name), sum)}`,
      ),
  }
}

const nameOf = ({ by: values }: GroupRow, by: readonly string[]): string =>
  by.length === 0 ? 'total' : bucketKey(by.map((field) => values[field] ?? null))

const figuresOf = (row: GroupRow | undefined, sum: readonly string[]): string =>
  [`${row?.count ?? 0}`, ...sum.map((field) => `${field} ${row?.sums[field] ?? 0}`)].join(', ')

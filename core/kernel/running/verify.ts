import { byId, byKey, groupOf, type Store } from '../../ports/store.ts'
import { type AnyCollection, at, type Collection, type Rec, type TallyRow } from '../records/collection.ts'
import { bucketKey, type GroupRow } from '../records/tally.ts'
import { all, always, any, eq, not, type Scalar, type Where } from '../records/where.ts'

/** What an audit found in one area: what it looked at, and what is wrong, a line each. */
export interface Finding {
  readonly area: string
  /** `accounts` to how many: told in their order. */
  readonly figures: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

/** Records that are looked at together. */
const A_SLICE = 200

/** All records of a collection, slice by slice. */
export async function* slices<R extends Rec>(store: Pick<Store, 'scan'>, from: Collection<R>): AsyncIterable<R[]> {
  let slice: R[] = []
  for await (const record of store.scan(from, always)) {
    slice.push(record)
    if (slice.length < A_SLICE) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}

/** A look at what others are writing meanwhile: what is wrong is looked at again before it is told. */
export const verifyTwice = async <A extends { readonly faults: readonly string[] }>(
  look: () => Promise<A>,
): Promise<A> => {
  const first = await look()
  return first.faults.length === 0 ? first : look()
}

/**
 * Looks for each record by its unique keys. Where a release adds a key, records that were there may give the same text: one
 * holds it, and the others are found by it no more. Told are names and ids, never a text: it may be a document or a name.
 * Source: design, section 3.
 */
export const verifyKeys = async (store: Store, collections: readonly AnyCollection[]): Promise<Finding> => {
  const faults: string[] = []
  let keys = 0
  let texts = 0
  for (const each of collections) {
    // The rows of every collection stand side by side here; each is asked only for its own fields.
    const collection = each as Collection<Rec>
    const names = Object.keys(collection.keys ?? {})
    keys += names.length
    if (names.length === 0) continue
    for await (const slice of slices(store, collection)) {
      const held = slice.flatMap((record) => names.flatMap((key) => textOf(collection, key, record)))
      texts += held.length
      const told = await Promise.all(held.map((one) => faultOf(store, collection, one)))
      faults.push(...told.filter((fault) => fault !== null))
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
  // It may have changed hands since it was walked by: both are read at one instant before it is told.
  const { now, holder } = await store.read({ now: byId(collection, id), holder: byKey(collection, key, text) })
  const isKept = now !== null && textOf(collection, key, now)[0]?.text === text
  if (!isKept || holder?.id === id) return null
  const place = at(collection, id).join('/')
  if (!holder) return `${place}: no record holds the ${key} that it has: change it, and set it anew`
  return `${place}: the ${key} that it has is held by ${at(collection, holder.id).join('/')}: change or remove one of them`
}

/** No record has it: a condition on it holds for all, and no tally covers it. */
const NO_ID = { integer: -1, text: '' } as const

/**
 * Compares every tally with its records, tenant by tenant: both are asked at one instant, so that no write in between is
 * taken for a fault. Memory grows with the tenants of a collection, not with its records.
 * Source: design, section 3.
 */
export const verifyTallies = async (store: Store, collections: readonly AnyCollection[]): Promise<Finding> => {
  const faults: string[] = []
  let tallies = 0
  let buckets = 0
  for (const each of collections) {
    // The rows of every collection stand side by side here; each is asked only for its own fields.
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

/** The conditions that divide a tally by its first field, as the records know it, and the whole of it. */
async function* parts(store: Store, collection: Collection<Rec>, { by }: TallyRow): AsyncIterable<Part> {
  const [first, ...others] = by
  if (first !== undefined) {
    const seen = new Set<Scalar>()
    for await (const slice of slices(store, collection)) {
      for (const value of new Set(slice.map((record) => (record[first] ?? null) as Scalar))) {
        if (seen.has(value)) continue
        seen.add(value)
        yield { where: eq(first, value), by: [first, ...others] }
      }
    }
  }
  // A bucket of a tenant that has no record is in none of the parts, but in the sum of all.
  yield { where: all(...by.map(anything)), by: [] }
}

/** Holds for every record, and names the field: a smaller tally cannot answer in the place of this one. */
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
  const asked = { by, sum, ...(when === undefined ? {} : { when }) }
  const { tallied, counted } = await store.read({
    tallied: groupOf(collection, { ...asked, where }),
    counted: groupOf(collection, { ...asked, where: all(where, not(eq('id', NO_ID[collection.ids]))) }),
  })
  const told = new Map(tallied.map((row) => [nameOf(row, by), row]))
  const held = new Map(counted.map((row) => [nameOf(row, by), row]))
  const names = [...new Set([...told.keys(), ...held.keys()])]
  const called = when === undefined ? collection.name : `${collection.name} (${when})`
  return {
    buckets: by.length === 0 ? 0 : held.size,
    faults: names
      .filter((name) => figuresOf(told.get(name), sum) !== figuresOf(held.get(name), sum))
      .map(
        (name) =>
          `${called} ${name}: the tally says ${figuresOf(told.get(name), sum)}, the records ${figuresOf(held.get(name), sum)}`,
      ),
  }
}

const nameOf = ({ by: values }: GroupRow, by: readonly string[]): string =>
  by.length === 0 ? 'in all' : bucketKey(by.map((field) => values[field] ?? null))

const figuresOf = (row: GroupRow | undefined, sum: readonly string[]): string =>
  [`${row?.count ?? 0}`, ...sum.map((field) => `${field} ${row?.sums[field] ?? 0}`)].join(', ')

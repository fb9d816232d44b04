import { groupOf, type Store } from '../../ports/store.ts'
import type { AnyCollection, Collection, Rec, TallyRow } from '../records/collection.ts'
import { bucketKey, type GroupRow } from '../records/tally.ts'
import { all, any, eq, not, type Scalar, type Where } from '../records/where.ts'
import { type Finding, slices } from './finding.ts'

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

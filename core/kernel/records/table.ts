import { MAX_INDEXES } from '../../limits.ts'
import { type AnyCollection, compile, fieldCodecs, fieldsOf, type RecordTest } from './record.ts'
import { tallyText } from './stored-shape.ts'

const conditionTests = new WeakMap<AnyCollection, Map<string, RecordTest>>()

/** Returns the compiled test of a named condition of a collection. */
export const conditionTest = (collection: AnyCollection, name: string): RecordTest => {
  const tests = conditionTests.get(collection) ?? new Map<string, RecordTest>()
  conditionTests.set(collection, tests)
  const known = tests.get(name)
  if (known) return known
  const where = collection.conditions?.[name]
  if (!where) throw new Error(`${collection.name} has no condition ${name}`)
  const test = compile(where)
  tests.set(name, test)
  return test
}

const NAME = /^[a-z][a-z0-9.-]*$/

/**
 * Indexes the collections of a store by name. A collection that several businesses share may be listed by each of them.
 * Throws an error that lists every invalid definition.
 */
export const tableOf = (collections: readonly AnyCollection[]): ReadonlyMap<string, AnyCollection> => {
  const table = new Map<string, AnyCollection>()
  const faults: string[] = []
  for (const collection of new Set(collections)) {
    if (table.has(collection.name)) faults.push(`${collection.name}: two collections of that name`)
    table.set(collection.name, collection)
    faults.push(...faultsOf(collection).map((fault) => `${collection.name}: ${fault}`))
  }
  if (faults.length > 0) throw new Error(`invalid collections: ${faults.join('; ')}`)
  return table
}

/** Returns the value of a collection. Throws if the store was opened without the collection. */
export const ofCollection = <A>(byName: ReadonlyMap<string, A>, name: string): A => {
  const found = byName.get(name)
  if (found === undefined) throw new Error(`no collection ${name}: the store was opened without it`)
  return found
}

const knownFaults = new WeakMap<AnyCollection, readonly string[]>()

const faultsOf = (collection: AnyCollection): readonly string[] => {
  const faults = knownFaults.get(collection) ?? findFaults(collection)
  knownFaults.set(collection, faults)
  return faults
}

const findFaults = (collection: AnyCollection): readonly string[] => {
  const { name, owner, conditions = {}, indexes = [], tallies = [], days = {} } = collection
  const { upgrades = {}, retired = [] } = collection
  const known = fieldCodecs(collection.codec)
  const named = [
    ...(owner === null ? [] : [owner]),
    ...Object.values(conditions).flatMap(fieldsOf),
    ...indexes
      .flatMap((row) => [row.eq, row.sort, row.search, ...(row.include ?? [])])
      .filter((field) => field !== undefined),
    ...Object.entries(days).flatMap(([day, moment = day]) => [day, moment]),
    ...tallies.flatMap(({ by, sum }) => [...by, ...sum]),
    ...Object.keys(upgrades),
  ]
  const whens = [...indexes, ...tallies].map(({ when }) => when).filter((when) => when !== undefined)
  // The partial index of a queue contains only waiting records and costs little.
  const counted = indexes.filter(({ acrossOwners, when }) => !acrossOwners || when === undefined)
  return [
    ...(NAME.test(name) ? [] : ['a name has lower-case letters, digits, dots and hyphens']),
    ...(counted.length > MAX_INDEXES ? [`${counted.length} indexes: at most ${MAX_INDEXES}`] : []),
    ...whens.filter((when) => !Object.hasOwn(conditions, when)).map((when) => `no condition ${when}`),
    ...(known ? named.filter((field) => !Object.hasOwn(known, field)).map((field) => `no field ${field}`) : []),
    ...Object.keys(upgrades)
      .filter((field) => field === 'id' || field === owner)
      .map((field) => `no upgrade can set ${field}`),
    ...(new Set(tallies.map((row) => tallyText(collection, row))).size < tallies.length ? ['two equal tallies'] : []),
    ...(known || Object.keys(upgrades).length === 0 ? [] : ['upgrades need a codec that lists its fields']),
    ...(known
      ? retired.filter((field) => Object.hasOwn(known, field)).map((field) => `${field} is both retired and a field`)
      : []),
  ]
}

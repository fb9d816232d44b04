import { MAX_INDEXES } from '../../limits.ts'
import type { AnyCollection } from './collection.ts'
import { propsOf } from './record.ts'
import { fieldsOf } from './tally.ts'

const NAME = /^[a-z][a-z0-9.-]*$/

/**
 * The collections of a store by name: what several businesses share is named by each of them. Throws, naming every fault,
 * where a row of the table is wrong.
 */
export const tableOf = (collections: readonly AnyCollection[]): ReadonlyMap<string, AnyCollection> => {
  const table = new Map<string, AnyCollection>()
  const faults: string[] = []
  for (const collection of new Set(collections)) {
    if (table.has(collection.name)) faults.push(`${collection.name}: two collections of that name`)
    table.set(collection.name, collection)
    faults.push(...faultsOf(collection).map((fault) => `${collection.name}: ${fault}`))
  }
  if (faults.length > 0) throw new Error(`wrong collections: ${faults.join('; ')}`)
  return table
}

const faultsOf = (collection: AnyCollection): string[] => {
  const { name, owner, conditions = {}, indexes = [], tallies = [], days = {} } = collection
  const { upgrades = {}, retired = [] } = collection
  const known = propsOf(collection.codec)
  const named = [
    ...(owner === null ? [] : [owner]),
    ...Object.values(conditions).flatMap(fieldsOf),
    ...indexes
      .flatMap((row) => [row.eq, row.sort, row.search, ...(row.carries ?? [])])
      .filter((field) => field !== undefined),
    ...Object.entries(days).flatMap(([day, moment = day]) => [day, moment]),
    ...tallies.flatMap(({ by, sum }) => [...by, ...sum]),
    ...Object.keys(upgrades),
  ]
  const whens = [...indexes, ...tallies].map(({ when }) => when).filter((when) => when !== undefined)
  // The index of a queue holds only what waits, and costs next to nothing.
  const counted = indexes.filter(({ across, when }) => !across || when === undefined)
  return [
    ...(NAME.test(name) ? [] : ['names are lower-case letters, digits, dots and hyphens']),
    ...(counted.length > MAX_INDEXES ? [`${counted.length} indexes: at most ${MAX_INDEXES}`] : []),
    ...whens.filter((when) => !Object.hasOwn(conditions, when)).map((when) => `no condition ${when}`),
    ...(known ? named.filter((field) => !Object.hasOwn(known, field)).map((field) => `no field ${field}`) : []),
    ...Object.keys(upgrades)
      .filter((field) => field === 'id' || field === owner)
      .map((field) => `no upgrade gives ${field}`),
    ...(known || Object.keys(upgrades).length === 0 ? [] : ['upgrades of a codec that does not tell its fields']),
    ...(known
      ? retired.filter((field) => Object.hasOwn(known, field)).map((field) => `${field} is retired, and a field`)
      : []),
  ]
}

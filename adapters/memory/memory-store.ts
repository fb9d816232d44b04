import { type AnyCollection, tableOf } from '../../core/kernel/records/collection.ts'
import { fillMissingFields } from '../../core/kernel/records/missing-fields.ts'
import {
  newerFields,
  newerReleaseMessage,
  type StoredShape,
  storedShape,
} from '../../core/kernel/records/stored-shape.ts'
import { compile } from '../../core/kernel/records/where.ts'
import { type Store, StoreUnavailable } from '../../core/ports/store.ts'
import { answer, find, group, list } from './answers.ts'
import { type CollectionState, candidates, sortedIds, stateOf, stateUnder } from './collection-state.ts'
import { commits, type FaultOf } from './commits.ts'

export interface MemoryOptions {
  readonly fault?: FaultOf
  /** What the store keeps its records in, for another one to be opened on once this one is closed. */
  readonly records?: MemoryRecords
}

/** Records that outlive the store that wrote them, as a file or a database would keep them. */
export type MemoryRecords = Map<string, { readonly shape: StoredShape; readonly state: CollectionState }>

export const memoryRecords = (): MemoryRecords => new Map()

/** A store that holds everything in the memory of the process: for tests, simulations and embedding. */
export const memoryStore = (
  collections: readonly AnyCollection[],
  { fault, records = memoryRecords() }: MemoryOptions = {},
): Store => {
  const table = tableOf(collections)
  const states = new Map([...table].map(([name, collection]) => [name, openedOn(records, collection)]))
  for (const [name, state] of states) records.set(name, { shape: storedShape(state.collection), state })
  let closed = false

  const kept = (name: string): CollectionState => {
    const found = states.get(name)
    if (!found) throw new Error(`no collection ${name}: the store was opened without it`)
    return found
  }
  const opened = <T>(value: T): T => {
    if (closed) throw new StoreUnavailable('the store is closed')
    return value
  }
  const state = (name: string): CollectionState => opened(kept(name))
  const commit = commits(table, kept, fault)

  return {
    collections: [...table.keys()],
    system: 'memory',
    find: async (ask) => find(state(ask.from.name), ask),
    list: async (ask) => list(state(ask.from.name), ask),
    group: async (ask) => group(state(ask.from.name), ask),
    read: async (asks) =>
      // Each answer is of its ask's own type, which a walk over the keys cannot tell the compiler.
      Object.fromEntries(Object.entries(asks).map(([key, ask]) => [key, answer(state, ask)])) as never,
    async *scan(from, where) {
      const test = compile(where)
      const fill = fillMissingFields(state(from.name).collection)
      for (const id of sortedIds(candidates(state(from.name), where))) {
        const record = state(from.name).records.get(id)
        if (record && test(record)) yield fill(record) as never
      }
    },
    commit: async (changes, hook) => opened(commit)(changes, hook),
    reserve: async (collection, count) => {
      const on = state(collection)
      const first = on.nextId
      on.nextId += count
      return first
    },
    returnIds: async (collection, next, end) => {
      const on = state(collection)
      if (on.nextId === end) on.nextId = next
    },
    close: async () => {
      closed = true
    },
  }
}

const openedOn = (records: MemoryRecords, collection: AnyCollection): CollectionState => {
  const held = records.get(collection.name)
  if (!held) return stateOf(collection)
  const newer = newerFields(held.shape, collection)
  if (newer.length > 0) throw new Error(newerReleaseMessage(collection.name, newer))
  return stateUnder(collection, held.state)
}

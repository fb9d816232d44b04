import { conditionTest } from '../../core/kernel/records/collection.ts'
import { fillMissingFields } from '../../core/kernel/records/missing-fields.ts'
import { type Rec, recordOrder } from '../../core/kernel/records/record.ts'
import {
  coveringTally,
  type GroupRow,
  groupBuckets,
  groupRecords,
  type TallyQuery,
} from '../../core/kernel/records/tally.ts'
import { compile, type Where } from '../../core/kernel/records/where.ts'
import type { Find, Group, List, Listed, Query } from '../../core/ports/store.ts'
import { type CollectionState, candidates } from './collection-state.ts'

type StateOf = (collection: string) => CollectionState

/** The answer to any ask, as the records stand now. */
export const answer = (stateOf: StateOf, ask: Query): unknown => {
  const state = stateOf(ask.from.name)
  if (ask.kind === 'find') return find(state, ask)
  return ask.kind === 'list' ? list(state, ask) : group(state, ask)
}

export const find = <R extends Rec>(state: CollectionState, { by }: Find<R>): R | null => {
  const id = 'id' in by ? by.id : keyHolder(state, by.key, by.is)
  const found = id === undefined ? undefined : (state.records.get(id) as R | undefined)
  return found ? fillMissingFields(state.collection)(found) : null
}

const keyHolder = ({ collection, keys }: CollectionState, key: string, text: string) => {
  const held = keys.get(key)
  if (!held) throw new Error(`${collection.name} has no key ${key}`)
  return held.get(text)
}

export const list = <R extends Rec>(state: CollectionState, ask: List<R>): Listed<R> => {
  const { where, when, sort, limit, offset = 0 } = ask
  const found = matching(state, where, when).sort(recordOrder(sort))
  const records = found.slice(offset, offset + limit).map(fillMissingFields(state.collection)) as R[]
  return { records, total: ask.total ? total(state, ask, found) : null }
}

const total = (
  state: CollectionState,
  { where, when }: { where: Where; when?: string },
  found: readonly Rec[],
): number => tallied(state, { where, when, by: [], sum: [] })?.[0]?.count ?? found.length

export const group = <R extends Rec>(state: CollectionState, { where, when, by, sum }: Group<R>): readonly GroupRow[] =>
  tallied(state, { where, when, by, sum }) ?? groupRecords(matching(state, where, when), by, sum)

const tallied = ({ collection, tallies }: CollectionState, ask: TallyQuery): GroupRow[] | null => {
  const index = coveringTally(collection, ask)
  const row = index === null ? undefined : collection.tallies?.[index]
  const buckets = index === null ? undefined : tallies[index]
  return row && buckets ? groupBuckets(row, buckets.values(), ask) : null
}

const matching = (state: CollectionState, where: Where, when: string | undefined): Rec[] => {
  const test = compile(where)
  const also = when === undefined ? null : conditionTest(state.collection, when)
  return Array.from(candidates(state, where)).filter((record) => test(record) && (!also || also(record)))
}

import { applyCommits, type BatchResult, type PendingCommit } from '../../../../core/kernel/records/apply-commits.ts'
import type { StoreReader } from '../../../../core/kernel/records/batch-state.ts'
import type { Id, Rec } from '../../../../core/kernel/records/record.ts'
import { bucketKey } from '../../../../core/kernel/records/tally.ts'
import { thingCollections } from '../../../fixtures/things.ts'

export const table = new Map(thingCollections.map((one) => [one.name, one]))

/**
 * A store of maps that writes exactly what the interpreter returns, and throws if that does not fit the stored records.
 */
export const plainStore = (held: { records?: Iterable<[string, Rec]>; keys?: Iterable<[string, Id]> } = {}) => {
  const records = new Map(held.records)
  const keys = new Map(held.keys)
  const tallies = new Map<string, number[]>()
  const reader: StoreReader = {
    record: (at) => records.get(at.join('/')) ?? null,
    owner: (collection, key, text) => keys.get(`${collection}/${key}/${text}`) ?? null,
  }
  const commit = (...batch: PendingCommit[]): BatchResult => {
    const applied = applyCommits(table, reader, batch)
    for (const { collection, id, before, after } of applied.writes) {
      const name = `${collection.name}/${id}`
      if (before === after || before !== (records.get(name) ?? null)) throw new Error(`wrong before of ${name}`)
      if (after) records.set(name, after)
      else records.delete(name)
    }
    for (const { collection, key, text, from, id } of applied.keys) {
      const name = `${collection}/${key}/${text}`
      const isHeld = (keys.get(name) ?? null) === from
      // A record that frees a text may never have held it.
      if (from === id || !(isHeld || id === null)) throw new Error(`${from} does not hold ${name}`)
      if (id !== null) keys.set(name, id)
      else if (isHeld) keys.delete(name)
    }
    for (const { collection, row, by, count, sums } of applied.tallies) {
      const name = `${collection.name}/${row}/${bucketKey(by)}`
      if ([count, ...sums].every((value) => value === 0)) throw new Error(`nothing is added to ${name}`)
      const bucket = tallies.get(name) ?? []
      tallies.set(
        name,
        [count, ...sums].map((value, index) => value + (bucket[index] ?? 0)),
      )
    }
    return applied
  }
  return { commit, records, keys, tallies }
}

import { applyCommits, type BatchResult, type PendingCommit } from '../../../../core/kernel/records/apply-commits.ts'
import type { StoreReader } from '../../../../core/kernel/records/batch-state.ts'
import type { Id, Rec } from '../../../../core/kernel/records/record.ts'
import { bucketKey } from '../../../../core/kernel/records/tally.ts'
import type { NaiveState, Verdict } from '../../../contracts/random/naive-store.ts'
import { thingCollections } from '../../../fixtures/things.ts'

export const table = new Map(thingCollections.map((one) => [one.name, one]))

/** A store as plain as can be: maps that are written with exactly what the interpreter says, checking each word of it. */
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

export const verdicts = ({ outcomes }: BatchResult, batch: readonly PendingCommit[]): Verdict[] =>
  outcomes.map((outcome, index) => {
    if ('error' in outcome) return 'error'
    if (!outcome.ok) return 'stale' in outcome ? { stale: outcome.stale } : { conflict: outcome.conflict }
    const taken = (batch[index]?.changes ?? []).flatMap((change) =>
      change.kind === 'insert'
        ? Object.keys(change.take ?? {}).map((field) => [
            `${change.at.join('/')} ${field}`,
            outcome.taken(change.at, field),
          ])
        : [],
    )
    return { taken: Object.fromEntries(taken) }
  })

const isCounted = (record: Rec, when: string | undefined): boolean =>
  when === undefined || (record.removedAt === null && (when === 'live' || record.active === true))

/** Keys and tallies as they must be, counted anew from all records. */
export const recounted = (state: NaiveState) => {
  const keys = new Map<string, Id>()
  const tallies = new Map<string, number[]>()
  for (const { collection: name, record } of state.values()) {
    const collection = table.get(name)
    for (const [key, textOf] of Object.entries(collection?.keys ?? {})) {
      const text = textOf(record)
      if (text !== null) keys.set(`${name}/${key}/${text}`, record.id)
    }
    for (const [row, { by, sum, when }] of (collection?.tallies ?? []).entries()) {
      if (!collection || !isCounted(record, when)) continue
      const bucket = `${name}/${row}/${JSON.stringify(by.map((field) => record[field]))}`
      const old = tallies.get(bucket) ?? [0, ...sum.map(() => 0)]
      const add = [1, ...sum.map((field) => Number(record[field] ?? 0))]
      tallies.set(
        bucket,
        old.map((value, index) => value + (add[index] ?? 0)),
      )
    }
  }
  return { keys, tallies }
}

import test from 'ava'
import { ObjectId } from 'mongodb'
import type { RequestReader } from '../../../adapters/mongodb/requests.ts'
import { findOutcome, type RecordWrite, type WritePlan } from '../../../adapters/mongodb/write-plan.ts'
import type { Id } from '../../../core/kernel/records/record.ts'

const [ours, before, others] = [new ObjectId(), new ObjectId(), new ObjectId()]
const set = { _rev: ours }
const inserted: RecordWrite = { kind: 'insert', id: 1, doc: { _id: 1, _rev: ours, _keys: {}, _when: {} } }
const updated: RecordWrite = { kind: 'update', id: 2, since: before, guard: before, set, unset: [] }
const removed: RecordWrite = { kind: 'remove', id: 3, since: before, guard: before }

const databaseWith = (revs: ReadonlyMap<Id, ObjectId>): RequestReader => ({
  find: async () => [...revs].map(([_id, _rev]) => ({ _id, _rev, _keys: {}, _when: {} })),
  aggregate: async () => [],
})

const outcomeOf = (writes: readonly RecordWrite[], ...revs: readonly (readonly [Id, ObjectId])[]) => {
  const plan: WritePlan = { rev: ours, records: [{ name: 'x', writes }], buckets: [] }
  return findOutcome(databaseWith(new Map(revs)), plan)
}

test('a plan was executed if one record has its revision', async (t) => {
  t.is(await outcomeOf([inserted, updated, removed], [1, ours], [2, ours]), 'done')
  t.is(await outcomeOf([inserted, updated, removed], [1, others], [2, ours], [3, others]), 'done')
})

test('a plan had no effect if every record has its earlier revision', async (t) => {
  t.is(await outcomeOf([inserted, updated, removed], [2, before], [3, before]), 'nothing')
  t.is(await outcomeOf([inserted]), 'nothing')
})

test('the outcome is unknown if other processes have written since', async (t) => {
  t.is(await outcomeOf([updated], [2, others]), 'unknown')
  t.is(await outcomeOf([updated]), 'unknown')
  t.is(await outcomeOf([removed]), 'unknown')
  t.is(await outcomeOf([inserted, updated], [1, others], [2, before]), 'unknown')
})

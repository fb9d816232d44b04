import test from 'ava'
import { MongoNetworkTimeoutError, ObjectId } from 'mongodb'
import { retryUnsent, timeoutFor, toStoreError, type WithTimeout } from '../../../adapters/mongodb/connection.ts'
import type { DatabaseReader } from '../../../adapters/mongodb/database.ts'
import type { RecordWrite, WritePlan } from '../../../adapters/mongodb/write-plan.ts'
import { findOutcome } from '../../../adapters/mongodb/write-plan.ts'
import type { Id } from '../../../core/kernel/records/record.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'

const [ours, before, others] = [new ObjectId(), new ObjectId(), new ObjectId()]
const set = { _rev: ours }
const inserted: RecordWrite = { kind: 'insert', id: 1, doc: { _id: 1, _rev: ours, _keys: {}, _when: {} } }
const updated: RecordWrite = { kind: 'update', id: 2, since: before, set, unset: [] }
const removed: RecordWrite = { kind: 'remove', id: 3, since: before }

/** A database in which each of these records was last written by that one. */
const holding = (revs: ReadonlyMap<Id, ObjectId>): DatabaseReader => ({
  find: async () => [...revs].map(([_id, _rev]) => ({ _id, _rev, _keys: {}, _when: {} })),
  aggregate: async () => [],
})

const became = (writes: readonly RecordWrite[], ...revs: readonly (readonly [Id, ObjectId])[]) => {
  const plan: WritePlan = { rev: ours, records: [{ name: 'x', writes }], buckets: [] }
  return findOutcome(holding(new Map(revs)), plan)
}

test('one record that carries our mark tells that all was written, whatever became of the others', async (t) => {
  t.is(await became([inserted, updated, removed], [1, ours], [2, ours]), 'done')
  t.is(await became([inserted, updated, removed], [1, others], [2, ours], [3, others]), 'done')
})

test('nothing was written where every record is as it was', async (t) => {
  t.is(await became([inserted, updated, removed], [2, before], [3, before]), 'nothing')
  t.is(await became([inserted]), 'nothing')
})

test('where others have written since, nobody knows', async (t) => {
  t.is(await became([updated], [2, others]), 'unknown')
  t.is(await became([updated]), 'unknown')
  t.is(await became([removed]), 'unknown')
  t.is(await became([inserted, updated], [1, others], [2, before]), 'unknown')
})

const hasty: WithTimeout = timeoutFor({ options: { serverSelectionTimeoutMS: 5, socketTimeoutMS: 5 } } as never)
const gone = (): Promise<never> => Promise.reject(Object.assign(new Error('ended'), { code: 'EPIPE' }))

test('a driver that never answers is not waited for', async (t) => {
  const error = await t.throwsAsync(
    hasty(() => new Promise(() => {})),
    { instanceOf: MongoNetworkTimeoutError },
  )
  t.true(toStoreError(error) instanceof StoreUnavailable)
})

test('a question that was never sent is asked once more, a write is not', async (t) => {
  let asked = 0
  const second = () => {
    asked += 1
    return asked === 1 ? gone() : Promise.resolve('answer')
  }
  t.is(await retryUnsent(hasty, second), 'answer')
  t.true(toStoreError(await t.throwsAsync(retryUnsent(hasty, gone))) instanceof StoreUnavailable)
  asked = 0
  await t.throwsAsync(hasty(second))
  t.is(asked, 1)
})

test("a programmer's error stays what it is", (t) => {
  const error = new RangeError('wrong')
  t.is(toStoreError(error), error)
})

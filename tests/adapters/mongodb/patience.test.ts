import test from 'ava'
import { commitDeadline } from '../../../adapters/mongodb/transactions.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'

/** A batch that begins at 0, and the time that it has come to. */
const waiting = () => {
  const stopping = new AbortController()
  let now = 0
  const patience = commitDeadline(stopping.signal, () => now)
  const at = (ms: number): boolean => {
    now = ms
    return patience.isOver()
  }
  return { stopping, patience, at }
}

test('a commit waits for 10 s, and for 4 s once its process was told to stop', (t) => {
  const { stopping, at } = waiting()
  t.deepEqual([0, 3_999, 9_999, 10_000].map(at), [false, false, false, true])
  stopping.abort()
  t.deepEqual([0, 3_999, 4_000, 9_999].map(at), [false, false, true, true])
})

test('a write that the server keeps waiting is given up in the same time: nobody knows what becomes of it', async (t) => {
  const { stopping, patience, at } = waiting()
  at(9_000)
  const late = patience.within(new Promise(() => {}))
  stopping.abort()
  await t.throwsAsync(late, { instanceOf: StoreUnavailable, message: /outcome of the commit is unknown/ })
})

test('what comes in time is what came', async (t) => {
  const { patience } = waiting()
  t.is(await patience.within(Promise.resolve('done')), 'done')
  await t.throwsAsync(patience.within(Promise.reject(new RangeError('wrong'))), { instanceOf: RangeError })
})

import test from 'ava'
import type { QueueRow, Skipped } from '../../../../core/kernel/running/queue.ts'
import { addSeconds } from '../../../../core/kernel/values/day.ts'
import {
  addTasks,
  allTasks,
  deferred,
  START,
  stillClock,
  storeOf,
  type Task,
  taskQueue,
  taskStore,
  turn,
  until,
  workerOf,
} from './tasks.ts'

const row = { owner: 'owner', atOnce: 32 } as const

test('a thousand hanging records of one owner do not delay those of another', async (t) => {
  const store = taskStore()
  const { clock } = stillClock()
  await addTasks(store, 1_000, { owner: 'a', dueAt: addSeconds(START, -60) })
  const hanging = deferred()
  const begun: string[] = []
  const does = async ({ owner }: Task) => {
    begun.push(owner)
    if (owner === 'a') await hanging.promise
  }
  const background = workerOf(store, does, { row: row, clock })
  void background.run()
  await until(() => begun.length === 16)
  for (let turns = 0; turns < 50; turns += 1) await turn()
  t.is(begun.length, 16, 'half of the places at most')
  await addTasks(store, 1, { owner: 'b' }, 1_001)
  background.nudge()
  await until(() => begun.includes('b'))
  t.is(begun.length, 17)
  hanging.resolve()
  await until(() => begun.length === 1_001)
  await background.stop()
})

test('no owner gets far ahead of the others, however long its records have been due', async (t) => {
  const store = await storeOf(400, { owner: 'a', dueAt: addSeconds(START, -60) })
  await addTasks(store, 20, { owner: 'b', dueAt: addSeconds(START, -30) }, 401)
  await addTasks(store, 20, { owner: 'c' }, 421)
  const order: string[] = []
  const does = async ({ owner }: Task) => {
    order.push(owner)
    await turn()
  }
  const background = workerOf(store, does, { row: row, clock: stillClock().clock })
  void background.run()
  await until(() => order.length === 440)
  await background.stop()
  for (const owner of ['b', 'c']) t.true(order.lastIndexOf(owner) < 200, `${owner}: ${order.lastIndexOf(owner)}`)
})

test('all records of a lone owner are processed, also in a queue of one place', async (t) => {
  for (const atOnce of [1, 2, 8, 32]) {
    const store = taskStore()
    await addTasks(store, 100)
    t.is(await workerOf(store, () => {}, { row: { ...row, atOnce } }).drain(), 100)
  }
})

test('the skipped hosts and owners stay few, however many records wait', async (t) => {
  const store = taskStore()
  for (let owner = 0; owner < 100; owner += 1) await addTasks(store, 10, { owner: `o${owner}` }, 1 + owner * 10)
  const queue = taskQueue(store, turn, row)
  let most = 0
  const due: typeof queue.due = (from, now, limit, passed?: Skipped) => {
    most = Math.max(most, passed?.owners.length ?? 0)
    return queue.due(from, now, limit, passed)
  }
  t.is(await workerOf(store, { ...queue, due }).drain(), 1_000)
  t.true(most <= 8, `${most}`)
})

/** Processes records of a lone owner; counts the queries, those that skip the owner, and the records that they read. */
const countQueries = async (records: number, host: Pick<QueueRow<Task>, 'host'> = {}) => {
  const store = await storeOf(records)
  const queue = taskQueue(store, turn, { ...row, ...host })
  const counts = { looks: 0, passes: 0, read: 0 }
  const due: typeof queue.due = async (from, now, limit, passed?: Skipped) => {
    counts.looks += 1
    if (passed && passed.owners.length > 0) counts.passes += 1
    const found = await queue.due(from, now, limit, passed)
    counts.read += found.length
    return found
  }
  const background = workerOf(store, { ...queue, due }, { clock: stillClock().clock })
  void background.run()
  while ((await allTasks(store)).some(({ dueAt }) => dueAt !== null)) await turn()
  await background.stop()
  return counts
}

test('a lone owner costs one query a record and is rarely skipped', async (t) => {
  const { looks, passes } = await countQueries(500)
  t.true(looks <= 520 && passes <= 2, `${looks} ${passes}`)
})

test('a place that becomes free costs no query if no record waits for it', async (t) => {
  t.is((await countQueries(3)).looks, 1)
})

test('the waiting records of a lone host are seldom read again', async (t) => {
  const { read } = await countQueries(200, { host: 'host' })
  t.true(read <= 200 * 4, `${read}`)
})

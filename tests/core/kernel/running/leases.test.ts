import test from 'ava'
import { queueOf } from '../../../../core/kernel/running/queue.ts'
import type { WorkerParts } from '../../../../core/kernel/running/worker.ts'
import { addSeconds } from '../../../../core/kernel/values/day.ts'
import { StoreUnavailable } from '../../../../core/ports/store.ts'
import { columns } from '../../payments/world.ts'
import {
  addTasks,
  allTasks,
  beforeCommits,
  deferred,
  LEASE_SECONDS,
  START,
  stillClock,
  storeOf,
  type Task,
  taskOf,
  taskQueue,
  taskStore,
  tasks,
  turn,
  until,
  workerOf,
} from './tasks.ts'

const LATER = addSeconds(START, LEASE_SECONDS - 1)

/** A task that is claimed at once, and what its work gets. */
const claimed = async () => {
  const store = await storeOf(1)
  let renew: ((now: string, set?: object) => Promise<Task | null>) | null = null
  const queue = queueOf<Task>({
    collection: tasks,
    leaseSeconds: LEASE_SECONDS,
    atOnce: 1,
    handle: async (_task, _report, lease) => {
      renew = lease.renew
    },
  })
  const [waiting] = await queue.due(store, START, 1)
  const work = await waiting?.claim(store, START)
  await work?.(() => {})
  const again = async (now: string, set?: object) => renew?.(now, set) ?? null
  const { due } = queue
  return { store, waiting, again, due: (now: string) => due(store, now, 1) }
}

test('a renewed lease protects the record for another lease', async (t) => {
  const { store, again, due } = await claimed()
  t.like(await again(LATER), { dueAt: addSeconds(LATER, LEASE_SECONDS), attempts: 1 })
  t.like(await taskOf(store, 1), { dueAt: addSeconds(LATER, LEASE_SECONDS), attempts: 1 })
  t.is((await due(addSeconds(START, LEASE_SECONDS + 5))).length, 0)
  t.is((await due(addSeconds(LATER, LEASE_SECONDS))).length, 1)
})

test('an expired lease that another process took is not renewed', async (t) => {
  const { store, again, due } = await claimed()
  const after = addSeconds(START, LEASE_SECONDS)
  const [other] = await due(after)
  await other?.claim(store, after)
  t.is(await again(addSeconds(after, 1)), null)
  t.like(await taskOf(store, 1), { dueAt: addSeconds(after, LEASE_SECONDS), attempts: 2 })
})

test('a released record is as before its claim, and its lease cannot be renewed', async (t) => {
  const { store, waiting, again } = await claimed()
  await again(LATER)
  await waiting?.release(store)
  t.like(await taskOf(store, 1), { dueAt: START, attempts: 0 })
  t.is(await again(LATER), null)
  t.like(await taskOf(store, 1), { dueAt: START, attempts: 0 })
})

test('claimed records are released: due as before, without the attempt, and free at once', async (t) => {
  const store = taskStore()
  const dueAt = addSeconds(START, -7)
  await addTasks(store, 3, { dueAt })
  const { clock } = stillClock()
  const hands = [deferred(), deferred(), deferred()]
  const begun: number[] = []
  const does = async ({ id }: Task) => {
    begun.push(id)
    await hands[id - 1]?.promise
  }
  const background = workerOf(store, does, { clock })
  const running = background.run()
  await until(() => begun.length === 3)
  hands[0]?.resolve()
  const stopped = background.stop()
  await turn()
  t.like(await taskOf(store, 2), { dueAt: addSeconds(START, LEASE_SECONDS), attempts: 1 })
  await background.release()
  await Promise.all([stopped, running])
  t.like(await taskOf(store, 1), { dueAt: null, attempts: 1, doneBy: 'worker' })
  for (const id of [2, 3]) t.like(await taskOf(store, id), { dueAt, attempts: 0, doneBy: null })

  const next = workerOf(store, () => {}, { row: { by: 'other' } })
  t.is(await next.drain(), 2)
  for (const { resolve } of hands) resolve()
  await turn()
  t.deepEqual(columns(await allTasks(store), 'doneBy', 'attempts'), [
    ['worker', 1],
    ['other', 1],
    ['other', 1],
  ])
})

test('the outcome of a released record neither counts nor is reported', async (t) => {
  const store = await storeOf(2)
  const { clock } = stillClock()
  const hand = deferred()
  const endings: [number | string, string][] = []
  const does = async ({ id }: Task) => {
    await hand.promise
    if (id === 1) throw new Error('cut off')
  }
  const background = workerOf(store, does, {
    clock,
    ended: (queue, id, ending) => void (queue === 'test.tasks' && endings.push([id, ending])),
  })
  void background.run()
  while ((await allTasks(store)).some(({ attempts }) => attempts === 0)) await turn()
  const stopped = background.stop()
  await background.release()
  await stopped
  hand.resolve()
  await turn()
  t.deepEqual(columns(await allTasks(store), 'dueAt', 'attempts', 'doneBy'), [
    [START, 0, null],
    [START, 0, null],
  ])
  t.deepEqual(endings, [
    [1, 'released'],
    [2, 'released'],
  ])
})

test('a claim in progress during the release is released too', async (t) => {
  const plain = await storeOf(1)
  const { clock } = stillClock()
  const line = deferred()
  let claims = 0
  const store = beforeCommits(plain, () => {
    claims += 1
    return claims === 1 ? line.promise : null
  })
  const done: number[] = []
  const background = workerOf(store, ({ id }) => void done.push(id), { clock })
  const running = background.run()
  await until(() => claims === 1)
  const stopped = background.stop()
  await background.release()
  line.resolve()
  await Promise.all([stopped, running])
  t.deepEqual(done, [])
  t.like(await taskOf(plain, 1), { dueAt: START, attempts: 0 })
})

test('an unavailable store does not prevent a stop: the leases expire', async (t) => {
  const plain = await storeOf(1)
  const { clock } = stillClock()
  let isDown = false
  const store = beforeCommits(plain, () => {
    if (isDown) throw new StoreUnavailable('down')
  })
  let begun = 0
  const does = (): Promise<void> => {
    begun += 1
    return new Promise(() => {})
  }
  const background = workerOf(store, does, { clock })
  void background.run()
  await until(() => begun === 1)
  isDown = true
  const stopped = background.stop()
  await background.release()
  await stopped
  t.like(await taskOf(plain, 1), { dueAt: addSeconds(START, LEASE_SECONDS), attempts: 1 })
})

test('the end of every claimed record is reported once', async (t) => {
  const store = await storeOf(3)
  const endings: string[] = []
  const queue = taskQueue(store, ({ id }) => {
    if (id === 2) throw new Error('no')
  })
  const ended: WorkerParts['ended'] = (name, id, ending) => void endings.push(`${name}/${id} ${ending}`)
  await workerOf(store, queue, { report: () => {}, ended }).drain()
  t.deepEqual(endings.sort(), ['test.tasks/1 done', 'test.tasks/2 failed', 'test.tasks/3 done'])
})

test('a backlog counts due, unclaimed records and the age of the oldest', async (t) => {
  const store = taskStore()
  const background = workerOf(store)
  t.deepEqual(await background.backlogs(), [{ queue: 'test.tasks', due: 0, oldestSeconds: 0 }])
  await addTasks(store, 30, { dueAt: addSeconds(START, -5) })
  await addTasks(store, 1, { dueAt: addSeconds(START, -90) }, 31)
  await addTasks(store, 9, { dueAt: addSeconds(START, 1) }, 32)
  await addTasks(store, 4, { dueAt: null }, 50)
  t.deepEqual(await background.backlogs(), [{ queue: 'test.tasks', due: 31, oldestSeconds: 90 }])
  await background.drain()
  t.deepEqual(await background.backlogs(), [{ queue: 'test.tasks', due: 0, oldestSeconds: 0 }])
})

test('a second release of a record does not subtract a second attempt', async (t) => {
  const plain = await storeOf(1)
  const { clock } = stillClock()
  const line = deferred()
  let commits = 0
  const store: typeof plain = {
    ...plain,
    commit: async (...args) => {
      commits += 1
      const outcome = await plain.commit(...args)
      // The first release reports only after the second.
      if (commits === 2) await line.promise
      return outcome
    },
  }
  const hand = deferred()
  const background = workerOf(store, () => hand.promise, { clock })
  const running = background.run()
  await until(() => commits === 1)
  await turn()
  const stopped = background.stop()
  const first = background.release()
  const second = background.release()
  await turn()
  line.resolve()
  await Promise.all([first, second, stopped, running])
  t.like(await taskOf(plain, 1), { dueAt: START, attempts: 0 })
})

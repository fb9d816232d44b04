import test from 'ava'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { always, eq, gt, insert, not, patch } from '../../../../core/kernel/records/record.ts'
import { MAX_PER_HOST } from '../../../../core/kernel/running/concurrency.ts'
import { applyOutcome } from '../../../../core/kernel/running/queue.ts'
import { withNudges, worker } from '../../../../core/kernel/running/worker.ts'
import { addSeconds } from '../../../../core/kernel/values/day.ts'
import { type Store, StoreUnavailable } from '../../../../core/ports/store.ts'
import {
  addTasks,
  allTasks,
  beforeCommits,
  deferred,
  failing,
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

const idleQueue = (store: Store) => taskQueue(store, () => {})

test('drain processes due records only, longest due first', async (t) => {
  const store = await storeOf(1, { dueAt: addSeconds(START, -1) }, 1)
  await addTasks(store, 1, { dueAt: addSeconds(START, -9) }, 2)
  await addTasks(store, 1, { dueAt: START }, 3)
  await addTasks(store, 1, { dueAt: addSeconds(START, 0.001) }, 4)
  await addTasks(store, 1, { dueAt: null }, 5)
  const done: number[] = []
  const queue = taskQueue(store, ({ id }) => void done.push(id))
  const { drain } = workerOf(store, queue)
  t.is(await drain(), 3)
  t.deepEqual(done, [2, 1, 3])
  t.is(await drain(), 0)
})

test('drain also processes the records that it creates in other queues', async (t) => {
  const store = await storeOf(1)
  const queue = taskQueue(store, ({ id }) => (id < 4 ? addTasks(store, 1, {}, id + 1) : undefined))
  const { drain } = workerOf(store, queue)
  t.is(await drain(), 4)
})

test('a record is claimed before it is processed: lease and attempt are stored', async (t) => {
  const store = await storeOf(1)
  const seen: Task[] = []
  const queue = taskQueue(store, async (claimed) => {
    t.deepEqual(await taskOf(store, 1), claimed)
    seen.push(claimed)
  })
  await workerOf(store, queue).drain()
  t.like(seen, [{ dueAt: addSeconds(START, LEASE_SECONDS), attempts: 1 }])
  t.like(await taskOf(store, 1), { dueAt: null, attempts: 1, doneBy: 'worker' })
})

test('due times use the steady time and leases the clock, so that a lease never ends early', async (t) => {
  const store = taskStore()
  const clock = setClock(START)
  await addTasks(store, 1, { dueAt: START }, 1)
  await addTasks(store, 1, { dueAt: addSeconds(START, 3_600) }, 2)
  const leases: (string | null)[] = []
  const queue = taskQueue(store, ({ dueAt }) => void leases.push(dueAt))
  const { drain, backlogs } = workerOf(store, queue, { clock })
  clock.jump(86_400)
  t.like(await backlogs(), [{ due: 1, oldestSeconds: 0 }])
  t.is(await drain(), 1)
  t.deepEqual(leases, [addSeconds(START, 86_400 + LEASE_SECONDS)])
  t.like(await taskOf(store, 2), { attempts: 0 })
  clock.jump(-86_400)
  clock.advance(3_600)
  t.is(await drain(), 1)
})
test('a failure while the clock is days ahead is retried after one lease', async (t) => {
  const store = taskStore()
  const clock = setClock(START)
  await addTasks(store, 1)
  let tries = 0
  const queue = taskQueue(store, () => {
    tries += 1
    if (tries === 1) throw new Error('not yet')
  })
  const { drain } = workerOf(store, queue, { clock, report: () => {} })
  clock.jump(86_400)
  await drain()
  t.like(await taskOf(store, 1), { dueAt: addSeconds(START, LEASE_SECONDS), attempts: 1 })
  clock.jump(-86_400)
  clock.advance(LEASE_SECONDS)
  await drain()
  t.like(await taskOf(store, 1), { dueAt: null, attempts: 2, doneBy: 'worker' })
})

test('two workers on one store share the records and process each once', async (t) => {
  const store = await storeOf(500)
  const done: number[] = []
  const workers = ['one', 'two'].map((by) => {
    const does = async ({ id }: Task) => {
      done.push(id)
      await turn()
    }
    return workerOf(store, does, { row: { by, atOnce: 10 } })
  })
  const counts = await Promise.all(workers.map(({ drain }) => drain()))
  t.is(
    counts.reduce((sum, count) => sum + count, 0),
    500,
  )
  t.is(new Set(done).size, 500)
  t.is(done.length, 500)
  const by = (await allTasks(store)).map(({ doneBy }) => doneBy)
  t.true(by.includes('one') && by.includes('two'))
})

test('failed work is reported and repeated after the lease', async (t) => {
  const store = await storeOf(2)
  const clock = setClock(START)
  const reports: [unknown, string][] = []
  const broken = new Error('no')
  const queue = taskQueue(store, ({ id, attempts }) => {
    if (id === 1 && attempts < 3) throw broken
  })
  const { drain } = workerOf(store, queue, { clock, report: (error, at) => void reports.push([error, at]) })
  t.is(await drain(), 2)
  t.deepEqual(reports, [[broken, 'test.tasks/1']])
  t.is((await taskOf(store, 2)).doneBy, 'worker')
  clock.advance(LEASE_SECONDS - 0.001)
  t.is(await drain(), 0)
  clock.advance(0.001)
  t.is(await drain(), 1)
  clock.advance(LEASE_SECONDS)
  t.is(await drain(), 1)
  t.is(reports.length, 2)
  t.like(await taskOf(store, 1), { attempts: 3, doneBy: 'worker', dueAt: null })
})

test('a failed claim is reported and postponed for one lease, so that it hides no later record', async (t) => {
  const plain = await storeOf(50)
  await addTasks(plain, 1, { dueAt: addSeconds(START, 0.001) }, 51)
  const clock = setClock(addSeconds(START, 1))
  let isWell = false
  const store = beforeCommits(plain, (changes) => {
    if (!isWell && changes.some(({ at }) => Number(at[1]) <= 50)) throw new Error('unreadable')
  })
  const reports: string[] = []
  const { drain } = workerOf(store, idleQueue(plain), { clock, report: (_, at) => void reports.push(at) })
  t.is(await drain(), 1)
  t.is((await taskOf(plain, 51)).doneBy, 'worker')
  const all = Array.from({ length: 50 }, (_, index) => `test.tasks/${index + 1}`)
  t.deepEqual(reports.toSorted(), all.toSorted())
  clock.advance(LEASE_SECONDS - 0.001)
  await drain()
  t.is(reports.length, 50, 'not at every look')
  clock.advance(0.001)
  isWell = true
  t.is(await drain(), 50)
  t.true((await allTasks(plain)).every(({ doneBy, attempts }) => doneBy === 'worker' && attempts === 1))
})

test('a partial failure is reported, and the rest of the work is done', async (t) => {
  const store = await storeOf(1)
  const reports: string[] = []
  const queue = taskQueue(store, () => {}, {
    handle: async (claimed, report) => {
      report(new Error('no'), 'test.parts/7')
      await applyOutcome(store, tasks, claimed, { dueAt: null, doneBy: 'worker' })
    },
  })
  const endings: string[] = []
  const background = workerOf(store, queue, {
    report: (_, at) => void reports.push(at),
    ended: (_, id, ending) => void endings.push(`${id} ${ending}`),
  })
  t.is(await background.drain(), 1)
  t.deepEqual([reports, endings], [['test.parts/7'], ['1 done']])
})

test('work that outlasts its lease is repeated elsewhere, and only that outcome counts', async (t) => {
  const store = await storeOf(1)
  const clock = setClock(START)
  const slow = deferred()
  const outcomes: boolean[] = []
  const by = (name: string, does: () => Promise<void>) => {
    const handle = async (claimed: Task) => {
      await does()
      outcomes.push(await applyOutcome(store, tasks, claimed, { dueAt: null, doneBy: name }))
    }
    return workerOf(store, () => {}, { row: { handle }, clock })
  }
  const first = by('slow', () => slow.promise).drain()
  await turn()
  clock.advance(LEASE_SECONDS)
  t.is(await by('other', async () => {}).drain(), 1)
  slow.resolve()
  await first
  t.deepEqual(outcomes, [true, false])
  t.like(await taskOf(store, 1), { doneBy: 'other', attempts: 2 })
})

test('a queue never exceeds its limit of records at once', async (t) => {
  const store = await storeOf(60)
  let [now, most] = [0, 0]
  const does = async () => {
    now += 1
    most = Math.max(most, now)
    await turn()
    now -= 1
  }
  t.is(await workerOf(store, does, { row: { atOnce: 7 } }).drain(), 60)
  t.is(most, 7)
})

test('a slow host gets four calls at once and delays no other host', async (t) => {
  const store = taskStore()
  const { clock } = stillClock()
  await addTasks(store, 100, { host: 'slow', dueAt: addSeconds(START, -60) })
  await addTasks(store, 30, { host: 'quick' }, 101)
  const hanging = deferred()
  const calls = { slow: 0, quick: 0, mostQuick: 0, quickNow: 0 }
  const does = async ({ host }: Task) => {
    if (host === 'slow') {
      calls.slow += 1
      return hanging.promise
    }
    calls.quick += 1
    calls.quickNow += 1
    calls.mostQuick = Math.max(calls.mostQuick, calls.quickNow)
    await turn()
    calls.quickNow -= 1
  }
  const background = workerOf(store, does, { row: { host: 'host', atOnce: 20 }, clock })
  void background.run()
  await until(() => calls.quick === 30)
  t.is(calls.slow, MAX_PER_HOST)
  t.is(calls.mostQuick, MAX_PER_HOST)
  hanging.resolve()
  await until(() => calls.slow === 100)
  await background.stop()
  t.true((await allTasks(store)).every(({ attempts }) => attempts === 1))
})

test('a queue claims only records that its process can handle', async (t) => {
  const store = await storeOf(40)
  t.is(await workerOf(store, () => {}, { row: { only: gt('id', 37) } }).drain(), 3)
})

test('a long backlog of one queue does not starve another', async (t) => {
  const store = await storeOf(500)
  await addTasks(store, 1, {}, 1_000)
  let done = 0
  let doneBeforeOther: number | null = null
  const count = () => {
    done += 1
  }
  const compare = () => {
    doneBeforeOther = done
  }
  const long = taskQueue(store, count, { only: not(eq('id', 1_000)) })
  const other = taskQueue(store, compare, { only: eq('id', 1_000) })
  const { clock } = stillClock()
  const background = worker({ runtime: { store, clock }, queues: [long, other], report: failing })
  void background.run()
  await until(() => done === 500 && doneBeforeOther !== null)
  t.true((doneBeforeOther ?? 500) < 100, `${doneBeforeOther}`)
  await background.stop()
})

test('run polls at once, every second, and after each nudge', async (t) => {
  const store = await storeOf(1)
  const { clock, waits } = stillClock()
  const done: number[] = []
  const background = workerOf(store, ({ id }) => void done.push(id), { clock })
  const running = background.run()
  await until(() => done.length === 1)

  await addTasks(store, 1, {}, 2)
  await turn()
  t.deepEqual(done, [1])
  const millisecondses = waits.map(({ milliseconds }) => milliseconds)
  t.deepEqual(millisecondses, [1000])
  waits[0]?.end()
  await until(() => done.length === 2)

  await addTasks(store, 1, {}, 3)
  background.nudge('test.others')
  await turn()
  t.deepEqual(done, [1, 2])
  background.nudge('test.tasks')
  await until(() => done.length === 3)
  await addTasks(store, 1, {}, 4)
  background.nudge()
  await until(() => done.length === 4)
  t.is(waits.length, 2, 'one wait at a time, however often it is nudged')
  await background.stop()
  await running
  t.deepEqual(done, [1, 2, 3, 4])
})

test('stop starts no more records and waits for claimed ones, not for the clock', async (t) => {
  const store = await storeOf(3)
  const { clock } = stillClock()
  const hands = [deferred(), deferred(), deferred()]
  let begun = 0
  const does = async () => {
    begun += 1
    await hands[begun - 1]?.promise
  }
  const background = workerOf(store, does, { row: { atOnce: 2 }, clock })
  void background.run()
  await until(() => begun === 2)
  let isStopped = false
  const stopped = background.stop().then(() => {
    isStopped = true
  })
  hands[0]?.resolve()
  await turn()
  t.false(isStopped)
  hands[1]?.resolve()
  await stopped
  t.is(begun, 2)
  const doneBies = (await allTasks(store)).map(({ doneBy }) => doneBy)
  t.deepEqual(doneBies, ['worker', 'worker', null])
  background.nudge()
  t.is(await background.drain(), 0)
})

test('a worker stopped before its start does not run', async (t) => {
  const store = await storeOf(1)
  const { clock, waits } = stillClock()
  const background = workerOf(store, idleQueue(store), { clock })
  await background.stop()
  await background.run()
  t.is(waits.length, 0)
  t.is((await taskOf(store, 1)).attempts, 0)
})

test('an unavailable store is polled again silently; any other error is reported', async (t) => {
  const store = await storeOf(1)
  const { clock, waits } = stillClock()
  const state = { isDown: true, isBroken: false }
  const bug = new Error('bug')
  const list: Store['list'] = (ask) => (state.isDown ? Promise.reject(new StoreUnavailable('down')) : store.list(ask))
  const runtime = { store: { ...store, list }, clock }
  const reports: unknown[] = []
  const queue = idleQueue(store)
  const due: typeof queue.due = (...ask) => (state.isBroken ? Promise.reject(bug) : queue.due(...ask))
  const report = (error: unknown, at: string) => void reports.push([error, at])
  const background = worker({ runtime, queues: [{ ...queue, due }], report })
  void background.run()
  await until(() => waits.length === 1)
  await turn()
  t.deepEqual(reports, [])
  state.isBroken = true
  waits[0]?.end()
  await until(() => reports.length === 1)
  t.deepEqual(reports, [[bug, 'test.tasks']])
  state.isBroken = false
  state.isDown = false
  await until(() => waits.length === 2)
  waits[1]?.end()
  for (let turns = 0; turns < 100 && (await taskOf(store, 1)).doneBy === null; turns += 1) await turn()
  t.is((await taskOf(store, 1)).doneBy, 'worker')
  await background.stop()
})

test('drain rejects if the store is unavailable, and frees its places', async (t) => {
  const store = await storeOf(30)
  let isDown = true
  const failingStore = beforeCommits(store, () => {
    if (isDown) throw new StoreUnavailable('down')
  })
  const background = workerOf(
    failingStore,
    taskQueue(store, () => {}, { atOnce: 3, host: 'host' }),
  )
  await t.throwsAsync(background.drain(), { instanceOf: StoreUnavailable })
  isDown = false
  t.is(await background.drain(), 30)
})

test('a commit with due records nudges the worker for their collection only', async (t) => {
  const nudges: (string | undefined)[] = []
  const plain = taskStore()
  const store = withNudges(plain, setClock(START), { nudge: (name) => void nudges.push(name) })
  const task: Task = { id: 1, host: 'a', owner: 'a', dueAt: START, attempts: 0, doneBy: null }
  t.true((await store.commit([insert(tasks, task), insert(tasks, { ...task, id: 2 })])).ok)
  t.deepEqual(nudges, ['test.tasks'])
  t.false((await store.commit([insert(tasks, task)])).ok)
  t.true((await store.commit([insert(tasks, { ...task, id: 3, dueAt: null })])).ok)
  t.true((await store.commit([patch(tasks, 1, { set: { dueAt: null }, when: always })])).ok)
  t.true((await store.commit([patch(tasks, 2, { set: { doneBy: 'x' }, when: always })])).ok)
  t.true((await store.commit([patch(tasks, 2, { set: { dueAt: addSeconds(START, 1) }, when: always })])).ok)
  t.is(nudges.length, 1)
  t.true((await store.commit([patch(tasks, 3, { set: { dueAt: START }, when: always })])).ok)
  t.deepEqual(nudges, ['test.tasks', 'test.tasks'])
  t.is((await taskOf(store, 3)).dueAt, START)
})

test('a worker nudged by its store processes committed work at once', async (t) => {
  const { clock } = stillClock()
  const plain = taskStore()
  const done: number[] = []
  const background = workerOf(plain, ({ id }) => void done.push(id), { clock })
  const store = withNudges(plain, clock, background)
  void background.run()
  await turn()
  await addTasks(store, 5)
  await until(() => done.length === 5)
  await background.stop()
  t.deepEqual(done, [1, 2, 3, 4, 5])
})

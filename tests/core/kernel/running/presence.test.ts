import test from 'ava'
import { seededRandom } from '../../../../adapters/crypto/random.ts'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { always } from '../../../../core/kernel/records/record.ts'
import { idPool } from '../../../../core/kernel/running/ids.ts'
import { presenceOf, processCollection } from '../../../../core/kernel/running/presence.ts'
import { freshOf, leaseEnd, processOf } from '../../../../core/kernel/running/use-case.ts'
import { worker } from '../../../../core/kernel/running/worker.ts'
import { addSeconds } from '../../../../core/kernel/values/day.ts'
import type { Clock } from '../../../../core/ports/runtime.ts'
import { listOf, type Store } from '../../../../core/ports/store.ts'
import { addTasks, deferred, failing, LEASE_SECONDS, START, taskOf, taskQueue, tasks, turn } from './tasks.ts'

const processes = processCollection('test.processes')

/** The time of the machines, which passes for each process that is awake. */
const machines = () => {
  let seconds = 0
  const waits: { readonly end: () => void; readonly isAwake: () => boolean; readonly at: number }[] = []
  const steady = () => addSeconds(START, seconds)
  const clockOf = (isAwake: () => boolean, aheadSeconds: number): Clock => ({
    now: () => addSeconds(steady(), aheadSeconds),
    steady: () => addSeconds(steady(), aheadSeconds),
    wait: (milliseconds) => new Promise((end) => waits.push({ end, isAwake, at: seconds + milliseconds / 1_000 })),
  })
  const pass = async (count: number): Promise<void> => {
    for (let each = 0; each < count; each += 1) {
      seconds += 1
      const over = waits.filter(({ at, isAwake }) => at <= seconds && isAwake())
      for (const wait of over) waits.splice(waits.indexOf(wait), 1)
      for (const { end } of over) end()
      for (let turns = 0; turns < 20; turns += 1) await turn()
    }
  }
  return { clockOf, pass }
}

const open = () => {
  const store = memoryStore([tasks, processes])
  const { clockOf, pass } = machines()
  const start = (name: string, does: () => Promise<void> | void, aheadSeconds = 0) => {
    let isAwake = true
    const clock = clockOf(() => isAwake, aheadSeconds)
    const runtime = { store, clock, random: seededRandom(name.length), ids: idPool(store) }
    const queues = [taskQueue(store, does, { by: name })]
    const released = () => working.nudge()
    const presence = presenceOf(runtime, processes, { queues, report: failing, released })
    const working = worker({ runtime, queues, report: failing, presence })
    void working.run()
    return {
      ...working,
      runtime: { ...runtime, presence },
      set: (awake: boolean) => {
        isAwake = awake
      },
    }
  }
  return { store, start, pass }
}

const living = async (store: Store): Promise<number> =>
  (await store.list(listOf(processes, { where: always, limit: 99 }))).records.length

for (const aheadSeconds of [0, 20, -50])
  test(`records of a dead process are taken over within 15 s, with a clock that is ${aheadSeconds} s ahead`, async (t) => {
    const { store, start, pass } = open()
    await addTasks(store, 1, { dueAt: addSeconds(START, -60) })
    const hand = deferred()
    const first = start('first', () => hand.promise)
    await pass(1)
    const lease = (await taskOf(store, 1)).dueAt ?? ''
    t.is(addSeconds(lease, 0), addSeconds(START, 1 + LEASE_SECONDS))
    t.not(processOf(lease), null)
    const second = start('second', () => {}, aheadSeconds)
    // As long as it lives it keeps what it has, however long that takes.
    await pass(20)
    t.is((await taskOf(store, 1)).dueAt, lease)
    first.set(false)
    await pass(14)
    t.like(await taskOf(store, 1), { dueAt: null, attempts: 2, doneBy: 'second' })
    t.is(await living(store), 1)
    // Its late outcome changes nothing, and what it takes from then on is marked as another process's.
    first.set(true)
    hand.resolve()
    await pass(3)
    t.like(await taskOf(store, 1), { dueAt: null, doneBy: 'second' })
    t.is(await living(store), 2)
    await Promise.all([first.stop(), second.stop()])
    t.is(await living(store), 0)
  })

test('an observer that was suspended ends no lease of a living process', async (t) => {
  const { store, start, pass } = open()
  await addTasks(store, 1)
  const hand = deferred()
  const [first, second] = [start('first', () => hand.promise), start('second', () => {})]
  await pass(3)
  const lease = (await taskOf(store, 1)).dueAt
  for (const each of [first, second]) each.set(false)
  await pass(40)
  for (const each of [second, first]) each.set(true)
  await pass(6)
  t.is((await taskOf(store, 1)).dueAt, lease)
  hand.resolve()
})

test("a request's lease is marked only while its process runs a worker", async (t) => {
  const { start, pass } = open()
  const { runtime, stop } = start('first', () => {})
  await pass(1)
  const marked = leaseEnd(freshOf(runtime).fresh, 60)
  t.not(processOf(marked), null)
  // It sorts, and is read, as the same instant.
  t.is(new Date(marked).toISOString(), addSeconds(runtime.clock.now(), 60))
  t.true(marked > addSeconds(marked, -0.001) && marked < addSeconds(marked, 0.001))
  await stop()
  t.is(leaseEnd(freshOf(runtime).fresh, 60), addSeconds(runtime.clock.now(), 60))
})

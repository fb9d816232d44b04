import test from 'ava'
import { queueOf } from '../../../../core/kernel/running/queue.ts'
import { plusSeconds } from '../../../../core/kernel/values/day.ts'
import { addTasks, LEASE_SECONDS, START, type Task, taskOf, taskStore, tasks } from './tasks.ts'

const LATER = plusSeconds(START, LEASE_SECONDS - 1)

/** A task that is claimed at once, and what its work gets. */
const claimed = async () => {
  const store = taskStore()
  await addTasks(store, 1)
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

test('what renews its lease is nobody else’s for another one', async (t) => {
  const { store, again, due } = await claimed()
  t.like(await again(LATER), { dueAt: plusSeconds(LATER, LEASE_SECONDS), attempts: 1 })
  t.like(await taskOf(store, 1), { dueAt: plusSeconds(LATER, LEASE_SECONDS), attempts: 1 })
  t.is((await due(plusSeconds(START, LEASE_SECONDS + 5))).length, 0)
  t.is((await due(plusSeconds(LATER, LEASE_SECONDS))).length, 1)
})

test('a lease that ran out and was taken by another is not renewed', async (t) => {
  const { store, again, due } = await claimed()
  const after = plusSeconds(START, LEASE_SECONDS)
  const [other] = await due(after)
  await other?.claim(store, after)
  t.is(await again(plusSeconds(after, 1)), null)
  t.like(await taskOf(store, 1), { dueAt: plusSeconds(after, LEASE_SECONDS), attempts: 2 })
})

test('what was renewed is given back as if it had not been begun, and is renewed no more', async (t) => {
  const { store, waiting, again } = await claimed()
  await again(LATER)
  await waiting?.unclaim(store)
  t.like(await taskOf(store, 1), { dueAt: START, attempts: 0 })
  t.is(await again(LATER), null)
  t.like(await taskOf(store, 1), { dueAt: START, attempts: 0 })
})

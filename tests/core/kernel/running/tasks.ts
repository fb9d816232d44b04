import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import {
  type Change,
  type Collection,
  eq,
  insert,
  not,
  orNull,
  record,
  t,
} from '../../../../core/kernel/records/record.ts'
import type { JobRow } from '../../../../core/kernel/running/jobs.ts'
import { applyOutcome, type QueueRow, queueOf, type Report } from '../../../../core/kernel/running/queue.ts'
import { type Worker, type WorkerParts, worker } from '../../../../core/kernel/running/worker.ts'
import type { Clock } from '../../../../core/ports/runtime.ts'
import { byId, listOf, type Store } from '../../../../core/ports/store.ts'

const task = record({
  id: t.number,
  host: t.string,
  owner: t.string,
  dueAt: orNull(t.string),
  attempts: t.number,
  doneBy: orNull(t.string),
})
export type Task = t.TypeOf<typeof task>

/** Something to do, for tests of the worker. */
export const tasks: Collection<Task> = {
  name: 'test.tasks',
  ids: 'integer',
  codec: task,
  owner: null,
  conditions: { waiting: not(eq('dueAt', null)) },
  indexes: [{ sort: 'dueAt', when: 'waiting' }],
}

export const START = '2026-11-21T12:00:00.000Z'

export const taskStore = (): Store => memoryStore([tasks])

export const addTasks = async (store: Store, count: number, fields: Partial<Task> = {}, firstId = 1): Promise<void> => {
  const added = Array.from({ length: count }, (_, index) =>
    insert(tasks, { id: firstId + index, host: 'a', owner: 'a', dueAt: START, attempts: 0, doneBy: null, ...fields }),
  )
  await store.commit(added)
}

/** Returns a store with tasks. */
export const storeOf = async (count: number, fields?: Partial<Task>, firstId?: number): Promise<Store> => {
  const store = taskStore()
  await addTasks(store, count, fields, firstId)
  return store
}

export const taskOf = async (store: Store, id: number): Promise<Task> => {
  const found = await store.find(byId(tasks, id))
  if (!found) throw new Error(`no task ${id}`)
  return found
}

export const allTasks = async (store: Store): Promise<readonly Task[]> =>
  (await store.list(listOf(tasks, { where: { all: [] }, limit: 10_000 }))).records

export const LEASE_SECONDS = 60

/** A queue of tasks that `does` something with each, then marks it done. */
export const taskQueue = (
  store: Store,
  does: (task: Task) => Promise<void> | void,
  row: Partial<QueueRow<Task>> & { readonly by?: string } = {},
) =>
  queueOf<Task>({
    collection: tasks,
    leaseSeconds: LEASE_SECONDS,
    atOnce: 100,
    handle: async (claimed) => {
      await does(claimed)
      await applyOutcome(store, tasks, claimed, { dueAt: null, doneBy: row.by ?? 'worker' })
    },
    ...row,
  })

/** For what must not fail. */
export const failing: Report = (error) => {
  throw error
}

/**
 * A worker of one queue of tasks, or of another queue, whose work must not fail; at `START` unless it has another
 * clock.
 */
export const workerOf = (
  store: Store,
  work: ((task: Task) => Promise<void> | void) | WorkerParts['queues'][number] = () => {},
  {
    row,
    clock = setClock(START),
    ...parts
  }: Partial<WorkerParts> & { readonly clock?: Clock; readonly row?: Parameters<typeof taskQueue>[2] } = {},
): Worker => {
  const queue = typeof work === 'function' ? taskQueue(store, work, row) : work
  return worker({ runtime: { store, clock }, queues: [queue], report: failing, ...parts })
}

/** A store whose commits wait for a function; they fail if it throws. */
export const beforeCommits = (store: Store, before: (changes: readonly Change[]) => unknown): Store => ({
  ...store,
  commit: async (changes, hooks) => {
    await before(changes)
    return store.commit(changes, hooks)
  },
})

/** Reports whether changes write to one of these collections. */
export const writesTo =
  (...collections: readonly { readonly name: string }[]) =>
  (changes: readonly Change[]): boolean =>
    changes.some(({ at: [name] }) => collections.some((each) => each.name === name))

/** An action of another process, which is taken once: just before the next commit that is awaited. */
export const justBefore = (isAwaited = (_: readonly Change[]): boolean => true) => {
  const meanwhile = {
    /** The action; null once it is taken. */
    act: null as (() => Promise<unknown>) | null,
    on: (store: Store): Store =>
      beforeCommits(store, async (changes) => {
        const { act } = meanwhile
        if (act === null || !isAwaited(changes)) return
        meanwhile.act = null
        await act()
      }),
  }
  return meanwhile
}

/** Runs a job to the end of its run; how many slices that took. */
export const wholeRun = async ({ run }: JobRow, steady: string, report = failing): Promise<number> => {
  let place: string | null = null
  for (let slices = 1; ; slices += 1) {
    place = await run({ steady, cursor: place, report })
    if (place === null) return slices
  }
}

/** A clock at which time stands still and waits end when told. */
export const stillClock = () => {
  const waits: { readonly milliseconds: number; readonly end: () => void }[] = []
  const clock: Clock = {
    now: () => START,
    steady: () => START,
    wait: (milliseconds) => new Promise((end) => waits.push({ milliseconds, end })),
  }
  return { clock, waits }
}

/** Lets everything that is ready happen. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Resolves when the condition holds, or rejects after very many turns. */
export const until = async (holds: () => boolean): Promise<void> => {
  for (let turns = 0; turns < 10_000; turns += 1) {
    if (holds()) return
    await turn()
  }
  throw new Error('it never came true')
}

export const deferred = () => {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

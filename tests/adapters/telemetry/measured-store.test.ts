import test from 'ava'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { type CommitEnding, measuredStore } from '../../../adapters/telemetry/measured-store.ts'
import { insert, patch } from '../../../core/kernel/records/change.ts'
import { eq } from '../../../core/kernel/records/where.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { START, type Task, tasks } from '../../core/kernel/running/tasks.ts'

const task: Task = { id: 1, host: 'a', owner: 'a', dueAt: START, attempts: 0, doneBy: null }

test('reports each commit once, with its outcome and changes', async (t) => {
  const plain = memoryStore([tasks])
  const reported: [CommitEnding, number][] = []
  const store = measuredStore(plain, (ending, seconds, changes) => {
    t.true(seconds >= 0 && seconds < 60)
    reported.push([ending, changes.length])
  })
  t.true((await store.commit([insert(tasks, task), insert(tasks, { ...task, id: 2 })])).ok)
  t.false((await store.commit([insert(tasks, task)])).ok)
  t.false((await store.commit([patch(tasks, 1, { set: { host: 'b' }, when: eq('host', 'x') })])).ok)
  await t.throwsAsync(store.commit([{ kind: 'insert', at: ['test.tasks', 3], record: { id: 3 } }]))
  await store.close()
  await t.throwsAsync(store.commit([insert(tasks, task)]), { instanceOf: StoreUnavailable })
  t.deepEqual(reported, [
    ['ok', 2],
    ['conflict', 1],
    ['stale', 1],
    ['error', 1],
    ['unavailable', 1],
  ])
})

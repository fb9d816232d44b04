import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { slots } from '../../../adapters/concurrency/slots.ts'

test('runs at most `count` tasks at once, in order of arrival', async (t) => {
  const run = slots(2)
  const started: number[] = []
  let running = 0
  let most = 0
  const task = (name: number) => () =>
    setImmediate().then(async () => {
      started.push(name)
      running += 1
      most = Math.max(most, running)
      await setImmediate()
      running -= 1
      return name
    })
  const names = [0, 1, 2, 3, 4, 5, 6, 7, 8]
  t.deepEqual(await Promise.all(names.map((name) => run(task(name)))), names)
  t.deepEqual(started, names)
  t.is(most, 2)
})

test('starts the next task after a failed one', async (t) => {
  const run = slots(1)
  const fail = () => Promise.reject(new Error('broken'))
  const throwAtOnce = (): Promise<string> => {
    throw new Error('thrown')
  }
  const outcomes = await Promise.allSettled([run(fail), run(throwAtOnce), run(fail), run(async () => 'done')])
  const results = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message))
  t.deepEqual(results, ['broken', 'thrown', 'broken', 'done'])
  t.is(await run(async () => 'still open'), 'still open')
})

test('a caller with few tasks waits for one task of another caller, however many that one has', async (t) => {
  const run = slots(1)
  const done: string[] = []
  const task = (name: string) => async () => {
    await setImmediate()
    done.push(name)
  }
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => run(task(name), 'a')),
    ...['b1', 'b2'].map((name) => run(task(name), 'b')),
    run(task('c1'), 'c'),
  ])
  t.deepEqual(done, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('the caller with the fewest running tasks is next, and equal ones take turns', async (t) => {
  const { start, step, started } = stepped(slots(2))
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2', 'a5']) void start(name)
  for (let steps = 0; steps < 6; steps += 1) await step()
  t.deepEqual(started, ['a1', 'a2', 'b1', 'a3', 'c1', 'b2', 'a4', 'a5'])
})

/** Tasks that end on `step`, with the started and the rejected ones. */
const stepped = (run: ReturnType<typeof slots>) => {
  const started: string[] = []
  const rejected: string[] = []
  const ends: (() => void)[] = []
  const start = (name: string, isGone?: () => boolean) =>
    run(
      () => {
        started.push(name)
        return new Promise<void>((end) => ends.push(end))
      },
      name[0],
      isGone,
    ).catch((error: Error) => {
      rejected.push(`${name} ${error.message}`)
    })
  const step = async () => {
    ends.shift()?.()
    await setImmediate()
  }
  return { start, step, started, rejected }
}

const FULL = { rejection: () => new Error('is rejected') }

test('a full queue evicts the oldest task of the caller with the most waiting tasks', async (t) => {
  const { start, step, started, rejected } = stepped(slots(1, { max: 3, ...FULL }))
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2', 'b3']) void start(name)
  await setImmediate()
  // a1 runs. c1 evicts a2, b2 evicts b1, and b3 evicts b2.
  t.deepEqual(rejected, ['a2 is rejected', 'b1 is rejected', 'b2 is rejected'])
  for (let steps = 0; steps < 4; steps += 1) await step()
  t.deepEqual(started, ['a1', 'a3', 'c1', 'b3'])
})

test('an abandoned task is not started, is evicted first, and leaves its turn to the next task', async (t) => {
  const { start, step, started, rejected } = stepped(slots(1, { max: 2, ...FULL }))
  const gone = new Set<string>()
  const isGone = (name: string) => () => gone.has(name)
  gone.add('a0')
  void start('a0', isGone('a0'))
  for (const name of ['a1', 'a2', 'b1']) void start(name, isGone(name))
  await setImmediate()
  t.deepEqual([started, rejected], [['a1'], ['a0 is rejected']])
  gone.add('a2')
  void start('b2', isGone('b2'))
  await setImmediate()
  t.deepEqual(rejected, ['a0 is rejected', 'a2 is rejected'])
  gone.add('b1')
  await step()
  t.deepEqual(started, ['a1', 'b2'])
  t.deepEqual(rejected, ['a0 is rejected', 'a2 is rejected', 'b1 is rejected'])
  await step()
  void start('a3')
  t.deepEqual(started, ['a1', 'b2', 'a3'])
})

import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { slots } from '../../../adapters/concurrency/slots.ts'

test('at most so many run at once, in the order they came', async (t) => {
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

test('a task that fails leaves its place to the next', async (t) => {
  const run = slots(1)
  const fail = () => Promise.reject(new Error('broken'))
  const throwAtOnce = (): Promise<string> => {
    throw new Error('thrown')
  }
  const outcomes = await Promise.allSettled([run(fail), run(throwAtOnce), run(fail), run(async () => 'done')])
  t.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message)),
    ['broken', 'thrown', 'broken', 'done'],
  )
  t.is(await run(async () => 'still open'), 'still open')
})

test('who asks for little waits for one of somebody else, however many those have asked for', async (t) => {
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

test('who has fewest running is next, and those who have alike take turns', async (t) => {
  const { ask, step, begun } = stepped(slots(2))
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2', 'a5']) void ask(name)
  for (let steps = 0; steps < 6; steps += 1) await step()
  t.deepEqual(begun, ['a1', 'a2', 'b1', 'a3', 'c1', 'b2', 'a4', 'a5'])
})

/** Tasks that end when they are told to, and what became of each. */
const stepped = (run: ReturnType<typeof slots>) => {
  const begun: string[] = []
  const refused: string[] = []
  const ends: (() => void)[] = []
  const ask = (name: string, isGone?: () => boolean) =>
    run(
      () => {
        begun.push(name)
        return new Promise<void>((end) => ends.push(end))
      },
      name[0],
      isGone,
    ).catch((error: Error) => {
      refused.push(`${name} ${error.message}`)
    })
  const step = async () => {
    ends.shift()?.()
    await setImmediate()
  }
  return { ask, step, begun, refused }
}

const FULL = { rejection: () => new Error('is refused') }

test('where too many wait, the longest waiter of whoever holds most gives way to the next one', async (t) => {
  const { ask, step, begun, refused } = stepped(slots(1, { max: 3, ...FULL }))
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2', 'b3']) void ask(name)
  await setImmediate()
  // a1 runs; a2 makes room for c1, b1 for b2, and b2 for b3.
  t.deepEqual(refused, ['a2 is refused', 'b1 is refused', 'b2 is refused'])
  for (let steps = 0; steps < 4; steps += 1) await step()
  t.deepEqual(begun, ['a1', 'a3', 'c1', 'b3'])
})

test('what nobody waits for is not begun, makes room for others, and leaves its turn to the next', async (t) => {
  const { ask, step, begun, refused } = stepped(slots(1, { max: 2, ...FULL }))
  const gone = new Set<string>()
  const isGone = (name: string) => () => gone.has(name)
  gone.add('a0')
  void ask('a0', isGone('a0'))
  for (const name of ['a1', 'a2', 'b1']) void ask(name, isGone(name))
  await setImmediate()
  t.deepEqual([begun, refused], [['a1'], ['a0 is refused']])
  gone.add('a2')
  void ask('b2', isGone('b2'))
  await setImmediate()
  t.deepEqual(refused, ['a0 is refused', 'a2 is refused'])
  gone.add('b1')
  await step()
  t.deepEqual(begun, ['a1', 'b2'])
  t.deepEqual(refused, ['a0 is refused', 'a2 is refused', 'b1 is refused'])
  await step()
  void ask('a3')
  t.deepEqual(begun, ['a1', 'b2', 'a3'])
})

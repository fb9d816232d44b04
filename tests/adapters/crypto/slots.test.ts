import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { slots } from '../../../adapters/crypto/slots.ts'

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

import test from 'ava'
import { closingClock } from '../../../adapters/clock/system-clock.ts'

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

test.serial('that the clock of the machine jumped is told of, and no time has passed', (t) => {
  const lines: string[] = []
  const clock = closingClock((line) => lines.push(line))
  const before = clock.steady()
  const machine = Date.now
  Date.now = () => machine() + 86_400_000
  try {
    t.true(clock.now() > clock.steady())
    t.true(Date.parse(clock.steady()) - Date.parse(before) < 60_000)
  } finally {
    Date.now = machine
  }
  t.is(lines.length, 1)
})

test('waits end by themselves, each after those that are shorter', async (t) => {
  const clock = closingClock()
  const ended: number[] = []
  await Promise.all([30, 1, 15].map((milliseconds) => clock.wait(milliseconds).then(() => ended.push(milliseconds))))
  t.deepEqual(ended, [1, 15, 30])
  t.regex(clock.now(), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('closing lets go of every timer, and whoever waits waits for ever', async (t) => {
  const clock = closingClock()
  const idle = timers()
  let ended = 0
  for (let wait = 0; wait < 5; wait += 1) void clock.wait(0).then(() => (ended += 1))
  t.is(timers(), idle + 5)
  clock.close()
  void clock.wait(0).then(() => (ended += 1))
  t.is(timers(), idle)
  await new Promise((resolve) => setTimeout(resolve, 5))
  t.is(ended, 0)
})

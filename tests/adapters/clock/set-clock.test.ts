import test from 'ava'
import { setClock } from '../../../adapters/clock/set-clock.ts'

const START = '2026-11-23T13:05:09.123Z'
const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400]

test('stands still until it is moved', (t) => {
  const clock = setClock('2026-11-21T10:05:09.123-03:00')
  t.is(clock.now(), '2026-11-21T13:05:09.123Z')
  t.is(clock.now(), '2026-11-21T13:05:09.123Z')
  clock.advance(3600.5)
  t.is(clock.now(), '2026-11-21T14:05:09.623Z')
  clock.advance(-3600.5)
  t.is(clock.now(), '2026-11-21T13:05:09.123Z')
  clock.set('2027-02-28T23:59:59Z')
  t.is(clock.now(), '2027-02-28T23:59:59.000Z')
})

test('throws for an invalid instant, and keeps its time', (t) => {
  t.throws(() => setClock('yesterday'), { instanceOf: RangeError })
  const clock = setClock('2026-01-01T00:00:00Z')
  t.throws(() => clock.set('2026-13-01T00:00:00Z'), { instanceOf: RangeError })
  t.is(clock.now(), '2026-01-01T00:00:00.000Z')
})

test('concurrent waits overlap and end in the order of their length', async (t) => {
  const clock = setClock('2026-01-01T00:00:00.000Z')
  const ended: string[] = []
  const wait = async (milliseconds: number) => {
    await clock.wait(milliseconds)
    ended.push(`${milliseconds} ${clock.now().slice(17)}`)
  }
  await Promise.all([wait(500), wait(20), wait(300), wait(20)])
  t.deepEqual(ended, ['20 00.020Z', '20 00.020Z', '300 00.300Z', '500 00.500Z'])
})

test('a wait whose end has passed does not move the clock back', async (t) => {
  const clock = setClock('2026-01-01T00:00:00.000Z')
  const waited = clock.wait(1000)
  clock.advance(60)
  await waited
  t.is(clock.now(), '2026-01-01T00:01:00.000Z')
})

test('a jump moves only the wall clock, and a wait moves both times', async (t) => {
  const clock = setClock(START)
  clock.jump(DAY)
  t.deepEqual([clock.now(), clock.steady()], ['2026-11-24T13:05:09.123Z', START])
  const waited = clock.wait(1_000)
  clock.jump(-HOUR)
  await waited
  t.deepEqual([clock.now(), clock.steady()], ['2026-11-24T12:05:10.123Z', '2026-11-23T13:05:10.123Z'])
  clock.jump(HOUR - DAY)
  t.deepEqual([clock.now(), clock.steady()], ['2026-11-23T13:05:10.123Z', '2026-11-23T13:05:10.123Z'])
})

test('advance and set move both times, ahead and back', (t) => {
  const clock = setClock(START)
  for (const seconds of [MINUTE, HOUR, DAY, 365 * DAY, -HOUR, HOUR]) {
    clock.advance(seconds)
    t.is(clock.steady(), clock.now(), `${seconds} s`)
  }
  clock.set('2027-12-31T23:59:59.999Z')
  t.is(clock.steady(), '2027-12-31T23:59:59.999Z')
})

import test from 'ava'
import { setClock } from '../../../adapters/clock/set-clock.ts'
import { systemClock } from '../../../adapters/clock/system-clock.ts'

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

test('the system clock tells UTC instants with milliseconds that do not run backwards over a wait', async (t) => {
  const before = systemClock.now()
  t.regex(before, INSTANT)
  await systemClock.wait(2)
  t.true(systemClock.now() > before)
  t.regex(systemClock.steady(), INSTANT)
  t.true(systemClock.steady() > before)
})

test('a set clock stands still until it is moved', (t) => {
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

test('a set clock refuses what is no instant and keeps its own', (t) => {
  t.throws(() => setClock('yesterday'), { instanceOf: RangeError })
  const clock = setClock('2026-01-01T00:00:00Z')
  t.throws(() => clock.set('2026-13-01T00:00:00Z'), { instanceOf: RangeError })
  t.is(clock.now(), '2026-01-01T00:00:00.000Z')
})

test('waits of a set clock overlap, end in the order of their ends and move it no further than the last', async (t) => {
  const clock = setClock('2026-01-01T00:00:00.000Z')
  const ended: string[] = []
  const wait = async (milliseconds: number) => {
    await clock.wait(milliseconds)
    ended.push(`${milliseconds} ${clock.now().slice(17)}`)
  }
  await Promise.all([wait(500), wait(20), wait(300), wait(20)])
  t.deepEqual(ended, ['20 00.020Z', '20 00.020Z', '300 00.300Z', '500 00.500Z'])
})

test('a wait that the clock was moved past does not move it back', async (t) => {
  const clock = setClock('2026-01-01T00:00:00.000Z')
  const waited = clock.wait(1000)
  clock.advance(60)
  await waited
  t.is(clock.now(), '2026-01-01T00:01:00.000Z')
})

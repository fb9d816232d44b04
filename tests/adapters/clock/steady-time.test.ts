import test from 'ava'
import { setClock } from '../../../adapters/clock/set-clock.ts'
import { type SteadyState, steadyAt, steadyTime } from '../../../adapters/clock/steady-time.ts'

const START = '2026-11-23T13:05:09.123Z'
const [SECOND, MINUTE, HOUR, DAY] = [1, 60, 3_600, 86_400]

/** Looks at a clock: so many seconds pass, and it is set by so many. What it is ahead of the steady time then. */
interface Look {
  readonly passed?: number
  readonly set?: number
  readonly ahead: number
}

/** A jump that is looked at every minute for so long. */
const held = (ahead: number, seconds: number): readonly Look[] =>
  Array.from({ length: Math.ceil(seconds / MINUTE) }, (_, minute) => ({
    passed: Math.min(MINUTE, seconds - minute * MINUTE),
    ahead,
  }))

const CASES: Readonly<Record<string, readonly Look[]>> = {
  'a clock that keeps pace': [{ passed: DAY, ahead: 0 }],
  'a step of 59 s is believed at once': [{ set: 59, ahead: 0 }],
  'and one of a minute': [{ set: 60, ahead: 0 }],
  'one of 61 s is not': [{ set: 61, ahead: 61 }],
  'small steps never add up': Array.from({ length: 100 }, () => ({ passed: SECOND, set: 59, ahead: 0 })),
  'nor does slow drift, however seldom it is looked at': Array.from({ length: 100 }, () => ({
    passed: DAY,
    set: 30,
    ahead: 0,
  })),
  'a jump that has held for 9:59 is not believed': [{ set: DAY, ahead: DAY }, ...held(DAY, 599)],
  'and for 10:00 it is': [
    { set: DAY, ahead: DAY },
    ...held(DAY, 599),
    { passed: SECOND, ahead: 0 },
    { passed: DAY, ahead: 0 },
  ],
  'it may have held unseen': [
    { set: DAY, ahead: DAY },
    { passed: 10 * MINUTE, ahead: 0 },
  ],
  'but not before it was seen': [{ passed: 10 * MINUTE, set: DAY, ahead: DAY }, ...held(DAY, 599)],
  'one that comes back was none': [
    { set: DAY, ahead: DAY },
    ...held(DAY, MINUTE),
    { set: -DAY, ahead: 0 },
    { passed: DAY, ahead: 0 },
  ],
  'one that comes back nearly is none': [
    { set: DAY, ahead: DAY },
    { set: 30 - DAY, ahead: 0 },
  ],
  'a clock that is set back is believed at once': [
    { set: -HOUR, ahead: 0 },
    { passed: HOUR, ahead: 0 },
  ],
  'and one that is set right again as one that jumps': [
    { set: -HOUR, ahead: 0 },
    { set: HOUR, ahead: HOUR },
  ],
  'from a jump back beyond where it was': [
    { set: DAY, ahead: DAY },
    { set: -DAY - HOUR, ahead: 0 },
  ],
  'of two jumps the second has to hold': [
    { set: HOUR, ahead: HOUR },
    ...held(HOUR, 599),
    { set: DAY, ahead: HOUR + DAY },
    ...held(HOUR + DAY, 599),
    { passed: SECOND, ahead: 0 },
  ],
  'and what is left of one that came back in part': [
    { set: DAY, ahead: DAY },
    ...held(DAY, 599),
    { set: HOUR - DAY, ahead: HOUR },
    { passed: 599, ahead: HOUR },
    { passed: SECOND, ahead: 0 },
  ],
  'a jump that slews is one': [
    { set: DAY, ahead: DAY },
    ...held(DAY, 540),
    { passed: 59, set: 1, ahead: DAY + 1 },
    { passed: 1, ahead: 0 },
  ],
}

const START_MS = Date.parse(START)

for (const [name, looks] of Object.entries(CASES)) {
  test(`steady time: ${name}`, (t) => {
    let [wallMs, monotonicMs] = [START_MS, 5_000.25]
    let state: SteadyState = steadyAt(null, { wallMs, monotonicMs })
    t.is(state.steadyMs, START_MS, 'a start believes its clock')
    for (const [number, { passed = 0, set = 0, ahead }] of looks.entries()) {
      wallMs += (passed + set) * 1_000
      monotonicMs += passed * 1_000
      state = steadyAt(state, { wallMs, monotonicMs })
      t.is((wallMs - state.steadyMs) / 1_000, ahead, `look ${number + 1}`)
    }
  })
}

test('a jump is told of once, when it is first seen, and what comes back or is believed is not', (t) => {
  const reading = { wallMs: START_MS, monotonicMs: 0 }
  const lines: string[] = []
  const { now, steady } = steadyTime(
    () => reading,
    (line) => lines.push(line),
  )
  const pass = (seconds: number, setSeconds = 0) => {
    reading.wallMs += (seconds + setSeconds) * 1_000
    reading.monotonicMs += seconds * 1_000
    return steady()
  }
  pass(MINUTE, 59)
  pass(MINUTE, -HOUR)
  t.deepEqual(lines, [])
  pass(MINUTE, DAY)
  for (let minute = 1; minute < 10; minute += 1) pass(MINUTE)
  t.is(lines.length, 1)
  t.regex(lines[0] ?? '', /jumped ahead by 86400 s/)
  t.is(pass(MINUTE), now(), 'it is believed')
  pass(HOUR)
  pass(0, -DAY)
  t.is(lines.length, 1)
  pass(SECOND, DAY)
  pass(SECOND, HOUR)
  t.is(lines.length, 3, 'each jump is told of')
})

test('a set clock that jumps shows it, and passes no time: what is waited for is', async (t) => {
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

test('a set clock that is moved passes the time: both of its times go on, and back', (t) => {
  const clock = setClock(START)
  for (const seconds of [MINUTE, HOUR, DAY, 365 * DAY, -HOUR, HOUR]) {
    clock.advance(seconds)
    t.is(clock.steady(), clock.now(), `${seconds} s`)
  }
  clock.set('2027-12-31T23:59:59.999Z')
  t.is(clock.steady(), '2027-12-31T23:59:59.999Z')
})

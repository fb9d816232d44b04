import test from 'ava'
import { type SteadyState, steadyAt, steadyTime } from '../../../adapters/clock/steady-time.ts'

const START = '2026-11-23T13:05:09.123Z'
const [SECOND, MINUTE, HOUR, DAY] = [1, 60, 3_600, 86_400]

/** A reading after seconds passed and the clock was set: `ahead` is the wall clock minus the steady time. */
interface Reading {
  readonly passed?: number
  readonly set?: number
  readonly ahead: number
}

/** Readings of a jump every minute. */
const held = (ahead: number, seconds: number): readonly Reading[] =>
  Array.from({ length: Math.ceil(seconds / MINUTE) }, (_, minute) => ({
    passed: Math.min(MINUTE, seconds - minute * MINUTE),
    ahead,
  }))

const CASES: Readonly<Record<string, readonly Reading[]>> = {
  'follows a clock that keeps pace': [{ passed: DAY, ahead: 0 }],
  'follows a step of 59 s at once': [{ set: 59, ahead: 0 }],
  'follows a step of a minute at once': [{ set: 60, ahead: 0 }],
  'does not follow a step of 61 s': [{ set: 61, ahead: 61 }],
  'small steps do not add up': Array.from({ length: 100 }, () => ({ passed: SECOND, set: 59, ahead: 0 })),
  'slow drift does not add up, even with rare readings': Array.from({ length: 100 }, () => ({
    passed: DAY,
    set: 30,
    ahead: 0,
  })),
  'does not follow a jump that has held for 9:59': [{ set: DAY, ahead: DAY }, ...held(DAY, 599)],
  'follows a jump that has held for 10:00': [
    { set: DAY, ahead: DAY },
    ...held(DAY, 599),
    { passed: SECOND, ahead: 0 },
    { passed: DAY, ahead: 0 },
  ],
  'follows a jump that has held without readings': [
    { set: DAY, ahead: DAY },
    { passed: 10 * MINUTE, ahead: 0 },
  ],
  'counts from the first reading of a jump': [{ passed: 10 * MINUTE, set: DAY, ahead: DAY }, ...held(DAY, 599)],
  'ignores a jump that is reversed': [
    { set: DAY, ahead: DAY },
    ...held(DAY, MINUTE),
    { set: -DAY, ahead: 0 },
    { passed: DAY, ahead: 0 },
  ],
  'ignores a jump that is nearly reversed': [
    { set: DAY, ahead: DAY },
    { set: 30 - DAY, ahead: 0 },
  ],
  'follows a clock that is set back at once': [
    { set: -HOUR, ahead: 0 },
    { passed: HOUR, ahead: 0 },
  ],
  'a clock set back and corrected has jumped': [
    { set: -HOUR, ahead: 0 },
    { set: HOUR, ahead: HOUR },
  ],
  'follows a clock that is set back further than it jumped': [
    { set: DAY, ahead: DAY },
    { set: -DAY - HOUR, ahead: 0 },
  ],
  'a second jump starts the confirmation again': [
    { set: HOUR, ahead: HOUR },
    ...held(HOUR, 599),
    { set: DAY, ahead: HOUR + DAY },
    ...held(HOUR + DAY, 599),
    { passed: SECOND, ahead: 0 },
  ],
  'a partial reversal starts the confirmation again': [
    { set: DAY, ahead: DAY },
    ...held(DAY, 599),
    { set: HOUR - DAY, ahead: HOUR },
    { passed: 599, ahead: HOUR },
    { passed: SECOND, ahead: 0 },
  ],
  'a jump that slews is one jump': [
    { set: DAY, ahead: DAY },
    ...held(DAY, 540),
    { passed: 59, set: 1, ahead: DAY + 1 },
    { passed: 1, ahead: 0 },
  ],
}

const START_MS = Date.parse(START)

for (const [name, readings] of Object.entries(CASES)) {
  test(name, (t) => {
    let [wallMs, monotonicMs] = [START_MS, 5_000.25]
    let state: SteadyState = steadyAt(null, { wallMs, monotonicMs })
    t.is(state.steadyMs, START_MS, 'the first reading is followed')
    for (const [number, { passed = 0, set = 0, ahead }] of readings.entries()) {
      wallMs += (passed + set) * 1_000
      monotonicMs += passed * 1_000
      state = steadyAt(state, { wallMs, monotonicMs })
      t.is((wallMs - state.steadyMs) / 1_000, ahead, `reading ${number + 1}`)
    }
  })
}

test('reports each jump once, and neither its reversal nor its confirmation', (t) => {
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
  t.is(pass(MINUTE), now(), 'it is followed')
  pass(HOUR)
  pass(0, -DAY)
  t.is(lines.length, 1)
  pass(SECOND, DAY)
  pass(SECOND, HOUR)
  t.is(lines.length, 3, 'each jump is reported')
})

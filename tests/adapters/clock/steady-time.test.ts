import test from 'ava'
import { type SteadyState, steadyAt, steadyTime } from '../../../adapters/clock/system-clock.ts'

const START = '2026-11-23T13:05:09.123Z'
const [SECOND, MINUTE, HOUR, DAY] = [1, 60, 3_600, 86_400]

/** A reading: the seconds that passed, those by which the clock was set, and the wall clock minus the steady time. */
type Reading = readonly [passed: number, set: number, ahead: number]

/** Readings of a jump every minute. */
const held = (ahead: number, seconds: number): readonly Reading[] =>
  Array.from({ length: Math.ceil(seconds / MINUTE) }, (_, minute) => [
    Math.min(MINUTE, seconds - minute * MINUTE),
    0,
    ahead,
  ])

const jumped: Reading = [0, DAY, DAY]
const setBack: Reading = [0, -HOUR, 0]

const CASES: Readonly<Record<string, readonly Reading[]>> = {
  'follows a clock that keeps pace': [[DAY, 0, 0]],
  'follows a step of 59 s at once': [[0, 59, 0]],
  'follows a step of a minute at once': [[0, 60, 0]],
  'does not follow a step of 61 s': [[0, 61, 61]],
  'small steps do not add up': Array.from({ length: 100 }, (): Reading => [SECOND, 59, 0]),
  'slow drift does not add up, even with rare readings': Array.from({ length: 100 }, (): Reading => [DAY, 30, 0]),
  'does not follow a jump that has held for 9:59': [jumped, ...held(DAY, 599)],
  'follows a jump that has held for 10:00': [jumped, ...held(DAY, 599), [SECOND, 0, 0], [DAY, 0, 0]],
  'follows a jump that has held without readings': [jumped, [10 * MINUTE, 0, 0]],
  'counts from the first reading of a jump': [[10 * MINUTE, DAY, DAY], ...held(DAY, 599)],
  'ignores a jump that is reversed': [jumped, ...held(DAY, MINUTE), [0, -DAY, 0], [DAY, 0, 0]],
  'ignores a jump that is nearly reversed': [jumped, [0, 30 - DAY, 0]],
  'follows a clock that is set back at once': [setBack, [HOUR, 0, 0]],
  'a clock set back and corrected has jumped': [setBack, [0, HOUR, HOUR]],
  'follows a clock that is set back further than it jumped': [jumped, [0, -DAY - HOUR, 0]],
  'a second jump starts the confirmation again': [
    [0, HOUR, HOUR],
    ...held(HOUR, 599),
    [0, DAY, HOUR + DAY],
    ...held(HOUR + DAY, 599),
    [SECOND, 0, 0],
  ],
  'a partial reversal starts the confirmation again': [
    jumped,
    ...held(DAY, 599),
    [0, HOUR - DAY, HOUR],
    [599, 0, HOUR],
    [SECOND, 0, 0],
  ],
  'a jump that slews is one jump': [jumped, ...held(DAY, 540), [59, 1, DAY + 1], [1, 0, 0]],
}

const START_MS = Date.parse(START)

for (const [name, readings] of Object.entries(CASES)) {
  test(name, (t) => {
    let [wallMs, monotonicMs] = [START_MS, 5_000.25]
    let state: SteadyState = steadyAt(null, { wallMs, monotonicMs })
    t.is(state.steadyMs, START_MS, 'the first reading is followed')
    for (const [number, [passed, set, ahead]] of readings.entries()) {
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

import test from 'ava'
import { failuresIn } from './failures.ts'
import type { Process } from './processes.ts'

const SLOTS = 'tests/adapters/concurrency/slots.test.ts'
const WAITERS = 'tests/adapters/concurrency/wait-queue.test.ts'
const START = 'tests/apps/host/start.test.ts'

const PROCESSES: readonly Process[] = [
  { name: 'group-1.test', files: [SLOTS, WAITERS] },
  { name: 'tests/apps/host/start.test', files: [START] },
]
const ALONE: readonly Process[] = [{ name: 'tests/apps/host/start.test', files: [START] }]

const GROUP = 'build/14102-1/group-1.test.js'
const START_BUILT = 'build/14102-1/tests/apps/host/start.test.js'
const bothOf = (...words: readonly string[]) => ({ [SLOTS]: words, [WAITERS]: words })

/** Lines as AVA 6 prints them, and the files that failed by them. */
const TABLE: Readonly<Record<string, readonly [printed: string, failures: object, processes?: readonly Process[]]>> = {
  'all passed': ['  ✔ adapters › concurrency › slots › two run at once (503ms)\n  ─\n\n  1 test passed', {}],
  'a test of a group': [
    [
      '  ✔ adapters › concurrency › slots › two run at once',
      '  ✘ [fail]: adapters › concurrency › wait-queue › keys, with › signs, take turns',
      '  ─',
      '',
      '  adapters › concurrency › wait-queue › keys, with › signs, take turns',
      '',
      '  Difference (- actual, + expected):',
      '',
      '  1 test failed',
    ].join('\n'),
    { [WAITERS]: ['adapters › concurrency › wait-queue › keys, with › signs, take turns'] },
  ],
  'tests of files that begin alike: AVA leaves out what all have before them': [
    '  ✘ [fail]: slots › two run at once Rejected promise returned by test\n  ✘ [fail]: wait-queue › keys take turns',
    {
      [SLOTS]: ['slots › two run at once Rejected promise returned by test'],
      [WAITERS]: ['wait-queue › keys take turns'],
    },
    [
      { name: 'tests/adapters/concurrency/slots.test', files: [SLOTS] },
      { name: 'tests/adapters/concurrency/wait-queue.test', files: [WAITERS] },
    ],
  ],
  'a test of a file that ran alone, whose title names no file': [
    '  ✘ [fail]: a port in use stops the start',
    { [START]: ['a port in use stops the start'] },
    ALONE,
  ],
  'a test that should have failed': [
    '  ✘ [unexpected pass]: apps › host › start › a port in use Test was expected to fail, but succeeded',
    { [START]: ['apps › host › start › a port in use Test was expected to fail, but succeeded'] },
  ],
  'a hook of a group, which names no file': [
    `  ✘ [fail]: before hook Error thrown in test\n  ✘ 2 tests remaining in ${GROUP}`,
    bothOf(`✘ 2 tests remaining in ${GROUP}`),
  ],
  'an uncaught exception in a group': [
    [
      `  Uncaught exception in ${GROUP}`,
      '',
      '  Error: beside',
      '      at Timeout._onTimeout (/work/tests/adapters/concurrency/slots.test.ts:2:70)',
      '',
      `  ✘ ${GROUP} exited with a non-zero exit code: 1`,
    ].join('\n'),
    bothOf(`Uncaught exception in ${GROUP}`, `✘ ${GROUP} exited with a non-zero exit code: 1`),
  ],
  'an unhandled rejection in a file alone': [
    `  Unhandled rejection in ${START_BUILT}\n\n  Error: lost`,
    { [START]: [`Unhandled rejection in ${START_BUILT}`] },
  ],
  'a group that was killed': [`  ✘ ${GROUP} exited due to SIGKILL`, bothOf(`✘ ${GROUP} exited due to SIGKILL`)],
  'a process that ended itself': [
    `  ✘ Exiting due to process.exit() when running ${START_BUILT}`,
    { [START]: [`✘ Exiting due to process.exit() when running ${START_BUILT}`] },
  ],
  'a group that took too long': [
    [
      '  ✘ Timed out while running tests',
      '',
      `  2 tests were pending in ${GROUP}`,
      '',
      '  ◌ adapters › concurrency › slots › two run at once',
      '  ◌ adapters › concurrency › wait-queue › keys take turns',
      '',
      '  2 tests remained pending after a timeout',
    ].join('\n'),
    bothOf(`2 tests were pending in ${GROUP}`),
  ],
  'a file that took too long: one is told of as many are': [
    `  ✘ Timed out while running tests\n\n  1 tests were pending in ${START_BUILT}`,
    { [START]: [`1 tests were pending in ${START_BUILT}`] },
  ],
  'a process that does not end': [
    `  Failed to exit when running ${START_BUILT}`,
    { [START]: [`Failed to exit when running ${START_BUILT}`] },
  ],
}

for (const [what, [printed, failures, processes = PROCESSES]] of Object.entries(TABLE))
  test(`reads the failed tests from the output of AVA: ${what}`, (t) => {
    t.deepEqual(Object.fromEntries(failuresIn(printed, processes)), { ...failures })
  })

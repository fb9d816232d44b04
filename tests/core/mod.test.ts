import test from 'ava'
import { FailureError, failure, left, right, unwrap } from '../../core/failure.ts'
import type { RunnerCode } from '../../core/kernel/running/use-case.ts'
import type { KeyCode } from '../../core/office/idempotency-keys.ts'
import { openDoor } from './public-types.ts'

const { forgotten, nameless, documented } = openDoor()

test('the entry point of the core exports all types that its exports name', (t) => {
  t.deepEqual(forgotten(), [])
})

test('the types of all inputs and results of the facade can be imported', (t) => {
  t.deepEqual(nameless(), [])
})

/** Codes that are documented once, for every member and for those with a key. */
const SAID_OF_ALL: ReadonlySet<string> = new Set<RunnerCode | KeyCode>([
  'store.busy',
  'store.unavailable',
  'key.conflict',
  'key.malformed',
  'key.reused',
  'key.running',
])

/** Codes that a text names; `<one>.unknown` is any resource's. */
const named = (text: string): readonly RegExp[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => new RegExp(`^${code.replace(/<\w+>/g, '[\\w-]+')}$`))

test('the docstring of a member describes it and names every code that it fails with', (t) => {
  const members = documented()
  t.true(members.length > 50)
  for (const { name, text, codes } of members) {
    t.regex(text, /^[A-Z]/, name)
    const known = named(text)
    const untold = codes.filter((code) => !SAID_OF_ALL.has(code) && !known.some((pattern) => pattern.test(code)))
    t.deepEqual(untold, [], name)
  }
})

test('unwrap returns a value, throws a failure, and refuses a task that was not called or awaited', (t) => {
  t.is(unwrap(right(1)), 1)
  const unknown = left(failure('not-found', 'charge.unknown'))
  t.throws(() => unwrap(unknown), { instanceOf: FailureError, message: 'charge.unknown' })
  for (const wrong of [async () => right(1), Promise.resolve(right(1))])
    t.throws(() => unwrap(wrong as never), { instanceOf: TypeError, message: /await member\(input\)\(\)/ })
})

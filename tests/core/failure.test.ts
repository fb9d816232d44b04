import test from 'ava'
import { FailureError, failure, left, right, unwrap } from '../../core/failure.ts'

test('unwrap returns a value, throws a failure, and refuses a task that was not called or awaited', (t) => {
  t.is(unwrap(right(1)), 1)
  const unknown = left(failure('not-found', 'charge.unknown'))
  t.throws(() => unwrap(unknown), { instanceOf: FailureError, message: 'charge.unknown' })
  for (const wrong of [async () => right(1), Promise.resolve(right(1))])
    t.throws(() => unwrap(wrong as never), { instanceOf: TypeError, message: /await member\(input\)\(\)/ })
})

import test from 'ava'
import { MongoNetworkTimeoutError } from 'mongodb'
import { retryUnsent, timeoutFor, toStoreError, type WithTimeout } from '../../../adapters/mongodb/connection.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'

const withTimeout: WithTimeout = timeoutFor({ options: { serverSelectionTimeoutMS: 5, socketTimeoutMS: 5 } } as never)
const rejectUnsent = (): Promise<never> => Promise.reject(Object.assign(new Error('ended'), { code: 'EPIPE' }))

test('a driver that does not respond times out', async (t) => {
  const error = await t.throwsAsync(
    withTimeout(() => new Promise(() => {})),
    { instanceOf: MongoNetworkTimeoutError },
  )
  t.true(toStoreError(error) instanceof StoreUnavailable)
})

test('an unsent read is retried once, an unsent write is not', async (t) => {
  let requests = 0
  const second = () => {
    requests += 1
    return requests === 1 ? rejectUnsent() : Promise.resolve('result')
  }
  t.is(await retryUnsent(withTimeout, second), 'result')
  t.true(toStoreError(await t.throwsAsync(retryUnsent(withTimeout, rejectUnsent))) instanceof StoreUnavailable)
  requests = 0
  await t.throwsAsync(withTimeout(second))
  t.is(requests, 1)
})

test('other errors are not translated', (t) => {
  const error = new RangeError('wrong')
  t.is(toStoreError(error), error)
})

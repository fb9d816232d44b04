import test from 'ava'
import { twoStores } from '../two-stores.ts'
import { assertAccessEnds, assertBrokerBarred } from './two-processes.ts'

for (const [name, open] of Object.entries(twoStores)) {
  test(`a change of access counts from the next request on in two processes: ${name}`, async (t) =>
    assertAccessEnds(t, await open(t)))

  test(`a barred broker has no access from the next request on in two processes: ${name}`, async (t) =>
    assertBrokerBarred(t, await open(t)))
}

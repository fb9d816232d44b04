import test, { type ExecutionContext } from 'ava'
import { collectionsOf } from '../../../apps/host/host.ts'
import { payments } from '../../../apps/payments/app.ts'
import { realEstate } from '../../../apps/real-estate/app.ts'
import { assertAccessEnds, assertBrokerBarred } from '../../core/payments/access/two-processes.ts'
import {
  assertCodeOnce,
  assertGuessesCounted,
  assertPasskeyOnce,
  assertWrongCodesEnd,
  securedOn,
} from '../../core/payments/second-factor/two-processes.ts'
import type { TwoStores } from '../../core/payments/two-stores.ts'
import { onReplicaSet, openUntilEnd } from './replica-set.ts'

const secured =
  (assert: typeof assertCodeOnce) =>
  async (t: ExecutionContext, stores: TwoStores): Promise<void> =>
    assert(t, await securedOn(stores))

const RULES = {
  'accepts a code once': secured(assertCodeOnce),
  'ends a challenge at five wrong codes, and locks the factor at ten': secured(assertWrongCodesEnd),
  'compares five of many simultaneous codes': secured(assertGuessesCounted),
  'opens one session by simultaneous responses of a passkey and its copy': secured(assertPasskeyOnce),
  'a change of access counts from the next request on': assertAccessEnds,
  'a barred broker has no access from the next request on': assertBrokerBarred,
}

onReplicaSet(test, (server) => {
  for (const [title, assert] of Object.entries(RULES))
    test.serial(`${title}, in two processes on MongoDB`, async (t) => {
      t.timeout(120_000)
      const url = server.url()
      const open = () => openUntilEnd(t, url, collectionsOf([payments, realEstate]), { report: () => {} })
      await assert(t, [await open(), await open()])
    })
})

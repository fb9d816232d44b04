import test from 'ava'
import { collectionsOf } from '../../../apps/host/host.ts'
import { payments } from '../../../apps/payments/app.ts'
import {
  assertCodeOnce,
  assertGuessesCounted,
  assertPasskeyOnce,
  assertWrongCodesEnd,
  securedOn,
} from '../../core/payments/second-factor/two-processes.ts'
import { onReplicaSet, openUntilEnd } from './replica-set.ts'

const RULES = {
  'accepts a code once': assertCodeOnce,
  'ends a challenge at five wrong codes, and locks the factor at ten': assertWrongCodesEnd,
  'compares five of many simultaneous codes': assertGuessesCounted,
  'opens one session by simultaneous responses of a passkey and its copy': assertPasskeyOnce,
}

onReplicaSet(test, (server) => {
  for (const [title, assert] of Object.entries(RULES))
    test.serial(`${title}, in two processes on MongoDB`, async (t) => {
      t.timeout(120_000)
      const url = server.url()
      const open = () => openUntilEnd(t, url, collectionsOf([payments]), { report: () => {} })
      await assert(t, await securedOn([await open(), await open()]))
    })
})

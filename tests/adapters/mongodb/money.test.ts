import test, { type ExecutionContext } from 'ava'
import type { MongoStore } from '../../../adapters/mongodb/mod.ts'
import { collectionsOf } from '../../../apps/host/host.ts'
import { payments } from '../../../apps/payments/app.ts'
import { emptyDatabase } from '../../apps/fresh-store.ts'
import { assertLeavesOnce, KINDS } from '../../core/payments/money-out/assert-leaves-once.ts'
import { assertModel } from '../../core/payments/money-out/assert-model.ts'
import { assertStatements } from '../../core/payments/statements/assert-statements.ts'
import { FULL, printSeed } from '../../size.ts'
import { onReplicaSet, openUntilEnd } from './replica-set.ts'

type Body = (t: ExecutionContext, store: MongoStore, url: string) => Promise<unknown>

onReplicaSet(test, (server) => {
  const onStore = (title: string, timeoutMs: number, body: Body) =>
    test.serial(`${title}, on MongoDB`, async (t) => {
      t.timeout(timeoutMs)
      printSeed(t)
      const url = server.url()
      await body(t, await openUntilEnd(t, url, collectionsOf([payments]), { report: () => {} }), url)
    })

  for (const [name, kind] of Object.entries(KINDS))
    onStore(`R3: ${name} leaves at most once, whatever the bank answers`, 900_000, (t, store, url) =>
      // Creating the collections takes longer than a seed, so they are emptied instead.
      assertLeavesOnce(t, kind, FULL ? 50 : 1, async () => ({ store, end: () => emptyDatabase(url) })),
    )

  onStore('M11: random movements of money have the results of a model', 1_800_000, (t, store) =>
    assertModel(t, () => store, FULL ? { runs: 100, most: 50 } : { runs: 2, most: 20 }),
  )

  onStore('M10: every statement of a random ledger is the sum of its lines', 1_800_000, (t, store) =>
    assertStatements(t, () => store, FULL ? 500 : 4),
  )
})

import test from 'ava'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { collectionsOf } from '../../../../apps/host/host.ts'
import { payments } from '../../../../apps/payments/app.ts'
import { FULL, printSeed } from '../../../size.ts'
import { openSqlite } from '../../observed-store.ts'
import { assertModel } from './assert-model.ts'

/** Case M11: as much as the long tests have time for, less of it on the others. */
const MEMORY = FULL ? { runs: 2_000, most: 50 } : { runs: 25, most: 30 }
const SQLITE = FULL ? { runs: 100, most: 50 } : { runs: 5, most: 30 }

const tables = collectionsOf([payments])

test('M11: random commands have the results of the model, in memory', async (t) => {
  t.timeout(1_800_000)
  printSeed(t)
  await assertModel(t, () => memoryStore(tables), MEMORY)
})

test('M11: and on SQLite', async (t) => {
  t.timeout(1_800_000)
  printSeed(t)
  const store = await openSqlite(t, tables)
  await assertModel(t, () => store, SQLITE)
})

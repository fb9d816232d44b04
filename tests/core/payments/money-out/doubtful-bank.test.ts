// Runs alone.
import test from 'ava'
import { sqliteStore } from '../../../../adapters/sqlite/store.ts'
import { collectionsOf } from '../../../../apps/host/host.ts'
import { payments } from '../../../../apps/payments/app.ts'
import { someFile } from '../../../adapters/sqlite/file.ts'
import { FULL, printSeed } from '../../../size.ts'
import { assertLeavesOnce, KINDS, type OpenStore } from './assert-leaves-once.ts'

/** Of each kind; a hundred of all three together, and fewer on SQLite. */
const SEEDS = FULL ? 1_000 : 34
const ON_SQLITE = FULL ? 50 : 1

const onSqlite: OpenStore = async () => {
  const { path, remove } = await someFile()
  const store = await sqliteStore(path, collectionsOf([payments]))
  return { store, end: () => store.close().then(remove) }
}

for (const [name, kind] of Object.entries(KINDS)) {
  test.serial(`R3: ${name} leaves at most once and ends as the bank has it, in memory and on SQLite`, async (t) => {
    t.timeout(1_200_000)
    printSeed(t)
    await assertLeavesOnce(t, kind, SEEDS)
    await assertLeavesOnce(t, kind, ON_SQLITE, onSqlite)
  })
}

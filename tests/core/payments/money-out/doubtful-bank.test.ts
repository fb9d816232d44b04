// Runs alone.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { sqliteStore } from '../../../../adapters/sqlite/store.ts'
import { collectionsOf } from '../../../../apps/host/host.ts'
import { payments } from '../../../../apps/payments/app.ts'
import { FULL, printSeed } from '../../../size.ts'
import { assertLeavesOnce, KINDS, type OpenStore } from './assert-leaves-once.ts'

/** Of each kind; a hundred of all three together, and fewer on SQLite. */
const SEEDS = FULL ? 1_000 : 34
const ON_SQLITE = FULL ? 50 : 1

const onSqlite: OpenStore = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'portico-'))
  const store = await sqliteStore(join(directory, 'doubtful.db'), collectionsOf([payments]))
  const end = async () => {
    await store.close()
    rmSync(directory, { recursive: true })
  }
  return { store, end }
}

for (const [name, kind] of Object.entries(KINDS)) {
  test.serial(
    `R3: whatever the bank answers, or does not, ${name} leaves at most once and ends as the bank has it`,
    async (t) => {
      t.timeout(600_000)
      printSeed(t)
      await assertLeavesOnce(t, kind, SEEDS)
    },
  )

  test.serial(`R3: and so does ${name} on SQLite`, async (t) => {
    t.timeout(600_000)
    printSeed(t)
    await assertLeavesOnce(t, kind, ON_SQLITE, onSqlite)
  })
}

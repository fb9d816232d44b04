// Runs in test:long only.
// Runs alone.
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { openDatabase } from '../../../../adapters/sqlite/connection.ts'
import type { StoredShape } from '../../../../core/kernel/records/stored-shape.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { fixtures, folderOf } from '../fixtures.ts'
import { followedBy } from './release-after.ts'

const SOWN = 20_000

const standsIn = async (file: string): Promise<StoredShape> => {
  const database = await openDatabase(file)
  const row = database.prepare('SELECT shape FROM _shapes WHERE collection = ?').get(charges.name)
  database.close()
  return JSON.parse(String(row?.shape)).stands
}

for (const fixture of fixtures())
  test.serial(`over what ${fixture.release} left in a file, a release follows this one while it is used`, async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'portico-next-'))
    t.teardown(() => rm(directory, { recursive: true, force: true }))
    await cp(join(folderOf(fixture.release), 'sqlite'), directory, { recursive: true })
    const file = join(directory, 'portico.db')
    const place = { DATA_DIR: directory, STORE_URL: `sqlite:${file}` }
    await followedBy(t, { fixture, kept: fixture.sqlite, place, sown: SOWN, stands: () => standsIn(file) })
  })

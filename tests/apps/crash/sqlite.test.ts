// Runs in test:long only.
// Runs alone.
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { openDatabase } from '../../../adapters/sqlite/connection.ts'
import { openStore } from '../../../apps/host/open-store.ts'
import { payments } from '../../../apps/payments/app.ts'
import { folder } from '../host/disk.ts'
import { type CrashStore, crashRounds } from './rounds.ts'

const FILES = ['portico.db', 'portico.db-wal']

/** Reads a copy: only the next process may recover the file after a crash. */
const storeIn = (directory: string): CrashStore => ({
  url: `sqlite:${join(directory, 'portico.db')}`,
  // Its secrets are kept there, too.
  env: { DATA_DIR: directory },
  inspect: async (faultsOf) => {
    const copy = await mkdtemp(join(directory, 'copy-'))
    for (const name of FILES) await copyFile(join(directory, name), join(copy, name)).catch(ignoreMissing)
    const path = join(copy, 'portico.db')
    const store = await openStore(`sqlite:${path}`, payments.collections)
    const faults = await faultsOf(store)
    await store.close()
    const integrity = await integrityOf(path)
    await rm(copy, { recursive: true, force: true })
    return integrity === 'ok' ? faults : [`integrity_check: ${integrity}`, ...faults]
  },
})

const ignoreMissing = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'ENOENT') throw error
}

const integrityOf = async (path: string): Promise<unknown> => {
  const database = await openDatabase(path)
  const row = database.prepare('PRAGMA integrity_check').get()
  database.close()
  return row?.integrity_check
}

test('loses no answered change, repeats none and delivers every webhook when killed at random under load', async (t) => {
  const directory = await folder(t)
  await crashRounds(t, storeIn(directory))
})

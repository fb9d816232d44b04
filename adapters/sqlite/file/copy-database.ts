import { open as openFile } from 'node:fs/promises'
import { OWNER_ONLY_FILE } from '../../files/replace-file.ts'
import { type Connection, connect } from './connection.ts'
import { type OpenDatabase, openDatabase } from './driver.ts'
import { patiently } from './patience.ts'

/** How long a copy waits for a process that recovers the file after a crash. */
const WAIT_MS = 30_000

/**
 * Copies a database as of one instant to a file that does not exist yet, while other processes read and write it: a reader
 * blocks no writer. The copy is one file without a log, readable by its owner alone, and on the disk once this resolves.
 */
export const copyDatabase = async (from: string, to: string, open = openDatabase): Promise<void> => {
  const file = await openFile(to, 'wx', OWNER_ONLY_FILE)
  try {
    await file.chmod(OWNER_ONLY_FILE)
    await reading(from, open, (connection) => connection.run('VACUUM INTO ?', to))
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Returns the first damage of a database file that SQLite finds in its pages and indexes; null for a sound file. */
export const damageOf = async (path: string, open = openDatabase): Promise<string | null> => {
  const row = await reading(path, open, (connection) => connection.get('PRAGMA integrity_check(1)'))
  const found = String(row?.integrity_check)
  return found === 'ok' ? null : found
}

const reading = async <T>(path: string, open: OpenDatabase, work: (connection: Connection) => T): Promise<T> => {
  const database = await open(path, { readOnly: true })
  try {
    const connection = await patiently(() => connect(database, { readOnly: true }), WAIT_MS)
    return await patiently(() => work(connection), WAIT_MS)
  } finally {
    database.close()
  }
}

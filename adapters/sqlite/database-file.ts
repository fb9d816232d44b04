import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open as openFile, readFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeFile, OWNER_ONLY_FILE } from '../files/replace-file.ts'
import { type Connection, connect, type OpenDatabase, openDatabase, retryWhileBusy } from './connection.ts'

/**
 * Makes a database file where there is none: SQLite would begin with an empty one, and a crash or a full disk leave it so.
 * It is its owner's alone, and SQLite gives the same rights to what it puts beside it. Whoever is first of several processes
 * makes it.
 */
export const createDatabaseFile = async (file: string, open: OpenDatabase): Promise<void> => {
  if (existsSync(file)) return
  const draft = join(dirname(file), `.${randomUUID()}.tmp`)
  try {
    // A copy: SQLite may still have the draft open for a while, and takes a second name of a file for the first.
    await makeFile(dirname(file), basename(file), await headerOf(draft, open))
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) await rm(`${draft}${end}`, { force: true })
  }
}

/** What a database begins with once its journal mode is set. */
const headerOf = async (draft: string, open: OpenDatabase): Promise<Uint8Array> => {
  const database = await open(draft)
  try {
    connect(database).close()
  } catch (error) {
    database.close()
    throw error
  }
  const header = await readFile(draft)
  if (header.length === 0) throw new Error('nothing can be written there')
  return header
}

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
export const findDamage = async (path: string, open = openDatabase): Promise<string | null> => {
  const row = await reading(path, open, (connection) => connection.get('PRAGMA integrity_check(1)'))
  const found = String(row?.integrity_check)
  return found === 'ok' ? null : found
}

const reading = async <T>(path: string, open: OpenDatabase, work: (connection: Connection) => T): Promise<T> => {
  const database = await open(path, { readOnly: true })
  try {
    const connection = await retryWhileBusy(() => connect(database, { readOnly: true }), WAIT_MS)
    return await retryWhileBusy(() => work(connection), WAIT_MS)
  } finally {
    database.close()
  }
}

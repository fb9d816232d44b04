import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open as openFile, readFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createFile, OWNER_ONLY_FILE } from '../files/disk-files.ts'
import { type Connection, connect, type OpenDatabase, openDatabase, retryWhileBusy } from './connection.ts'

/**
 * Creates a database file, if there is none, in one step: SQLite would create an empty file first, and a crash or a
 * full disk would leave it. Only its owner can read it; SQLite gives its log the same rights. Of several processes, the
 * first creates it.
 */
export const createDatabaseFile = async (file: string, open: OpenDatabase): Promise<void> => {
  if (existsSync(file)) return
  const draft = join(dirname(file), `.${randomUUID()}.tmp`)
  try {
    // A copy, because SQLite may still have the draft open, and treats a second name of a file as the same file.
    await createFile(dirname(file), basename(file), await headerOf(draft, open))
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) await rm(`${draft}${end}`, { force: true })
  }
}

/** Returns the bytes of an empty database with its journal mode. */
const headerOf = async (draft: string, open: OpenDatabase): Promise<Uint8Array> => {
  const database = await open(draft)
  try {
    connect(database).close()
  } catch (error) {
    database.close()
    throw error
  }
  const header = await readFile(draft)
  if (header.length === 0) throw new Error('the directory cannot be written')
  return header
}

/** The longest wait for a process that recovers the file after a crash. */
const WAIT_MS = 30_000

/**
 * Copies a database as of one instant to a new file, while other processes read and write it. The copy is one file
 * without a log, which only its owner can read, and is on the disk when this resolves.
 */
export const copyDatabase = async (from: string, to: string, open = openDatabase): Promise<void> => {
  const file = await openFile(to, 'wx', OWNER_ONLY_FILE)
  try {
    await file.chmod(OWNER_ONLY_FILE)
    await withReader(from, open, (connection) => connection.run('VACUUM INTO ?', to))
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Returns the first damage of a database file that SQLite finds in its pages and indexes; null for a sound file. A file
 * without a store is damaged, too: to SQLite, an empty file is an empty database.
 */
export const findDamage = (path: string, open = openDatabase): Promise<string | null> =>
  withReader(path, open, (connection) => {
    const found = String(connection.get('PRAGMA integrity_check(1)')?.integrity_check)
    if (found !== 'ok') return found
    return connection.get(STORE_TABLE) === undefined ? 'it has no store' : null
  })

const STORE_TABLE = "SELECT 1 FROM sqlite_schema WHERE name = '_shapes'"

const withReader = async <T>(path: string, open: OpenDatabase, work: (connection: Connection) => T): Promise<T> => {
  const database = await open(path, { readOnly: true })
  try {
    const connection = await retryWhileBusy(() => connect(database, { readOnly: true }), WAIT_MS)
    return await retryWhileBusy(() => work(connection), WAIT_MS)
  } finally {
    database.close()
  }
}

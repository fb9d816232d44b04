import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeFile } from '../../files/replace-file.ts'
import { connect } from './connection.ts'
import type { OpenDatabase } from './driver.ts'

/**
 * Makes a database file where there is none: SQLite would begin with an empty one, and a crash or a full disk leave it so.
 * It is its owner's alone, and SQLite gives the same rights to what it puts beside it. Whoever is first of several processes
 * makes it.
 */
export const makeDatabase = async (file: string, open: OpenDatabase): Promise<void> => {
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

import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { createFile, makeDirectories } from '../../adapters/files/disk-files.ts'
import { secretPath } from '../../adapters/node/secrets.ts'
import { CannotStart, type PorticoSettings } from '../host/environment.ts'
import {
  asOneLine,
  FILES,
  hasDataKey,
  keysIn,
  openForReading,
  runCopying,
  STORE_FILE,
  say,
  storedFiles,
  storeFileOf,
  verifyCopy,
} from './copy.ts'

const USAGE = 'portico restore DIR'

/** Restores a copy where there is no store; reports whether the audit of the copy found no fault. */
const restore = async (words: readonly string[], settings: PorticoSettings): Promise<boolean> => {
  const [directory, ...more] = words
  if (directory === undefined || more.length > 0 || directory.startsWith('-')) throw new CannotStart(USAGE)
  const from = resolve(directory)
  const store = resolve(storeFileOf(settings, 'restore', from))
  const copy = join(from, STORE_FILE)
  if (!existsSync(copy)) throw new CannotStart(`${from} is no backup: it has no ${STORE_FILE}`)
  await refuseStore(store)
  // Before anything is made: a newer release alone can restore its copies.
  await (await openForReading(copy))?.close()
  const isSound = await place({ from, store, settings })
  if (!isSound) say('the copy has the faults above, and so has the restored store')
  say(`restore: ${store}`)
  if (!hasDataKey(settings))
    say(
      `DATA_KEY is not in this copy: set it before the start, or put it in ${secretPath(settings.DATA_DIR, 'data-key')}`,
    )
  return isSound
}

/** Throws `CannotStart` if there is a store, or what SQLite would take for its latest commits. */
const refuseStore = async (store: string): Promise<void> => {
  for (const end of ['', '-wal', '-journal']) {
    const path = `${store}${end}`
    const size = (await stat(path).catch(() => null))?.size ?? 0
    if (size > 0) throw new CannotStart(`STORE_URL: ${path} is not empty: move it away, or name another place`)
  }
}

interface Restoring {
  readonly from: string
  readonly store: string
  readonly settings: PorticoSettings
}

/** Verifies a copy and puts it in place, the store last. What it made is removed if it fails. */
const place = async ({ from, store, settings }: Restoring): Promise<boolean> => {
  const { DATA_DIR } = settings
  const made: string[] = []
  const makeDirectory = async (path: string): Promise<void> => {
    const first = await makeDirectories(path)
    if (first !== undefined) made.push(first)
  }
  const copyOne = async (source: string, directory: string, name: string): Promise<boolean> => {
    const isMade = await createFile(directory, name, createReadStream(source))
    if (isMade) made.push(join(directory, name))
    return isMade
  }
  try {
    for (const path of [dirname(store), DATA_DIR]) await makeDirectory(path)
    const isSound = await verifyCopy({
      directory: from,
      scratch: join(dirname(store), `.${randomUUID()}.tmp`),
      settings: { ...settings, STORE_URL: `sqlite:${join(from, STORE_FILE)}`, ...keyPlace(from, settings) },
    })
    const names = [...(await storedFiles(join(from, FILES))).keys()]
    if (names.length > 0) await makeDirectory(join(DATA_DIR, FILES))
    for (const name of names) await copyOne(join(from, FILES, name), join(DATA_DIR, FILES), name)
    say(`files: ${names.length}`)
    const keys: string[] = []
    // Those that `DATA_DIR` has stay.
    for (const name of keysIn(from, settings)) if (await copyOne(join(from, name), DATA_DIR, name)) keys.push(name)
    if (keys.length > 0) say(`keys: ${keys.join(', ')}`)
    for (const end of ['', '-wal', '-shm', '-journal']) await removeEmpty(`${store}${end}`)
    if (!(await copyOne(join(from, STORE_FILE), dirname(store), basename(store))))
      throw new CannotStart(`STORE_URL: another process has just created ${store}`)
    return isSound
  } catch (error) {
    for (const path of made.reverse()) await rm(path, { recursive: true, force: true })
    throw asOneLine(`${store}: the copy cannot be restored`, error)
  }
}

/** The place of the key that must open the copy: the copy's own one only if no other is set. */
const keyPlace = (from: string, settings: PorticoSettings): Partial<PorticoSettings> =>
  hasDataKey(settings) ? {} : { DATA_DIR: from }

/** Removes the empty file that a lost store leaves, and the index of its log: `refuseStore` has refused any other. */
const removeEmpty = async (path: string): Promise<void> => {
  if (path.endsWith('-shm') || (await stat(path).catch(() => null))?.size === 0) await rm(path, { force: true })
}

await runCopying('restore', restore)

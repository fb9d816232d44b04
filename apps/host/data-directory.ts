import type { Stats } from 'node:fs'
import { chmod, lstat, readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { makeDirectory, OWNER_ONLY_DIRECTORY, OWNER_ONLY_FILE } from '../../adapters/files/replace-file.ts'
import type { PorticoSettings } from './environment.ts'
import { sqlitePath } from './open-store.ts'

/** Told in one line each what an operator should know of. */
export type Warn = (line: string) => void

/** What SQLite keeps beside a store while it is open, or was when it crashed. */
const BESIDE = ['', '-wal', '-shm', '-journal']
const OTHERS = 0o077
const FOLDERS = ['files', 'outbox']
/** What is put into `DATA_DIR` besides a store, what a crash may leave of it, and what a new disk comes with. */
const OURS = /^(jwt-secret|data-key)(\.\d+)?$|^(outbox|files|lost\+found)$|^\.[\da-f-]{36}\.tmp(-\w+)?$/

/**
 * Sees to it that `DATA_DIR`, the secrets in it and the store, wherever it is, are their owner's alone; earlier releases
 * left the store open to others. A folder that holds anything else than ours (a home, `/tmp`) is never touched.
 */
export const ownDataDirectory = async (
  { DATA_DIR, STORE_URL }: Pick<PorticoSettings, 'DATA_DIR' | 'STORE_URL'>,
  warn: Warn,
): Promise<void> => {
  const store = sqlitePath(STORE_URL)
  const stores = store === null ? [] : BESIDE.map((end) => `${store}${end}`)
  // Whoever cannot do without it says so better: with secrets and store elsewhere it may not be needed at all.
  if (store !== null) await makeDirectory(DATA_DIR).catch(() => {})
  // Where there are no users there are no rights of theirs to take away.
  if (process.getuid === undefined) return
  const isIn = (path: string): boolean => resolve(dirname(path)) === resolve(DATA_DIR)
  const names = new Set(stores.filter(isIn).map((path) => basename(path)))
  const isOurs = (name: string): boolean => OURS.test(name) || names.has(name)
  await tightenDirectory(DATA_DIR, isOurs, warn)
  const secrets = ['jwt-secret', 'data-key'].map((name) => join(DATA_DIR, name))
  for (const path of [...secrets, ...stores]) await tighten(path, OWNER_ONLY_FILE, warn)
}

const tightenDirectory = async (path: string, isOurs: (name: string) => boolean, warn: Warn): Promise<void> => {
  const found = await openToOthers(path)
  if (found === null) return
  const names = await readdir(path).catch(() => null)
  if (names?.every(isOurs)) {
    // What earlier releases put into the folders is open, and out of reach from now on.
    for (const name of ['', ...FOLDERS]) await tighten(join(path, name), OWNER_ONLY_DIRECTORY, warn)
  } else warn(`${shown(path, found)}, and stays so: it holds what is not ours`)
}

const tighten = async (path: string, mode: number, warn: Warn): Promise<void> => {
  const found = await openToOthers(path)
  if (found === null) return
  const leave = (why: string): void => warn(`${shown(path, found)}, and stays so: ${why}`)
  // Root may change what is another's, and is not to.
  if (found.uid !== process.getuid?.()) leave('it belongs to another user')
  else await chmod(path, mode).catch((error: Error) => leave(error.message))
}

/** What others than its owner may use, else null. */
const openToOthers = async (path: string): Promise<Stats | null> => {
  const found = await lstat(path).catch(() => null)
  // Where a link leads is somebody else's affair.
  return found !== null && !found.isSymbolicLink() && (found.mode & OTHERS) !== 0 ? found : null
}

const shown = (path: string, { mode }: Stats): string =>
  `${path} is open to others (mode ${(mode & 0o7777).toString(8)})`

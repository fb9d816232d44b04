import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { digest } from '../../adapters/crypto/cipher.ts'
import { diskFiles, makeDirectories, makeDirectory } from '../../adapters/files/disk-files.ts'
import { secretPath } from '../../adapters/node/secrets.ts'
import { findDamage } from '../../adapters/sqlite/database-file.ts'
import { sqliteStore } from '../../adapters/sqlite/store.ts'
import { type Store, StoreUnavailable, StoreUnwritable } from '../../core/ports/store.ts'
import { findings, printFindings } from '../audit/findings.ts'
import { CannotStart, type PorticoSettings, readEnvironment, storeKind } from '../host/environment.ts'
import { collectionsOf } from '../host/host.ts'
import { sqlitePath, whyOf } from '../host/open-store.ts'
import { runProgram } from '../host/run.ts'
import { checkSecrets } from '../host/secrets.ts'
import { payments } from '../payments/app.ts'
import { realEstate } from '../real-estate/app.ts'

/** The entries of a copy. They are named as in `DATA_DIR`. */
export const STORE_FILE = 'portico.db'
export const FILES = 'files'
const KEYS = ['data-key', 'jwt-secret'] as const

const apps = [payments, realEstate]
const collections = collectionsOf(apps)

/** Runs a program on the words after its name; its exit code is 1 if the audit found a fault. */
export const runCopying = (
  name: 'backup' | 'restore',
  program: (words: readonly string[], settings: PorticoSettings) => Promise<boolean>,
): Promise<void> => {
  // A reader that closes the pipe early, such as `head`, must not leave a copy half written.
  process.stdout.on('error', () => {})
  return runProgram(async () => {
    const words = process.argv.slice(2).filter((word, at) => at > 0 || word !== name)
    process.exitCode = (await program(words, readEnvironment(process.env))) ? 0 : 1
  })
}

export const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** Returns the file of the store. Throws `CannotStart` with the command to run instead if the store is no file. */
export const storeFileOf = (
  { STORE_URL }: PorticoSettings,
  program: 'backup' | 'restore',
  directory: string,
): string => {
  const path = sqlitePath(STORE_URL)
  if (path !== null) return path
  if (storeKind(STORE_URL) === 'memory')
    throw new CannotStart('STORE_URL: a store in memory ends with its process: keep one by STORE_URL=sqlite:PATH')
  const tool = program === 'backup' ? 'mongodump' : 'mongorestore'
  const words = [tool, ...mongoOptions(STORE_URL), '--gzip', `--archive=${quoted(`${directory}.archive.gz`)}`]
  throw new CannotStart(
    `STORE_URL: portico cannot ${program} a MongoDB store; stop the servers and run: ${words.join(' ')}`,
  )
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const CREDENTIAL = /password|username|authmechanismproperties/i

/** The options that name a database, without the credentials of its URL: the tools ask for the password. */
const mongoOptions = (url: string): readonly string[] => {
  const [scheme = '', rest = ''] = url.split(/(?<=^mongodb(?:\+srv)?:\/\/)/)
  const end = rest.lastIndexOf('@')
  const [address = '', query = ''] = rest.slice(end + 1).split(/\?(.*)/s)
  const options = query.split('&').filter((option) => option !== '' && !CREDENTIAL.test(option.split('=')[0] ?? ''))
  const uri = `${scheme}${address}${options.length > 0 ? `?${options.join('&')}` : ''}`
  return [`--uri=${quoted(uri)}`, ...(end < 0 ? [] : ['--username=USER'])]
}

/**
 * Fills a directory that is empty or missing, whole or not at all: if `work` fails, what it wrote is removed. Throws
 * `CannotStart`.
 */
export const fillDirectory = async <T>(directory: string, work: (draft: string) => Promise<T>): Promise<T> => {
  const draft = join(directory, `.${randomUUID()}.tmp`)
  let made: string | undefined
  try {
    made = await makeDirectories(directory)
    if ((await readdir(directory)).some((name) => name !== 'lost+found'))
      throw new CannotStart(`${directory} is not empty: name a new directory`)
    await makeDirectory(draft)
  } catch (error) {
    if (made !== undefined) await rm(made, { recursive: true, force: true })
    throw asOneLine(`${directory} cannot be written`, error)
  }
  try {
    const result = await work(draft)
    // The store is copied last: a directory without it is not a complete copy.
    const names = (await readdir(draft)).sort((a, b) => Number(a === STORE_FILE) - Number(b === STORE_FILE))
    for (const name of names) await rename(join(draft, name), join(directory, name))
    await rmdir(draft)
    await syncDirectory(directory)
    return result
  } catch (error) {
    const written = [draft, ...[STORE_FILE, FILES, ...KEYS].map((name) => join(directory, name))]
    for (const path of made === undefined ? written : [made]) await rm(path, { recursive: true, force: true })
    throw asOneLine(`${directory}: the copy cannot be made`, error)
  }
}

/** The failure of a disk or a database as the one line that an operator gets; any other error as it is. */
export const asOneLine = (what: string, error: unknown): unknown => {
  const isOperators = error instanceof StoreUnavailable || (error instanceof Error && 'code' in error)
  return isOperators && !(error instanceof CannotStart) ? new CannotStart(`${what}: ${whyOf(error)}`) : error
}

const syncDirectory = async (path: string): Promise<void> => {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/**
 * Opens a store file for reading; null if this release would have to upgrade it first. Throws `CannotStart` if it
 * cannot be opened, or a newer release has written it.
 */
export const openForReading = async (path: string): Promise<Store | null> => {
  try {
    return await sqliteStore(path, collections, { readOnly: true })
  } catch (error) {
    if (error instanceof StoreUnwritable) return null
    throw new CannotStart(`STORE_URL: ${path} cannot be read: ${whyOf(error)}`)
  }
}

/** The place of a copy, and of the secrets that open it. */
export interface Copy {
  readonly directory: string
  /** The path of a second copy that is upgraded for the audit, if an earlier release wrote this one. */
  readonly scratch: string
  readonly settings: PorticoSettings
}

/**
 * Verifies a copy: the pages of its database, the key, and all that `portico audit` verifies, a line each. Reports
 * whether the audit found no fault. Throws `CannotStart` if the database is damaged or sealed with another key.
 */
export const verifyCopy = async ({ directory, scratch, settings }: Copy): Promise<boolean> => {
  const path = join(directory, STORE_FILE)
  const damage = await findDamage(path)
  if (damage !== null) throw new CannotStart(`${path} is damaged: ${damage}`)
  say('database: sound')
  const store = (await openForReading(path)) ?? (await openUpgraded(path, scratch))
  try {
    if (hasDataKey(settings)) await checkSecrets(store, apps, settings)
    const files = diskFiles({ directory: join(directory, FILES) })
    return await printFindings(findings({ store, digest, files }, collections))
  } finally {
    await store.close()
    for (const end of ['', '-wal', '-shm']) await rm(`${scratch}${end}`, { force: true })
  }
}

const openUpgraded = async (path: string, scratch: string): Promise<Store> => {
  say('audit: of a second copy that this release upgrades, and removes')
  await copyFile(path, scratch)
  return sqliteStore(scratch, collections)
}

/** Reports whether the key of stored secrets is set or in `DATA_DIR`. */
export const hasDataKey = ({ DATA_KEY, DATA_DIR }: Pick<PorticoSettings, 'DATA_KEY' | 'DATA_DIR'>): boolean =>
  DATA_KEY !== null || existsSync(secretPath(DATA_DIR, 'data-key'))

/** Returns the names of the secrets in a directory that the environment does not set. */
export const keysIn = (directory: string, { DATA_KEY, JWT_SECRET }: PorticoSettings) =>
  KEYS.filter(
    (name) => (name === 'data-key' ? DATA_KEY : JWT_SECRET) === null && existsSync(secretPath(directory, name)),
  )

/** Returns the stored files of a directory by name, each with a mark of its version. Drafts are left out. */
export const storedFiles = async (directory: string): Promise<ReadonlyMap<string, string>> => {
  const entries = existsSync(directory) ? await readdir(directory, { withFileTypes: true }) : []
  const found = new Map<string, string>()
  for (const entry of entries) {
    if (!entry.isFile() || entry.name.startsWith('.')) continue
    const about = await stat(join(directory, entry.name)).catch(() => null)
    if (about) found.set(entry.name, `${about.ino} ${about.mtimeMs} ${about.size}`)
  }
  return found
}

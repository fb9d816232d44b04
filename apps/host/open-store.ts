import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { diskFiles } from '../../adapters/files/disk-files.ts'
import { memoryFiles } from '../../adapters/files/memory-files.ts'
import { memoryStore } from '../../adapters/memory/memory-store.ts'
import { secretPath } from '../../adapters/node/secrets.ts'
import { sqliteStore } from '../../adapters/sqlite/store.ts'
import type { AnyCollection } from '../../core/kernel/records/record.ts'
import type { Files } from '../../core/ports/files.ts'
import type { Store, Superseded } from '../../core/ports/store.ts'
import { CannotStart, isShared, type PorticoSettings } from './environment.ts'

const SQLITE = 'sqlite:'

/** Returns the file of a SQLite store; null for any other. */
export const sqlitePath = (url: string): string | null => (url.startsWith(SQLITE) ? url.slice(SQLITE.length) : null)

export interface StoreOptions {
  /** Receives one line when a newer release takes the store over. */
  readonly superseded?: Superseded
  /** Receives lines for the operator. */
  readonly report?: (line: string) => void
  /** Refuses a MongoDB database without a store, instead of creating one. For a file, `requireStore` does. */
  readonly mustExist?: boolean
  /** Aborted when the process stops: the store then waits less for writes of other processes. */
  readonly stopping?: AbortSignal
}

/** An opened store. Its type names no adapter: the types of the driver may be absent. */
export interface OpenedStore extends Store {
  /** The files that it stores itself. */
  readonly files?: Files
}

/** Opens the store of a URL. Throws `CannotStart`. */
export const openStore = async (
  url: string,
  collections: readonly AnyCollection[],
  options: StoreOptions = {},
): Promise<OpenedStore> => {
  if (isShared(url))
    return opened('the MongoDB store', async () => (await mongoDb()).mongoStore(url, collections, options))
  const path = sqlitePath(url)
  if (path === null) return memoryStore(collections)
  return opened(path, () => sqliteStore(path, collections, options))
}

/** Opens a store for programs that must not create one. Throws `CannotStart`. */
export const openExistingStore: typeof openStore = (url, collections, options) =>
  openStore(url, collections, { ...options, mustExist: true })

/** Imports the MongoDB store, whose driver is an optional dependency. */
const mongoDb = async () => {
  try {
    return await import('../../adapters/mongodb/mod.ts')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    throw isMissing ? new Error('its driver is not installed: npm install mongodb') : error
  }
}

/** The default store up to 0.10.0, independent of `DATA_DIR`. */
const EARLIER_STORE = './data/portico.db'

/**
 * Throws `CannotStart` if the file of the store is missing and generated secrets, or the default place of earlier
 * releases, show that it existed: a new store in its place would hide the loss.
 */
export const refuseMissing = (
  { STORE_URL, isStoreDefault, ...settings }: PorticoSettings,
  earlierStore = EARLIER_STORE,
): void => {
  const path = sqlitePath(STORE_URL)
  if (path === null) return
  // Before the store file: another process that creates a store writes the file before the secrets.
  const secret = generatedSecret(settings)
  if (existsSync(path)) return
  const earlier = isStoreDefault && isOfEarlierRelease(earlierStore) ? earlierStore : null
  if (secret === null && earlier === null) return
  const because = [
    ...(secret === null ? [] : [`${secret} is the secret of a store`]),
    ...(earlier === null ? [] : [`${earlier}, the default up to 0.10.0, is there`]),
  ]
  const remedy =
    earlier === null
      ? `put that store back or name it by STORE_URL, or remove ${secret} to begin a new store`
      : `move it, with its -wal and -shm, to ${path}, or set STORE_URL=sqlite:${earlier}`
  throw new CannotStart(`STORE_URL: there is no ${path}, and ${because.join(', and ')}: ${remedy}`)
}

/** Returns the file of a generated secret that is in use; null if there is none. */
const generatedSecret = ({
  DATA_DIR,
  DATA_KEY,
  JWT_SECRET,
}: Pick<PorticoSettings, 'DATA_DIR' | 'DATA_KEY' | 'JWT_SECRET'>): string | null => {
  const generated = [
    ...(DATA_KEY === null ? [secretPath(DATA_DIR, 'data-key')] : []),
    ...(JWT_SECRET === null ? [secretPath(DATA_DIR, 'jwt-secret')] : []),
  ]
  return generated.find(existsSync) ?? null
}

/** Reports whether a store exists without a key beside it, because its `DATA_DIR` was elsewhere. */
const isOfEarlierRelease = (path: string): boolean =>
  existsSync(path) && !existsSync(secretPath(dirname(path), 'data-key'))

/**
 * Throws `CannotStart` if the file of the store is empty and a secret shows that it was not: a new store in its place
 * would hide the loss. A new store is never empty.
 */
export const refuseEmptied = async ({ STORE_URL, DATA_DIR, DATA_KEY, NODE_ENV }: PorticoSettings): Promise<void> => {
  const path = sqlitePath(STORE_URL)
  const isEmpty = path !== null && (await stat(path).catch(() => null))?.size === 0
  if (!isEmpty) return
  const file = (['data-key', 'jwt-secret'] as const).map((name) => secretPath(DATA_DIR, name)).find(existsSync)
  const secret = file ?? (DATA_KEY !== null && NODE_ENV === 'production' ? 'DATA_KEY' : null)
  if (secret === null) return
  const remedy = 'restore it from a copy, or remove the empty file to begin a new store'
  throw new CannotStart(`STORE_URL: ${path} is empty (0 bytes), but ${secret} is the secret of a store: ${remedy}`)
}

/**
 * Throws `CannotStart` if the file of the store is missing or was emptied, for programs that verify a store and must
 * not create one.
 */
export const requireStore = async (settings: PorticoSettings): Promise<void> => {
  refuseMissing(settings)
  const path = sqlitePath(settings.STORE_URL)
  if (path !== null && !existsSync(path)) throw new CannotStart(`STORE_URL: there is no ${path}`)
  await refuseEmptied(settings)
}

const opened = async <S extends Store>(what: string, open: () => Promise<S>): Promise<S> => {
  try {
    return await open()
  } catch (error) {
    const [fault, why] = [`${what} cannot be opened`, whyOf(error)]
    throw new CannotStart(`STORE_URL: ${why.startsWith(fault) ? why : `${fault}: ${why}`}`)
  }
}

/** Returns the message of an error of a store, with its cause if that adds anything. */
export const whyOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  return cause instanceof Error && !message.includes(cause.message) ? `${message}: ${cause.message}` : message
}

/** Opens the files that belong to a store: they last as long, and the same processes share them. */
export const openFiles = (
  store: OpenedStore,
  { STORE_URL, DATA_DIR }: Pick<PorticoSettings, 'STORE_URL' | 'DATA_DIR'>,
): Files => {
  if (store.files) return store.files
  return STORE_URL === 'memory:' ? memoryFiles() : diskFiles({ directory: join(DATA_DIR, 'files') })
}

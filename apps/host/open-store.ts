import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { diskFiles } from '../../adapters/files/disk-files.ts'
import { memoryFiles } from '../../adapters/files/memory-files.ts'
import { memoryStore } from '../../adapters/memory/memory-store.ts'
import type { MongoStore } from '../../adapters/mongodb/mod.ts'
import { secretPath } from '../../adapters/node/secrets.ts'
import { sqliteStore } from '../../adapters/sqlite/store.ts'
import type { AnyCollection } from '../../core/kernel/records/collection.ts'
import type { Files } from '../../core/ports/files.ts'
import type { Store, Superseded } from '../../core/ports/store.ts'
import { CannotStart, isShared, type PorticoSettings } from './environment.ts'

const SQLITE = 'sqlite:'

/** The file of a store that is one, else null. */
export const sqlitePath = (url: string): string | null => (url.startsWith(SQLITE) ? url.slice(SQLITE.length) : null)

/** Who is told, in one line each: that a newer release took the store over, and what an operator should know of it. */
export interface StoreOptions {
  readonly superseded?: Superseded
  readonly report?: (line: string) => void
  /** Aborted once the process was told to stop: a store in which others hold what is written waits less from then on. */
  readonly stopping?: AbortSignal
}

/** Opens the store that a URL names. Throws `CannotStart` where it cannot be opened. */
export const openStore = async (
  url: string,
  collections: readonly AnyCollection[],
  options: StoreOptions = {},
): Promise<Store | MongoStore> => {
  if (isShared(url))
    return opened('the MongoDB store', async () => (await mongoDb()).mongoStore(url, collections, options))
  const path = sqlitePath(url)
  if (path === null) return memoryStore(collections)
  return opened(path, () => sqliteStore(path, collections, options))
}

/** Its driver is there only where it was installed. */
const mongoDb = async () => {
  try {
    return await import('../../adapters/mongodb/mod.ts')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    throw isMissing ? new Error('its driver is not installed: npm install mongodb') : error
  }
}

/** The default store up to 0.10.0, wherever `DATA_DIR` was. */
const EARLIER_STORE = './data/portico.db'

/**
 * Throws `CannotStart` if the file of the store is missing and generated secrets, or the default place of earlier releases,
 * show that there was one: a new store in its place would hide the loss.
 */
export const refuseMissing = (
  { STORE_URL, isStoreDefault, ...settings }: PorticoSettings,
  earlierStore = EARLIER_STORE,
): void => {
  const path = sqlitePath(STORE_URL)
  if (path === null) return
  // In this order: another process that begins the store makes the file before the secrets.
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

/** The file of a secret that is used and was generated; null if there is none. */
const generatedSecret = ({
  DATA_DIR,
  DATA_KEY,
  JWT_SECRET,
}: Pick<PorticoSettings, 'DATA_DIR' | 'DATA_KEY' | 'JWT_SECRET'>): string | null => {
  const kept = [
    ...(DATA_KEY === null ? [secretPath(DATA_DIR, 'data-key')] : []),
    ...(JWT_SECRET === null ? [secretPath(DATA_DIR, 'jwt-secret')] : []),
  ]
  return kept.find(existsSync) ?? null
}

/** Reports whether a store is there whose `DATA_DIR` was elsewhere: any other has its key beside it. */
const isOfEarlierRelease = (path: string): boolean =>
  existsSync(path) && !existsSync(secretPath(dirname(path), 'data-key'))

/**
 * Throws `CannotStart` where the file of the store is empty and a key shows that it was not: whoever goes on with it would
 * take a store that was lost for a new one. No store of ours is empty, not even the first moment.
 */
export const refuseEmptied = async ({ STORE_URL, DATA_DIR, DATA_KEY, NODE_ENV }: PorticoSettings): Promise<void> => {
  const path = sqlitePath(STORE_URL)
  const isEmpty = path !== null && (await stat(path).catch(() => null))?.size === 0
  if (!isEmpty) return
  const kept = (['data-key', 'jwt-secret'] as const).map((name) => secretPath(DATA_DIR, name)).find(existsSync)
  const key = kept ?? (DATA_KEY !== null && NODE_ENV === 'production' ? 'DATA_KEY' : null)
  if (key === null) return
  const remedy = 'put it back from a copy, or remove the empty file to begin a new store'
  throw new CannotStart(
    `STORE_URL: ${path} is empty (0 bytes), and there are secrets of a store that is not (${key}): ${remedy}`,
  )
}

const opened = async <S extends Store>(what: string, open: () => Promise<S>): Promise<S> => {
  try {
    return await open()
  } catch (error) {
    const [fault, why] = [`${what} cannot be opened`, whyOf(error)]
    throw new CannotStart(`STORE_URL: ${why.startsWith(fault) ? why : `${fault}: ${why}`}`)
  }
}

/** What an operator is told of a store: with what its driver said, where that says more. */
export const whyOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  return cause instanceof Error && !message.includes(cause.message) ? `${message}: ${cause.message}` : message
}

/** Files last as long as the store does, and every process that shares the one shares the other. */
export const openFiles = (
  store: Store | MongoStore,
  { STORE_URL, DATA_DIR }: Pick<PorticoSettings, 'STORE_URL' | 'DATA_DIR'>,
): Files => {
  if ('files' in store) return store.files
  return STORE_URL === 'memory:' ? memoryFiles() : diskFiles({ directory: join(DATA_DIR, 'files') })
}

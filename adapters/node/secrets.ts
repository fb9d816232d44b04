import { randomBytes } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensure } from '../../core/kernel/records/record.ts'
import { DATA_KEY_CHECK, keyCheckOf, keyChecks, matchesKeyCheck } from '../../core/office/data-key-check.ts'
import type { Cipher } from '../../core/ports/runtime.ts'
import { byId, type Store, StoreUnavailable } from '../../core/ports/store.ts'
import { aesCipher } from '../crypto/cipher.ts'
import { createFile } from '../files/disk-files.ts'

/** The option of a setup that a fault is about. */
export type SecretOption = 'dataKey' | 'dataDir'

/** A secret is missing, cannot be stored, or is not the secret of the store. None was generated in its place. */
export class SecretFault extends Error {
  override readonly name = 'SecretFault'
  readonly option: SecretOption
  /** The message without the option. */
  readonly why: string

  constructor(option: SecretOption, why: string) {
    super(`${option}: ${why}`)
    this.option = option
    this.why = why
  }
}

/** The secrets of a process. */
export interface Secrets {
  /** Signs tokens: at least 32 bytes. */
  readonly jwtSecret: Uint8Array
  /** Encrypts stored secrets: 32 bytes. */
  readonly dataKey: Uint8Array
}

/** The source of secrets: a missing one is generated once and stored in `dataDir`. */
export interface SecretSource {
  /** Created with the first secret, for its owner only. */
  readonly dataDir: string
  /** Encrypts stored secrets: 32 bytes. */
  readonly dataKey?: Uint8Array | null
  /** Signs tokens: at least 32 bytes. */
  readonly jwtSecret?: Uint8Array | null
}

/** A business that stores encrypted values. */
export interface Sealing {
  /** Reports whether a cipher opens the encrypted values of its records; null if there are none. */
  opensSealed?(store: Store, cipher: Cipher): Promise<boolean | null>
}

/** The source of the secrets of a store. */
export interface SourceOfStore extends SecretSource {
  /** The path of the store, if any, for messages. */
  readonly storePath?: string | null
}

/** The key of a store. */
interface CheckedKey {
  /** Null if there is none, and nothing is encrypted. */
  readonly key: Uint8Array | null
  /** True if the store has a key check value. */
  readonly hasCheck: boolean
}

/**
 * Returns the key of a source. Throws `SecretFault` if the store's values were encrypted with another key, or with a
 * lost one.
 */
export const checkDataKey = async (
  store: Store,
  businesses: readonly Sealing[],
  source: SourceOfStore,
): Promise<CheckedKey> => {
  const check = await store.find(byId(keyChecks, DATA_KEY_CHECK))
  // Read after the check value: a process stores the key first.
  const key = source.dataKey ?? (await readSecret(source.dataDir, 'data-key'))
  // Without a key, a random one fails to open any encrypted value, which shows that there is one.
  const cipher = aesCipher(key ?? randomBytes(KEY_BYTES))
  const opens = check === null ? await opensSealed(store, businesses, cipher) : matchesKeyCheck(cipher, check)
  if (opens === false) throw new SecretFault('dataKey', key === null ? keyMissing(source) : wrongKey(source))
  return { key, hasCheck: check !== null }
}

/** Returns the secrets for a store that is about to be written. Throws `SecretFault`. */
export const openSecrets = async (
  store: Store,
  businesses: readonly Sealing[],
  source: SourceOfStore,
): Promise<Secrets> => ({
  dataKey: await openDataKey(store, businesses, source),
  jwtSecret: source.jwtSecret ?? (await storedSecret(source.dataDir, 'jwt-secret')),
})

/**
 * Returns the key for a store that is about to be written, and stores its check value. Generates a key if there is none
 * and nothing is encrypted. Throws `SecretFault`.
 */
export const openDataKey = async (
  store: Store,
  businesses: readonly Sealing[],
  source: SourceOfStore,
): Promise<Uint8Array> => {
  const { key, hasCheck } = await checkDataKey(store, businesses, source)
  const own = key ?? (await storedSecret(source.dataDir, 'data-key'))
  if (hasCheck || !(await storeCheck(store, own))) return own
  // If several processes store a check value at once, the first one counts.
  await checkDataKey(store, businesses, source)
  return own
}

/** Stores the check value of a key; false if the store accepts no commit now, so that a later start has to. */
const storeCheck = async (store: Store, key: Uint8Array): Promise<boolean> => {
  try {
    return (await store.commit([ensure(keyChecks, keyCheckOf(aesCipher(key)))])).ok
  } catch (error) {
    if (error instanceof StoreUnavailable) return false
    throw error
  }
}

/** Reports whether a cipher opens the values of a store without a check value; null if nothing is encrypted. */
const opensSealed = async (store: Store, businesses: readonly Sealing[], cipher: Cipher): Promise<boolean | null> => {
  for (const business of businesses) {
    const opens = (await business.opensSealed?.(store, cipher)) ?? null
    if (opens !== null) return opens
  }
  return null
}

const remedyOf = ({ dataDir }: SecretSource): string =>
  `set the right key, or put it in ${secretPath(dataDir, 'data-key')}`

const storeName = ({ storePath = null }: SourceOfStore): string =>
  storePath === null ? 'the store' : `the store ${storePath}`

const keyMissing = (source: SourceOfStore): string =>
  `${storeName(source)} has encrypted values, and their key is missing: ${remedyOf(source)}`

const wrongKey = (source: SourceOfStore): string => {
  const found = (source.dataKey ?? null) === null ? `in ${secretPath(source.dataDir, 'data-key')}` : 'received'
  return `the key ${found} is not the one that encrypted the values of ${storeName(source)}: ${remedyOf(source)}`
}

/** The length of the key, and of a generated secret. */
export const KEY_BYTES = 32

/** The advice about a file that contains no secret. */
const REMEDIES = {
  'jwt-secret': 'remove it to generate a new one; all users then sign in again',
  'data-key': 'restore the key that the store was written with, or remove the file if nothing is stored yet',
} as const

type SecretFile = keyof typeof REMEDIES

export const secretPath = (directory: string, name: SecretFile): string => join(directory, name)

/**
 * Returns a stored secret, or generates and stores one. An existing one is not written: the disk may be full or
 * read-only.
 */
const storedSecret = async (directory: string, name: SecretFile): Promise<Uint8Array> => {
  const existing = await readSecret(directory, name)
  if (existing !== null) return existing
  const path = secretPath(directory, name)
  try {
    await createFile(directory, name, Buffer.from(randomBytes(KEY_BYTES).toString('base64')))
  } catch (error) {
    throw new SecretFault('dataDir', `${path} cannot be stored: ${error instanceof Error ? error.message : error}`)
  }
  const made = await readSecret(directory, name)
  if (made === null) throw new SecretFault('dataDir', `${path} was removed right after it was stored`)
  return made
}

/**
 * Returns null for a missing file. Throws `SecretFault` for a broken link: its target may be on a disk that is not
 * mounted.
 */
const missingAt = async (path: string, name: SecretFile): Promise<null> => {
  const entry = await lstat(path).catch(() => null)
  if (!entry?.isSymbolicLink()) return null
  throw new SecretFault('dataDir', `${path} is a broken link: ${REMEDIES[name]}`)
}

/** Reads a secret; null if the file is missing. Throws `SecretFault` if it contains anything else. */
const readSecret = async (directory: string, name: SecretFile): Promise<Uint8Array | null> => {
  const path = secretPath(directory, name)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return missingAt(path, name)
    throw new SecretFault('dataDir', `${path} cannot be read: ${error.message}`)
  })
  if (text === null) return null
  const secret = Buffer.from(text, 'base64')
  if (secret.length === KEY_BYTES) return secret
  const found = `${path} has ${Buffer.byteLength(text)} bytes instead of a secret of ${KEY_BYTES} bytes in base64`
  throw new SecretFault('dataDir', `${found}: ${REMEDIES[name]}`)
}

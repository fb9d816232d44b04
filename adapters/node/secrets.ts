import { randomBytes } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensure } from '../../core/kernel/records/change.ts'
import { DATA_KEY_CHECK, keyCheckOf, keyChecks, matchesKeyCheck } from '../../core/office/data-key-check.ts'
import type { Cipher } from '../../core/ports/runtime.ts'
import { byId, type Store, StoreUnavailable } from '../../core/ports/store.ts'
import { aesCipher } from '../crypto/cipher.ts'
import { makeFile } from '../files/replace-file.ts'

/** What of a setup a secret was looked for in. */
export type SecretOption = 'dataKey' | 'dataDir'

/** A secret that is missing, cannot be kept, or is not the one of the store: nothing was made in its place. */
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

/** A business that keeps secrets in the store. */
export interface Sealing {
  /** Whether a cipher opens what its records keep sealed; null where nothing is. */
  opensSealed?(store: Store, cipher: Cipher): Promise<boolean | null>
}

/** Where the secrets of a store come from, and the path of the store, if it has one, for messages. */
export interface SourceOfStore extends SecretSource {
  readonly storePath?: string | null
}

/** The key of a store; null where there is none, and nothing that one is needed for. */
interface CheckedKey {
  readonly key: Uint8Array | null
  /** Whether the store knows its key again without anything else. */
  readonly isMarked: boolean
}

/**
 * The key of a source, once it has opened what the store keeps sealed. Throws `SecretFault` where the store was written
 * with another one, or with one that is not there any more.
 */
export const checkDataKey = async (
  store: Store,
  businesses: readonly Sealing[],
  source: SourceOfStore,
): Promise<CheckedKey> => {
  const mark = await store.find(byId(keyChecks, DATA_KEY_CHECK))
  // Read after the mark: whoever has written that had kept the key before.
  const key = await findDataKey(source)
  // No key opens what another one sealed: with a chance one it shows whether there is anything to be opened.
  const cipher = aesCipher(key ?? randomBytes(KEY_BYTES))
  const opens = mark === null ? await opensSealed(store, businesses, cipher) : matchesKeyCheck(cipher, mark)
  if (opens === false) throw new SecretFault('dataKey', key === null ? lost(source) : other(source))
  return { key, isMarked: mark !== null }
}

/**
 * The secrets for a store that is written to from now on, which knows its key again by a key check value. Throws
 * `SecretFault` where the store was written with another key, or with one that was lost: none is made in its place.
 */
export const openSecrets = async (
  store: Store,
  businesses: readonly Sealing[],
  source: SourceOfStore,
): Promise<Secrets> => ({
  dataKey: await openDataKey(store, businesses, source),
  jwtSecret: await jwtSecretOf(source),
})

/** The key of a store that is written to from now on: it is made where there is none, and marked. Throws `SecretFault`. */
export const openDataKey = async (
  store: Store,
  businesses: readonly Sealing[],
  source: SourceOfStore,
): Promise<Uint8Array> => {
  const { key, isMarked } = await checkDataKey(store, businesses, source)
  const own = key ?? (await makeDataKey(source))
  if (isMarked || !(await mark(store, own))) return own
  // Of processes that mark a store at once, the first one's key is the store's.
  await checkDataKey(store, businesses, source)
  return own
}

/** False where the store takes nothing now: a later start marks it. */
const mark = async (store: Store, key: Uint8Array): Promise<boolean> => {
  try {
    return (await store.commit([ensure(keyChecks, keyCheckOf(aesCipher(key)))])).ok
  } catch (error) {
    if (error instanceof StoreUnavailable) return false
    throw error
  }
}

/** Null where nothing is sealed: a store of an earlier release has no mark, and may have secrets. */
const opensSealed = async (store: Store, businesses: readonly Sealing[], cipher: Cipher): Promise<boolean | null> => {
  for (const business of businesses) {
    const opens = (await business.opensSealed?.(store, cipher)) ?? null
    if (opens !== null) return opens
  }
  return null
}

const expected = ({ dataDir }: SecretSource): string =>
  `set the right key, or put it in ${secretPath(dataDir, 'data-key')}`

const named = ({ storePath = null }: SourceOfStore): string =>
  storePath === null ? 'the store' : `the store ${storePath}`

const lost = (source: SourceOfStore): string =>
  `${named(source)} has encrypted values, and their key is missing: ${expected(source)}`

const other = (source: SourceOfStore): string => {
  const found = (source.dataKey ?? null) === null ? `in ${secretPath(source.dataDir, 'data-key')}` : 'received'
  return `the key ${found} is not the one that encrypted the values of ${named(source)}: ${expected(source)}`
}

/** The secrets of a process. */
export interface Secrets {
  /** Signs tokens: at least 32 bytes. */
  readonly jwtSecret: Uint8Array
  /** Encrypts stored secrets: 32 bytes. */
  readonly dataKey: Uint8Array
}

/** Where secrets come from: what is not given is made once, kept in the directory and found there again. */
export interface SecretSource {
  /** Its owner's alone; made with the first secret. */
  readonly dataDir: string
  /** Encrypts stored secrets: 32 bytes. */
  readonly dataKey?: Uint8Array | null
  /** Signs tokens: at least 32 bytes. */
  readonly jwtSecret?: Uint8Array | null
}

/** What is made of chance is as long as the key must be. */
export const KEY_BYTES = 32

/** What is to be done about a file that holds no secret. */
const REMEDIES = {
  'jwt-secret': 'remove it, and a new one is made, by which everybody signs in again',
  'data-key': 'put back the key that the store was written with; only where nothing was stored yet, remove it',
} as const

/** A file of the directory that a secret is kept in. */
type SecretFile = keyof typeof REMEDIES

export const secretPath = (directory: string, name: SecretFile): string => join(directory, name)

/** The secret that signs tokens: the given one, or one that is made once and kept. Throws `SecretFault`. */
export const jwtSecretOf = async ({ jwtSecret, dataDir }: SecretSource): Promise<Uint8Array> =>
  jwtSecret ?? keptSecret(dataDir, 'jwt-secret')

/** The given key, or the one that is kept; null where there is neither. Throws `SecretFault`. */
export const findDataKey = async ({ dataKey, dataDir }: SecretSource): Promise<Uint8Array | null> =>
  dataKey ?? readSecret(dataDir, 'data-key')

/** Makes a key and keeps it, or reads that of another process which was faster. Throws `SecretFault`. */
export const makeDataKey = ({ dataDir }: SecretSource): Promise<Uint8Array> => keptSecret(dataDir, 'data-key')

/** What is there is read and nothing is written: the disk may be full, or one that may only be read. */
const keptSecret = async (directory: string, name: SecretFile): Promise<Uint8Array> => {
  const there = await readSecret(directory, name)
  if (there !== null) return there
  const path = secretPath(directory, name)
  try {
    await makeFile(directory, name, Buffer.from(randomBytes(KEY_BYTES).toString('base64')))
  } catch (error) {
    throw new SecretFault('dataDir', `${path} cannot be kept: ${error instanceof Error ? error.message : error}`)
  }
  const made = await readSecret(directory, name)
  if (made === null) throw new SecretFault('dataDir', `${path} was taken away as soon as it was made`)
  return made
}

/** Throws `SecretFault` where a link leads to no file: a disk that is not there may have the secret. */
const nothingAt = async (path: string, name: SecretFile): Promise<null> => {
  const entry = await lstat(path).catch(() => null)
  if (!entry?.isSymbolicLink()) return null
  throw new SecretFault('dataDir', `${path} is a link to a file that is not there: ${REMEDIES[name]}`)
}

/** The secret of a file, null where there is no such file. Throws `SecretFault` where it holds anything else. */
const readSecret = async (directory: string, name: SecretFile): Promise<Uint8Array | null> => {
  const path = secretPath(directory, name)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return nothingAt(path, name)
    throw new SecretFault('dataDir', `${path} cannot be read: ${error.message}`)
  })
  if (text === null) return null
  const secret = Buffer.from(text, 'base64')
  if (secret.length === KEY_BYTES) return secret
  const found = `${path} has ${Buffer.byteLength(text)} bytes, and is no secret of ${KEY_BYTES} bytes in base64`
  throw new SecretFault('dataDir', `${found}: ${REMEDIES[name]}`)
}

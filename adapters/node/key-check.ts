import { randomBytes } from 'node:crypto'
import { ensure } from '../../core/kernel/records/change.ts'
import { DATA_KEY_CHECK, keyCheckOf, keyChecks, matchesKeyCheck } from '../../core/office/data-key-check.ts'
import type { Cipher } from '../../core/ports/runtime.ts'
import { byId, type Store, StoreUnavailable } from '../../core/ports/store.ts'
import { aesCipher } from '../crypto/cipher.ts'
import { SecretFault } from './secret-fault.ts'
import {
  findDataKey,
  jwtSecretOf,
  KEY_BYTES,
  makeDataKey,
  type SecretSource,
  type Secrets,
  secretPath,
} from './secrets.ts'

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

import { randomBytes } from 'node:crypto'
import { aesCipher } from '../../adapters/crypto/cipher.ts'
import { t } from '../../core/fp.ts'
import { ensure } from '../../core/kernel/records/change.ts'
import { at, type Collection } from '../../core/kernel/records/collection.ts'
import { record } from '../../core/kernel/records/record.ts'
import type { Cipher } from '../../core/ports/cipher.ts'
import { byId, type Store, StoreUnavailable } from '../../core/ports/store.ts'
import { CannotStart, type PorticoSettings } from './environment.ts'
import { findDataKey, KEY_BYTES, makeDataKey, secretPath } from './secrets.ts'

const keyCheck = record({
  /** Of which key it is. */
  id: t.string,
  /** A known text, sealed: what opens it is the key. */
  sealed: t.string,
})

type KeyCheck = t.TypeOf<typeof keyCheck>

/** The key check value of a store: by which a start knows the key that the store's secrets are sealed under. */
export const keyChecks: Collection<KeyCheck> = {
  name: 'host.key-checks',
  ids: 'text',
  codec: keyCheck,
  owner: null,
  shard: 'id',
}

const DATA_KEY_CHECK = 'data-key'
const KNOWN_TEXT = 'portico'
const CONTEXT = at(keyChecks, DATA_KEY_CHECK).join('/')

/** An app that keeps secrets in the store. */
export interface Sealing {
  /** Whether a cipher opens what its records keep sealed; null where nothing is. */
  opensSealed?(store: Store, cipher: Cipher): Promise<boolean | null>
}

type KeySettings = Pick<PorticoSettings, 'DATA_KEY' | 'DATA_DIR'>

/** The key of a store; null where there is none, and nothing that one is needed for. */
interface CheckedKey {
  readonly key: Uint8Array | null
  /** Whether the store knows its key again without anything else. */
  readonly isMarked: boolean
}

/**
 * The key of the configuration, once it has opened what the store keeps sealed. Throws `CannotStart` where the store was
 * written with another one, or with one that is not there any more.
 */
export const checkDataKey = async (
  store: Store,
  apps: readonly Sealing[],
  settings: KeySettings,
): Promise<CheckedKey> => {
  const mark = await store.find(byId(keyChecks, DATA_KEY_CHECK))
  // Read after the mark: whoever has written that had kept the key before.
  const key = await findDataKey(settings)
  // No key opens what another one sealed: with a chance one it shows whether there is anything to be opened.
  const cipher = aesCipher(key ?? randomBytes(KEY_BYTES))
  const opens = mark === null ? await opensSealed(store, apps, cipher) : isOpenedBy(cipher, mark)
  if (opens === false) throw new CannotStart(key === null ? lost(settings) : other(settings))
  return { key, isMarked: mark !== null }
}

/** The same for a store that is written to from now on: a key is made where there is none, and marked. */
export const dataKeyOf = async (store: Store, apps: readonly Sealing[], settings: KeySettings): Promise<Uint8Array> => {
  const { key, isMarked } = await checkDataKey(store, apps, settings)
  const own = key ?? (await makeDataKey(settings))
  if (isMarked || !(await mark(store, own))) return own
  // Of processes that mark a store at once, the first one's key is the store's.
  await checkDataKey(store, apps, settings)
  return own
}

/** False where the store takes nothing now: a later start marks it. */
const mark = async (store: Store, key: Uint8Array): Promise<boolean> => {
  const sealed = aesCipher(key).seal(KNOWN_TEXT, CONTEXT)
  try {
    return (await store.commit([ensure(keyChecks, { id: DATA_KEY_CHECK, sealed })])).ok
  } catch (error) {
    if (error instanceof StoreUnavailable) return false
    throw error
  }
}

/** Null where nothing is sealed: a store of an earlier release has no mark, and may have secrets. */
const opensSealed = async (store: Store, apps: readonly Sealing[], cipher: Cipher): Promise<boolean | null> => {
  for (const app of apps) {
    const opens = (await app.opensSealed?.(store, cipher)) ?? null
    if (opens !== null) return opens
  }
  return null
}

const isOpenedBy = (cipher: Cipher, { sealed }: KeyCheck): boolean => {
  try {
    return cipher.open(sealed, CONTEXT) === KNOWN_TEXT
  } catch {
    return false
  }
}

const expected = ({ DATA_DIR }: KeySettings): string =>
  `it is expected in the variable, or else in ${secretPath(DATA_DIR, 'data-key')}`

const lost = (settings: KeySettings): string =>
  `DATA_KEY: the store has secrets, and the key that opens them is missing: ${expected(settings)}`

const other = (settings: KeySettings): string => {
  const found = settings.DATA_KEY === null ? `in ${secretPath(settings.DATA_DIR, 'data-key')}` : 'of the variable'
  return `DATA_KEY: the key ${found} is not the one that the secrets of the store were sealed with: ${expected(settings)}`
}

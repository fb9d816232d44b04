import { at, type Collection, record, t } from '../kernel/records/record.ts'
import type { Cipher } from '../ports/runtime.ts'

const keyCheck = record({
  id: t.string,
  /** A known text, sealed with the key. */
  sealed: t.string,
})

type KeyCheck = t.TypeOf<typeof keyCheck>

/**
 * The key check value of a store: at its start a process verifies that it has the key under which the secrets are
 * sealed.
 */
export const keyChecks: Collection<KeyCheck> = { name: 'host.key-checks', ids: 'text', codec: keyCheck, owner: null }

export const DATA_KEY_CHECK = 'data-key'
const KNOWN_TEXT = 'portico'
const CONTEXT = at(keyChecks, DATA_KEY_CHECK).join('/')

/** Returns the key check value of a cipher's key. */
export const keyCheckOf = (cipher: Cipher): KeyCheck => ({
  id: DATA_KEY_CHECK,
  sealed: cipher.seal(KNOWN_TEXT, CONTEXT),
})

/** Reports whether a key check value is that of the cipher's key. */
export const matchesKeyCheck = (cipher: Cipher, { sealed }: KeyCheck): boolean => {
  try {
    return cipher.open(sealed, CONTEXT) === KNOWN_TEXT
  } catch {
    return false
  }
}

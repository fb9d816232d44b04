import { t } from '../fp.ts'
import type { Collection } from '../kernel/records/collection.ts'
import { at, record } from '../kernel/records/record.ts'
import type { Cipher } from '../ports/runtime.ts'

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
}

/** Its one record. */
export const DATA_KEY_CHECK = 'data-key'
const KNOWN_TEXT = 'portico'
const CONTEXT = at(keyChecks, DATA_KEY_CHECK).join('/')

/** The key check value of a cipher. */
export const keyCheckOf = (cipher: Cipher): KeyCheck => ({
  id: DATA_KEY_CHECK,
  sealed: cipher.seal(KNOWN_TEXT, CONTEXT),
})

/** Whether it is of this cipher's key. */
export const matchesKeyCheck = (cipher: Cipher, { sealed }: KeyCheck): boolean => {
  try {
    return cipher.open(sealed, CONTEXT) === KNOWN_TEXT
  } catch {
    return false
  }
}

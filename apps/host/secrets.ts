import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFile } from '../../adapters/files/replace-file.ts'
import { CannotStart, type PorticoSettings } from './environment.ts'

export interface Secrets {
  /** Signs tokens. */
  readonly jwtSecret: Uint8Array
  /** Encrypts stored secrets. */
  readonly dataKey: Uint8Array
}

const BYTES = 32

/** What is to be done about a file that holds no secret. */
const REMEDIES = {
  'jwt-secret': 'remove it, and a new one is made, by which everybody signs in again',
  'data-key': 'put back the key that the store was written with; only where nothing was stored yet, remove it',
} as const

/** A file of `DATA_DIR` that a secret is kept in. */
type SecretFile = keyof typeof REMEDIES

/** The secrets of the configuration; those that it leaves out are made once and kept below `DATA_DIR`. */
export const secretsOf = async ({ JWT_SECRET, DATA_KEY, DATA_DIR, STORE_URL }: PorticoSettings): Promise<Secrets> => {
  // What is kept in memory alone needs no secret that outlives it.
  const kept = STORE_URL === 'memory:' ? () => randomBytes(BYTES) : (name: SecretFile) => keptSecret(DATA_DIR, name)
  return {
    jwtSecret: JWT_SECRET === null ? await kept('jwt-secret') : Buffer.from(JWT_SECRET),
    dataKey: DATA_KEY ?? (await kept('data-key')),
  }
}

/** What is there is read and nothing is written: the disk may be full, or one that may only be read. */
const keptSecret = async (directory: string, name: SecretFile): Promise<Uint8Array> => {
  const there = await readSecret(directory, name)
  if (there !== null) return there
  const path = join(directory, name)
  try {
    await makeFile(directory, name, Buffer.from(randomBytes(BYTES).toString('base64')))
  } catch (error) {
    throw new CannotStart(`DATA_DIR: ${path} cannot be kept: ${error instanceof Error ? error.message : error}`)
  }
  const made = await readSecret(directory, name)
  if (made === null) throw new CannotStart(`DATA_DIR: ${path} was taken away as soon as it was made`)
  return made
}

/** The secret of a file, null where there is no such file. Throws `CannotStart` where it holds anything else. */
const readSecret = async (directory: string, name: SecretFile): Promise<Uint8Array | null> => {
  const path = join(directory, name)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new CannotStart(`DATA_DIR: ${path} cannot be read: ${error.message}`)
  })
  if (text === null) return null
  const secret = Buffer.from(text, 'base64')
  if (secret.length === BYTES) return secret
  const found = `${path} has ${Buffer.byteLength(text)} bytes, and is no secret of ${BYTES} bytes in base64`
  throw new CannotStart(`DATA_DIR: ${found}: ${REMEDIES[name]}`)
}

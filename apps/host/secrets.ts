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

/** What is made of chance is as long as the key must be. */
export const KEY_BYTES = 32

/** What is to be done about a file that holds no secret. */
const REMEDIES = {
  'jwt-secret': 'remove it, and a new one is made, by which everybody signs in again',
  'data-key': 'put back the key that the store was written with; only where nothing was stored yet, remove it',
} as const

/** A file of `DATA_DIR` that a secret is kept in. */
type SecretFile = keyof typeof REMEDIES

type DataKeySettings = Pick<PorticoSettings, 'DATA_KEY' | 'DATA_DIR'>

export const secretPath = (directory: string, name: SecretFile): string => join(directory, name)

/** The secret that signs tokens: that of the configuration, or one that is made once and kept below `DATA_DIR`. */
export const jwtSecretOf = async ({ JWT_SECRET, DATA_DIR }: PorticoSettings): Promise<Uint8Array> =>
  JWT_SECRET === null ? keptSecret(DATA_DIR, 'jwt-secret') : Buffer.from(JWT_SECRET)

/** The key of the configuration, or the one below `DATA_DIR`; null where there is neither. Throws `CannotStart`. */
export const findDataKey = async ({ DATA_KEY, DATA_DIR }: DataKeySettings): Promise<Uint8Array | null> =>
  DATA_KEY ?? readSecret(DATA_DIR, 'data-key')

/** Makes a key below `DATA_DIR`, or reads that of another process which was faster. Throws `CannotStart`. */
export const makeDataKey = ({ DATA_DIR }: DataKeySettings): Promise<Uint8Array> => keptSecret(DATA_DIR, 'data-key')

/** Of what is kept in memory alone: they need not outlive it. */
export const passingSecrets = ({ JWT_SECRET, DATA_KEY }: PorticoSettings): Secrets => ({
  jwtSecret: JWT_SECRET === null ? randomBytes(KEY_BYTES) : Buffer.from(JWT_SECRET),
  dataKey: DATA_KEY ?? randomBytes(KEY_BYTES),
})

/** What is there is read and nothing is written: the disk may be full, or one that may only be read. */
const keptSecret = async (directory: string, name: SecretFile): Promise<Uint8Array> => {
  const there = await readSecret(directory, name)
  if (there !== null) return there
  const path = secretPath(directory, name)
  try {
    await makeFile(directory, name, Buffer.from(randomBytes(KEY_BYTES).toString('base64')))
  } catch (error) {
    throw new CannotStart(`DATA_DIR: ${path} cannot be kept: ${error instanceof Error ? error.message : error}`)
  }
  const made = await readSecret(directory, name)
  if (made === null) throw new CannotStart(`DATA_DIR: ${path} was taken away as soon as it was made`)
  return made
}

/** The secret of a file, null where there is no such file. Throws `CannotStart` where it holds anything else. */
const readSecret = async (directory: string, name: SecretFile): Promise<Uint8Array | null> => {
  const path = secretPath(directory, name)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new CannotStart(`DATA_DIR: ${path} cannot be read: ${error.message}`)
  })
  if (text === null) return null
  const secret = Buffer.from(text, 'base64')
  if (secret.length === KEY_BYTES) return secret
  const found = `${path} has ${Buffer.byteLength(text)} bytes, and is no secret of ${KEY_BYTES} bytes in base64`
  throw new CannotStart(`DATA_DIR: ${found}: ${REMEDIES[name]}`)
}

import { randomBytes } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFile } from '../files/replace-file.ts'
import { SecretFault } from './secret-fault.ts'

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

import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CannotStart, type PorticoSettings } from './environment.ts'

export interface Secrets {
  /** Signs tokens. */
  readonly jwtSecret: Uint8Array
  /** Encrypts stored secrets. */
  readonly dataKey: Uint8Array
}

const BYTES = 32

/** The secrets of the configuration; those that it leaves out are made once and kept below `DATA_DIR`. */
export const secretsOf = async ({ JWT_SECRET, DATA_KEY, DATA_DIR, STORE_URL }: PorticoSettings): Promise<Secrets> => {
  // What is kept in memory alone needs no secret that outlives it.
  const kept = STORE_URL === 'memory:' ? () => randomBytes(BYTES) : (name: string) => keptSecret(DATA_DIR, name)
  return {
    jwtSecret: JWT_SECRET === null ? await kept('jwt-secret') : Buffer.from(JWT_SECRET),
    dataKey: DATA_KEY ?? (await kept('data-key')),
  }
}

const keptSecret = async (directory: string, name: string): Promise<Uint8Array> => {
  const path = join(directory, name)
  try {
    await mkdir(directory, { recursive: true })
    await makeOnce(path, randomBytes(BYTES).toString('base64'))
    const secret = Buffer.from(await readFile(path, 'utf8'), 'base64')
    if (secret.length === BYTES) return secret
  } catch (error) {
    throw new CannotStart(`DATA_DIR: ${path} cannot be kept: ${error instanceof Error ? error.message : error}`)
  }
  throw new CannotStart(`DATA_DIR: ${path} is no secret of ${BYTES} bytes in base64`)
}

/** Whoever is first of several processes makes the file, whole from the first moment; the others read it. */
const makeOnce = async (path: string, text: string): Promise<void> => {
  const draft = `${path}.${process.pid}`
  await writeFile(draft, text, { mode: 0o600 })
  await link(draft, path).catch(ignoreExisting)
  await unlink(draft)
}

const ignoreExisting = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EEXIST') throw error
}

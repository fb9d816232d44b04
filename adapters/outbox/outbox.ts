import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fingerprint } from './fingerprint.ts'

const READABLE_LENGTH = 40
const DIGITS = 16
/** What goes out carries codes and links that open accounts. */
const OWNER_ONLY = 0o600

/** A directory of what would have gone out: a file each. */
export interface Outbox {
  /** Durable when it resolves. The same id again replaces its file, and no reader ever finds half of one. */
  put(id: string, extension: 'eml' | 'json', content: string | Buffer): Promise<void>
}

/** Readable by the id's harmless characters, unique by its fingerprint. */
const fileNameOf = (id: string, extension: string): string => {
  const readable = id.replaceAll(/[^A-Za-z\d_-]+/g, '-').slice(0, READABLE_LENGTH)
  return `${readable}-${fingerprint(id).slice(0, DIGITS)}.${extension}`
}

const writeDurably = async (path: string, content: string | Buffer): Promise<void> => {
  const file = await open(path, 'wx', OWNER_ONLY)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The outbox of a directory, which is made with the first file. */
export const outbox = (directory: string): Outbox => ({
  async put(id, extension, content) {
    await mkdir(directory, { recursive: true })
    const written = join(directory, `.${randomUUID()}.tmp`)
    try {
      await writeDurably(written, content)
      await rename(written, join(directory, fileNameOf(id, extension)))
    } catch (error) {
      await rm(written, { force: true })
      throw error
    }
  },
})

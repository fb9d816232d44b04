import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** What we keep for people is nobody else's on the machine: mails open accounts, images are of identity cards. */
const OWNER_ONLY_FILE = 0o600
const OWNER_ONLY_DIRECTORY = 0o700

/**
 * Writes a file whole or not at all, in the place of one of the same name: no reader ever finds half of one, and a power
 * cut takes back nothing. The directory is made where there is none.
 */
export const replaceFile = async (directory: string, name: string, content: Uint8Array): Promise<void> => {
  await mkdir(directory, { recursive: true, mode: OWNER_ONLY_DIRECTORY })
  const written = join(directory, `.${randomUUID()}.tmp`)
  try {
    await writeDurably(written, content)
    await rename(written, join(directory, name))
  } catch (error) {
    await rm(written, { force: true })
    throw error
  }
  await syncDirectory(directory)
}

const writeDurably = async (path: string, content: Uint8Array): Promise<void> => {
  const file = await open(path, 'wx', OWNER_ONLY_FILE)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Until then only the content is on the disk, and not its name. */
const syncDirectory = async (directory: string): Promise<void> => {
  const file = await open(directory, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

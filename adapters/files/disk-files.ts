import { randomUUID } from 'node:crypto'
import { chmod, constants, copyFile, type FileHandle, link, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Files } from '../../core/ports/files.ts'
import { StoreUnwritable } from '../../core/ports/store.ts'
import { checkFileName } from './memory-files.ts'

/** Files in a directory, for the processes of one machine; only its owner may read them. Source: decisions.md §7, `DATA_DIR`. */
export const diskFiles = ({ directory }: { readonly directory: string }): Files => {
  const pathOf = (name: string): string => join(directory, checkFileName(name))
  return {
    write: async (name, content) => {
      try {
        await replaceFile(directory, checkFileName(name), content)
      } catch (error) {
        throw isDiskError(error) ? new StoreUnwritable('the disk takes no files now', { cause: error }) : error
      }
    },
    open: async (name) => {
      const file = await openIfPresent(pathOf(name))
      // Held open: what is read is whole, whoever replaces or removes it meanwhile.
      return file === null ? null : file.createReadStream()
    },
    remove: async (name) => {
      await rm(pathOf(name), { force: true })
      await removeUnfinished(directory, name)
    },
  }
}

/** No room, none for this user, a disk that may only be read, or one that fails. */
const DISK_ERRORS = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']
const isDiskError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && DISK_ERRORS.some((code) => code === error.code)

const openIfPresent = async (path: string): Promise<FileHandle | null> => {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

type Content = Uint8Array | AsyncIterable<Uint8Array>

/** What we keep for people is nobody else's on the machine: mails open accounts, images are of identity cards. */
export const OWNER_ONLY_FILE = 0o600
export const OWNER_ONLY_DIRECTORY = 0o700

/** Makes a directory that is its owner's alone, where there is none. */
export const makeDirectory = async (path: string): Promise<void> => {
  const made = await mkdir(path, { recursive: true, mode: OWNER_ONLY_DIRECTORY })
  // What a process takes from the rights of all that it makes, it may have taken from its own.
  if (made !== undefined) await chmod(path, OWNER_ONLY_DIRECTORY)
}

/**
 * Writes a file whole or not at all, in the place of one of the same name: no reader ever finds half of one, and a power
 * cut takes back nothing. The directory is made where there is none.
 */
export const replaceFile = (directory: string, name: string, content: Content): Promise<void> =>
  writeThenPlace(directory, name, content, (written) => rename(written, join(directory, name)))

/**
 * Writes a file whole or not at all, unless there is one of that name. Reports whether it made the file: the first of
 * several processes does.
 */
export const createFile = async (directory: string, name: string, content: Content): Promise<boolean> => {
  let isMade = true
  await writeThenPlace(directory, name, content, async (written) => {
    await linkOrCopy(written, join(directory, name)).catch((error: unknown) => {
      if (!isExisting(error)) throw error
      isMade = false
    })
    await rm(written)
  })
  return isMade
}

/** Not every file system has links; neither of the two replaces a file. */
const linkOrCopy = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to)
  } catch (error) {
    if (isExisting(error)) throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
  }
}

const writeThenPlace = async (
  directory: string,
  name: string,
  content: Content,
  place: (written: string) => Promise<void>,
) => {
  await makeDirectory(directory)
  const written = join(directory, `${temporaryPrefix(name)}${randomUUID()}.tmp`)
  try {
    await writeDurably(written, content)
    await place(written)
  } catch (error) {
    await rm(written, { force: true })
    throw error
  }
  await syncDirectory(directory)
}

/** How what is being written for a file is called: no file of ours begins with a dot. */
const temporaryPrefix = (name: string): string => `.${name}.`

/** Removes what processes that died while they wrote a file have left of it. */
export const removeUnfinished = async (directory: string, name: string): Promise<void> => {
  const names = await readdir(directory).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  const left = names.filter((each) => each.startsWith(temporaryPrefix(name)) && each.endsWith('.tmp'))
  await Promise.all(left.map((each) => rm(join(directory, each), { force: true })))
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

const isExisting = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST'

const writeDurably = async (path: string, content: Content): Promise<void> => {
  const file = await open(path, 'wx', OWNER_ONLY_FILE)
  try {
    await file.chmod(OWNER_ONLY_FILE)
    for await (const piece of content instanceof Uint8Array ? [content] : content) await writeAll(file, piece)
    await file.sync()
  } finally {
    await file.close()
  }
}

const writeAll = async (file: FileHandle, piece: Uint8Array): Promise<void> => {
  for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten
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

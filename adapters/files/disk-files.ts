import { randomUUID } from 'node:crypto'
import {
  chmod,
  constants,
  copyFile,
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Files } from '../../core/ports/files.ts'
import { StoreUnwritable } from '../../core/ports/store.ts'
import { checkFileName } from './memory-files.ts'

/** Stores files in a directory for the processes of one machine. Only the owner may read them. */
export const diskFiles = ({ directory }: { readonly directory: string }): Files => {
  const pathOf = (name: string): string => join(directory, checkFileName(name))
  return {
    write: async (name, content) => {
      try {
        await replaceFile(directory, checkFileName(name), content)
      } catch (error) {
        throw isDiskError(error) ? new StoreUnwritable('the disk accepts no files', { cause: error }) : error
      }
    },
    open: async (name) => {
      const file = await openIfPresent(pathOf(name))
      // An open file stays whole while it is replaced or removed.
      return file === null ? null : file.createReadStream()
    },
    remove: async (name) => {
      await rm(pathOf(name), { force: true })
      await removeUnfinished(directory, name)
    },
  }
}

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

/** Files contain personal data, such as mails with access links and images of identity cards. */
export const OWNER_ONLY_FILE = 0o600
export const OWNER_ONLY_DIRECTORY = 0o700

/** Creates a directory for its owner only, unless it exists. */
export const makeDirectory = async (path: string): Promise<void> => {
  const created = await makeDirectories(path)
  // The umask may have removed permissions of the owner.
  if (created !== undefined) await chmod(path, OWNER_ONLY_DIRECTORY)
}

/**
 * Creates a directory and its missing parents for their owner only. Returns the first that it created; undefined if the
 * directory exists. The `recursive` option of `mkdir` would never return where the file system rejects every directory,
 * as `/proc` does.
 */
export const makeDirectories = async (path: string): Promise<string | undefined> => {
  try {
    return (await makeOne(path)) ? path : undefined
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error
  }
  const parent = await makeDirectories(dirname(path))
  return (await makeOne(path)) ? (parent ?? path) : parent
}

/** Creates one directory. Returns false if it exists. */
const makeOne = async (path: string): Promise<boolean> => {
  try {
    await mkdir(path, { mode: OWNER_ONLY_DIRECTORY })
    return true
  } catch (error) {
    const found = await stat(path).catch(() => null)
    if (found?.isDirectory()) return false
    throw error
  }
}

/** Replaces or creates a file atomically and durably. Creates the directory if necessary. */
export const replaceFile = (directory: string, name: string, content: Content): Promise<void> =>
  writeThenPlace(directory, name, content, (written) => rename(written, join(directory, name)))

/**
 * Creates a file atomically and durably. Returns false if it exists: only the first of several processes creates it.
 */
export const createFile = async (directory: string, name: string, content: Content): Promise<boolean> => {
  let isCreated = true
  await writeThenPlace(directory, name, content, async (written) => {
    await linkOrCopy(written, join(directory, name)).catch((error: unknown) => {
      if (!isExisting(error)) throw error
      isCreated = false
    })
    await rm(written)
  })
  return isCreated
}

/** Not every file system has links. Both calls fail if the target exists. */
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

/** The prefix of temporary files for a file. Names of files do not begin with a dot. */
const temporaryPrefix = (name: string): string => `.${name}.`

/** Removes temporary files that ended processes left of a file. */
const removeUnfinished = async (directory: string, name: string): Promise<void> => {
  const names = await readdir(directory).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  const unfinished = names.filter((found) => found.startsWith(temporaryPrefix(name)) && found.endsWith('.tmp'))
  await Promise.all(unfinished.map((found) => rm(join(directory, found), { force: true })))
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

/** Makes the names of files durable; a sync of a file covers only its content. */
const syncDirectory = async (directory: string): Promise<void> => {
  const file = await open(directory, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

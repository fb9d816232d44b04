import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Files } from '../../core/ports/files.ts'
import { StoreUnwritable } from '../../core/ports/store.ts'
import { fileName } from './file-name.ts'
import { removeUnfinished, replaceFile } from './replace-file.ts'

/** Files in a directory, for the processes of one machine; only its owner may read them. Source: decisions.md §7, `DATA_DIR`. */
export const diskFiles = ({ directory }: { readonly directory: string }): Files => {
  const pathOf = (name: string): string => join(directory, fileName(name))
  return {
    write: async (name, content) => {
      try {
        await replaceFile(directory, fileName(name), content)
      } catch (error) {
        throw isOfDisk(error) ? new StoreUnwritable('the disk takes no files now', { cause: error }) : error
      }
    },
    open: async (name) => {
      const file = await opened(pathOf(name))
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
const OF_DISK = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']
const isOfDisk = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && OF_DISK.some((code) => code === error.code)

const opened = async (path: string): Promise<FileHandle | null> => {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

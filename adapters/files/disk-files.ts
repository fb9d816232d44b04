import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Files } from '../../core/ports/files.ts'
import { fileName } from './file-name.ts'
import { replaceFile } from './replace-file.ts'

/** Files in a directory, for the processes of one machine; only its owner may read them. Source: decisions.md §7, `DATA_DIR`. */
export const diskFiles = ({ directory }: { readonly directory: string }): Files => {
  const pathOf = (name: string): string => join(directory, fileName(name))
  return {
    keep: async (name, bytes) => replaceFile(directory, fileName(name), bytes),
    open: async (name) => {
      const file = await opened(pathOf(name))
      // Held open: what is read is whole, whoever replaces or removes it meanwhile.
      return file === null ? null : file.createReadStream()
    },
    remove: async (name) => rm(pathOf(name), { force: true }),
  }
}

const opened = async (path: string): Promise<FileHandle | null> => {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

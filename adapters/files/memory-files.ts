import type { Files } from '../../core/ports/files.ts'
import { fileName } from './file-name.ts'

/** Files that are kept in this process. */
export const memoryFiles = (): Files & { readonly names: () => readonly string[] } => {
  const kept = new Map<string, Uint8Array>()
  return {
    names: () => [...kept.keys()],
    keep: async (name, bytes) => {
      // A copy: a Buffer's own slice would share its bytes.
      kept.set(fileName(name), new Uint8Array(bytes))
    },
    open: async (name) => {
      const bytes = kept.get(fileName(name))
      return bytes ? once(bytes) : null
    },
    remove: async (name) => {
      kept.delete(fileName(name))
    },
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

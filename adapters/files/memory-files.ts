import type { Files } from '../../core/ports/files.ts'

/** Files that are kept in this process. */
export const memoryFiles = (): Files & { readonly names: () => readonly string[] } => {
  const kept = new Map<string, Uint8Array>()
  return {
    names: () => [...kept.keys()],
    keep: async (name, bytes) => {
      kept.set(name, bytes.slice())
    },
    open: async (name) => {
      const bytes = kept.get(name)
      return bytes ? once(bytes) : null
    },
    remove: async (name) => {
      kept.delete(name)
    },
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

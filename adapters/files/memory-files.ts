import type { Chunks, Files } from '../../core/ports/files.ts'

/** Files that are kept in this process. */
export const memoryFiles = (): Files & { readonly names: () => readonly string[] } => {
  const kept = new Map<string, Uint8Array>()
  return {
    names: () => [...kept.keys()],
    write: async (name, content) => {
      const checked = checkFileName(name)
      // A copy: a Buffer's own slice would share its bytes.
      kept.set(checked, new Uint8Array(content instanceof Uint8Array ? content : await joined(content)))
    },
    open: async (name) => {
      const bytes = kept.get(checkFileName(name))
      return bytes ? once(bytes) : null
    },
    remove: async (name) => {
      kept.delete(checkFileName(name))
    },
  }
}

const joined = async (chunks: Chunks): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = []
  for await (const chunk of chunks) pieces.push(new Uint8Array(chunk))
  return Buffer.concat(pieces)
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const NAME = /^[A-Za-z\d-]{1,100}$/

/** A name as the port has it. Throws for any other: it comes from us, and might lead out of where files are kept. */
export const checkFileName = (name: string): string => {
  if (!NAME.test(name)) throw new RangeError(`no name of a file: ${JSON.stringify(name)}`)
  return name
}

import type { Chunks, Files } from '../../core/ports/files.ts'

/** Stores files in memory. */
export const memoryFiles = (): Files & { readonly names: () => readonly string[] } => {
  const files = new Map<string, Uint8Array>()
  return {
    names: () => [...files.keys()],
    write: async (name, content) => {
      const checked = checkFileName(name)
      // A copy: the caller may reuse the buffer.
      files.set(checked, new Uint8Array(content instanceof Uint8Array ? content : await concat(content)))
    },
    open: async (name) => {
      const bytes = files.get(checkFileName(name))
      return bytes ? once(bytes) : null
    },
    remove: async (name) => {
      files.delete(checkFileName(name))
    },
  }
}

const concat = async (chunks: Chunks): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = []
  for await (const chunk of chunks) pieces.push(new Uint8Array(chunk))
  return Buffer.concat(pieces)
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const NAME = /^[A-Za-z\d-]{1,100}$/

/** Returns a valid name of the port. Throws for any other, which might lead out of the directory. */
export const checkFileName = (name: string): string => {
  if (!NAME.test(name)) throw new RangeError(`not a file name: ${JSON.stringify(name)}`)
  return name
}

import { Writable } from 'node:stream'
import type { ExtendedFormidableOptions, ScalarOrArrayFiles } from 'koa-body'

type Part = Parameters<NonNullable<ExtendedFormidableOptions['onPart']>>[0]
type Files = ScalarOrArrayFiles
type File = Exclude<Files[string], readonly unknown[]>

/** Fields, and files, of one form. */
export const MAX_PARTS = 100

/** A file of a form, whole: limits of bodies are small enough to hold them. */
export interface Upload {
  readonly fileName: string
  /** As the sender says: what it really is, its bytes tell. */
  readonly contentType: string
  readonly bytes: Uint8Array
}

const contents = new WeakMap<object, Buffer[]>()

/** Keeps a file in memory: nothing of a request touches the disk. */
export const memoryFile = (file?: object): Writable => {
  const pieces: Buffer[] = []
  if (file) contents.set(file, pieces)
  return new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece)
      done()
    },
  })
}

/**
 * Makes a part what it is taken for. Without a file name it is a field, though a type be named; and the text of a
 * field is UTF-8, since the parser breaks down, process and all, on the names that MIME has for plain bytes.
 */
export const plainPart = (part: Part, handle: (part: Part) => void): void => {
  if (part.originalFilename === null) part.mimetype = null
  Object.assign(part, { transferEncoding: 'utf-8' })
  handle(part)
}

const uploadOf = (file: File): Upload => ({
  fileName: file.originalFilename ?? '',
  contentType: file.mimetype ?? '',
  bytes: Buffer.concat(contents.get(file) ?? []),
})

/** One object of fields and files, as a codec reads it. */
export const partsOf = (fields: unknown, files: Files | undefined): Readonly<Record<string, unknown>> =>
  Object.fromEntries([
    ...Object.entries(fields ?? {}),
    ...Object.entries(files ?? {}).map(([name, file]) => [
      name,
      Array.isArray(file) ? file.map(uploadOf) : uploadOf(file),
    ]),
  ])

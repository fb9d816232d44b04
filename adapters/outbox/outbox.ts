import { replaceFile } from '../files/replace-file.ts'
import { fingerprint } from './fingerprint.ts'

const READABLE_LENGTH = 40
const DIGITS = 16

/** A directory of what would have gone out: a file each. */
export interface Outbox {
  /** Durable when it resolves. The same id again replaces its file, and no reader ever finds half of one. */
  put(id: string, extension: 'eml' | 'json', content: Uint8Array): Promise<void>
}

/** Readable by the id's harmless characters, unique by its fingerprint. */
const fileNameOf = (id: string, extension: string): string => {
  const readable = id.replaceAll(/[^A-Za-z\d_-]+/g, '-').slice(0, READABLE_LENGTH)
  return `${readable}-${fingerprint(id).slice(0, DIGITS)}.${extension}`
}

/** The outbox of a directory, which is made with the first file. */
export const outbox = (directory: string): Outbox => ({
  put: (id, extension, content) => replaceFile(directory, fileNameOf(id, extension), content),
})

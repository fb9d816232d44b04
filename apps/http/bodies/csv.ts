import { createHash } from 'node:crypto'
import { type Either, failure, left, right } from '../../../core/failure.ts'
import type { Decoder } from '../../../core/kernel/input/mod.ts'
import type { Context } from '../context.ts'
import type { ServerFailure } from '../replies/messages.ts'

export const TOO_LARGE = left(failure('refused', 'body.too-large'))
const MALFORMED = left(failure('refused', 'csv.malformed'))

/** A CSV as sent. Idempotency keys see only its digest: the text may be long. */
export class CsvText {
  readonly #text: string
  readonly digest: string
  constructor(text: string, digest: string) {
    this.#text = text
    this.digest = digest
  }
  get text(): string {
    return this.#text
  }
}

/**
 * Returns the reader of a CSV, which decodes it chunk by chunk: as UTF-8, else as Windows-1252.
 * Fails: `body.too-large`, `csv.malformed` (another encoding, or the client broke off).
 */
export const csvReader =
  (limitBytes: number) =>
  async ({ req }: Pick<Context, 'req'>): Promise<Either<ServerFailure, CsvText | null>> => {
    const decoder = csvDecoder()
    const hash = createHash('sha256')
    let bytes = 0
    try {
      // The connection stays open for the answer to a body that is too large.
      for await (const chunk of req.iterator({ destroyOnReturn: false })) {
        bytes += chunk.length
        if (bytes > limitBytes) {
          req.resume()
          return TOO_LARGE
        }
        hash.update(chunk)
        decoder.add(chunk)
      }
      const text = decoder.end()
      return right(bytes === 0 ? null : new CsvText(text, hash.digest('hex')))
    } catch {
      req.resume()
      return MALFORMED
    }
  }

/**
 * Decodes a CSV chunk by chunk. Bytes that are not UTF-8 are Windows-1252, in which Excel saves a CSV in Brazil. If
 * they contain a NUL, `add` and `end` throw: the encoding has more than one byte a character.
 */
const csvDecoder = () => {
  const chunks: Uint8Array[] = []
  const pieces: string[] = []
  let decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (chunk?: Uint8Array) => {
    try {
      pieces.push(decoder.decode(chunk, { stream: chunk !== undefined }))
    } catch {
      if (chunks.some((each) => each.includes(0))) throw new TypeError('neither UTF-8 nor Windows-1252')
      decoder = new TextDecoder('windows-1252')
      pieces.length = 0
      for (const each of chunks) pieces.push(decoder.decode(each, { stream: true }))
    }
  }
  return {
    add(chunk: Uint8Array): void {
      chunks.push(chunk)
      decode(chunk)
    },
    end(): string {
      decode()
      return pieces.join('')
    },
  }
}

/** The input of a row that accepts a CSV: its text, empty without a body. */
export const csvBody = (about: string): { on(): Decoder<string> } => ({
  on: () => ({
    fields: {},
    schema: { type: 'string', description: about },
    decode: (sent) => right(sent instanceof CsvText ? sent.text : ''),
    pathOf: (path) => path,
  }),
})

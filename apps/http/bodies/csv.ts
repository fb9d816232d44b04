import { createHash } from 'node:crypto'
import { failure } from '../../../core/failure.ts'
import { type Either, left, right } from '../../../core/fp.ts'
import type { Shape } from '../../../core/kernel/input/input.ts'
import type { ServerFailure } from '../replies/server-messages.ts'
import type { Context } from '../request/context.ts'
import { TOO_LARGE } from './whole.ts'

const MALFORMED = left(failure('refused', 'csv.malformed'))

/** A CSV as it was sent. It is known again by its digest, which is all that can be seen of it: the text may be long. */
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
 * Reads a CSV of at most so many bytes as they come, so that a large one holds nobody up.
 * Fails: `body.too-large`, `csv.malformed` (it is no UTF-8, or its sender broke off).
 */
export const csvReader =
  (limitBytes: number) =>
  async ({ req }: Pick<Context, 'req'>): Promise<Either<ServerFailure, CsvText | null>> => {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    const hash = createHash('sha256')
    const pieces: string[] = []
    let bytes = 0
    try {
      // Whoever is refused has the answer on the same connection.
      for await (const chunk of req.iterator({ destroyOnReturn: false })) {
        bytes += chunk.length
        if (bytes > limitBytes) {
          req.resume()
          return TOO_LARGE
        }
        hash.update(chunk)
        pieces.push(decoder.decode(chunk, { stream: true }))
      }
      pieces.push(decoder.decode())
    } catch {
      req.resume()
      return MALFORMED
    }
    return right(bytes === 0 ? null : new CsvText(pieces.join(''), hash.digest('hex')))
  }

/** The input of a row that takes a CSV: its text, which is empty where nothing was sent. */
export const csvBody = (about: string): { on(): Shape<string> } => ({
  on: () => ({
    fields: {},
    schema: { type: 'string', description: about },
    decode: (sent) => right(sent instanceof CsvText ? sent.text : ''),
    pathOf: (path) => path,
  }),
})

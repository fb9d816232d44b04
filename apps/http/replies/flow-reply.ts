import type { Flowing, Streamed } from './answer.ts'
import { NO_HEADERS } from './answer.ts'
import {
  type Body,
  JSON_TYPE,
  type Listing,
  listingDoc,
  type Paged,
  pageBody,
  type Single,
  singleBody,
  singleDoc,
  type Wrapped,
} from './json-reply.ts'

/** One object with lists in it that are read while they are sent, so that memory does not grow with them. */
export const flow = <V>(spec: Single<V>): Flowing<V> => ({
  streams: true,
  doc: singleDoc(spec),
  encode: (value, dialect) => streamed(spec, value, singleBody(spec, value, dialect)),
})

/** A page of what has such lists in it. */
export const flowPage = <R, P extends Paged<R> = Paged<R>>(spec: Listing<R, P>): Flowing<P> => ({
  streams: true,
  doc: listingDoc('page', spec),
  encode: (value, dialect) => streamed(spec, value, pageBody<R, P>(spec, value, dialect)),
})

const streamed = <V>({ headers }: Wrapped<V>, value: V, { status, body }: Body): Streamed => ({
  status,
  type: JSON_TYPE,
  headers: headers ? headers(value) : NO_HEADERS,
  file: null,
  chunks: inPieces(textOf(body)),
})

const PIECE_CHARS = 16_384

async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string, void> {
  let piece = ''
  for await (const text of texts) {
    piece += text
    if (piece.length < PIECE_CHARS) continue
    yield piece
    piece = ''
  }
  yield piece
}

/** As `JSON.stringify` has it, but that lists may be read on the way. */
async function* textOf(value: unknown): AsyncGenerator<string, void> {
  if (!flows(value)) {
    yield JSON.stringify(value)
    return
  }
  if (isFlow(value) || Array.isArray(value)) {
    let before = '['
    for await (const item of value) {
      // What holds nothing that flows is whole at once: a generator for each line would cost more than the line.
      if (flows(item)) {
        yield before
        yield* textOf(item)
      } else yield before + JSON.stringify(item)
      before = ','
    }
    yield before === '[' ? '[]' : ']'
    return
  }
  let before = '{'
  for (const [name, of] of Object.entries(value)) {
    if (of === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* textOf(of)
    before = ','
  }
  yield '}'
}

const isFlow = (value: object): value is AsyncIterable<unknown> => Symbol.asyncIterator in value

const flows = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && (isFlow(value) || Object.values(value).some(flows))

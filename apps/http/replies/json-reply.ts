import type { AnyView } from '../../../core/kernel/input/view.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import type { Dialect, PageCount } from './dialect.ts'
import {
  constant,
  type Encoded,
  type Flowing,
  type From,
  from,
  type Kept,
  NO_HEADERS,
  type ReplyDoc,
  type Streamed,
} from './reply.ts'

/** A page as use cases give it. */
export interface Paged<R> extends PageCount {
  readonly records: readonly R[]
}

/** A whole list that is read while it is sent, so that memory does not grow with it. */
export interface Unpaged<R> {
  readonly all: AsyncIterable<R>
}

export const JSON_TYPE = 'application/json; charset=utf-8'
const SUCCESS = 'Operação realizada com sucesso.'
const NOTHING_MORE = {}

export interface Wrapped<V> {
  /** 200 unless said. */
  readonly status?: From<V, number>
  /** The statuses besides, where it depends on what is shown. */
  readonly others?: readonly number[]
  /** Another status than the usual one, for what is so. */
  readonly otherwise?: { readonly status: number; readonly when: (value: V) => boolean }
  /** `user`: the name that an envelope gives to the data. */
  readonly key?: string
  readonly message?: From<V, string>
  /** What stands beside the data, by the usual status. */
  readonly more?: AnyView<V>
  readonly headers?: (value: V) => Readonly<Record<string, string>>
  /** What they tell, by name, for the documentation. */
  readonly headerDocs?: Readonly<Record<string, string>>
}

/** A view of whatever shape: an object, or a list of them. */
export type Viewed<V> = AnyView<V, Json>

const docOf = <V, D>(shape: ReplyDoc['shape'], wrapped: Wrapped<V>, view?: Viewed<D>): ReplyDoc => ({
  shape,
  status: constant(wrapped.status, 200),
  others: [...(wrapped.others ?? []), ...(wrapped.otherwise ? [wrapped.otherwise.status] : [])],
  type: 'application/json',
  file: false,
  ...(wrapped.headerDocs && { headers: wrapped.headerDocs }),
  key: wrapped.key ?? null,
  message: constant(wrapped.message, SUCCESS),
  data: view !== undefined,
  shows: view ?? null,
  more: wrapped.more ?? null,
  meta: null,
})

const successOf = <V>(wrapped: Wrapped<V>, value: V, { side }: Dialect, data: unknown) => {
  const otherwise = wrapped.otherwise?.when(value) ? wrapped.otherwise.status : null
  return {
    status: otherwise ?? from(wrapped.status ?? 200, value),
    key: wrapped.key ?? null,
    data,
    message: from(wrapped.message ?? SUCCESS, value),
    more: wrapped.more && otherwise === null ? wrapped.more.on(side).encode(value) : NOTHING_MORE,
  }
}

const encoded = <V>(wrapped: Wrapped<V>, value: V, status: number, body: unknown): Encoded => ({
  status,
  type: JSON_TYPE,
  body: JSON.stringify(body),
  headers: wrapped.headers ? wrapped.headers(value) : NO_HEADERS,
})

/** A status and a body before it is text. */
export interface Body {
  readonly status: number
  readonly body: unknown
}

export interface Single<V> extends Wrapped<V> {
  readonly view?: Viewed<V>
}

export const singleDoc = <V>(spec: Single<V>): ReplyDoc => docOf('json', spec, spec.view)

export const singleBody = <V>(spec: Single<V>, value: V, dialect: Dialect): Body => {
  const data = spec.view?.on(dialect.side).encode(value)
  const success = successOf(spec, value, dialect, data)
  return { status: success.status, body: dialect.ok(success) }
}

/** One object, worded by the row's dialect. Without `view` the answer is its message alone. */
export const json = <V>(spec: Single<V>): Kept<V> => ({
  streams: false,
  doc: singleDoc(spec),
  encode: (value, dialect) => {
    const { status, body } = singleBody(spec, value, dialect)
    return encoded(spec, value, status, body)
  },
})

export interface Listing<R, P> extends Wrapped<P> {
  readonly view: Viewed<R>
  /** Other names than the dialect's own: `{ total, page, limit }`. */
  readonly meta?: (page: PageCount) => Readonly<Record<string, unknown>>
}

const FIRST_PAGE: PageCount = { page: 1, perPage: 1, total: 1 }

export const listingDoc = <R, P>(shape: 'page' | 'list', spec: Listing<R, P>): ReplyDoc => ({
  ...docOf(shape, spec, spec.view),
  meta: spec.meta ? spec.meta(FIRST_PAGE) : null,
})

export const pageBody = <R, P>(spec: Listing<R, P>, value: P & Paged<R>, dialect: Dialect): Body => {
  const data = value.records.map((record) => spec.view.on(dialect.side).encode(record))
  const { page, perPage, total } = value
  const meta = spec.meta ? spec.meta({ page, perPage, total }) : null
  const success = { ...successOf(spec, value, dialect, data), page: { page, perPage, total }, meta }
  return { status: success.status, body: dialect.page(success) }
}

const encodePage = <R, P>(spec: Listing<R, P>, value: P & Paged<R>, dialect: Dialect): Encoded => {
  const { status, body } = pageBody(spec, value, dialect)
  return encoded(spec, value, status, body)
}

/** A page of a list, with its meta. */
export const page = <R, P extends Paged<R> = Paged<R>>(spec: Listing<R, P>): Kept<P> => ({
  streams: false,
  doc: listingDoc('page', spec),
  encode: (value, dialect) => encodePage<R, P>(spec, value, dialect),
})

/** A page where one was asked for, else the whole list, sent while it is read. */
export const list = <R>(spec: Listing<R, Paged<R> | Unpaged<R>>): Flowing<Paged<R> | Unpaged<R>> => ({
  streams: true,
  doc: listingDoc('list', spec),
  encode: (value, dialect) => {
    if ('records' in value) return encodePage(spec, value, dialect)
    const success = successOf<Paged<R> | Unpaged<R>>(spec, value, dialect, CUT)
    return {
      status: success.status,
      type: JSON_TYPE,
      headers: spec.headers ? spec.headers(value) : NO_HEADERS,
      file: null,
      chunks: listText(JSON.stringify(dialect.ok(success)), value.all, (record) =>
        spec.view.on(dialect.side).encode(record),
      ),
    }
  },
})

// The answer is worded around this mark and cut in two where it stands: no dialect has to know of streams.
const CUT = '\u0000items\u0000'
const PIECE_CHARS = 16_384

async function* listText<R>(
  worded: string,
  records: AsyncIterable<R>,
  view: (record: R) => unknown,
): AsyncIterable<string> {
  const [head = '', tail = ''] = worded.split(JSON.stringify(CUT))
  let piece = `${head}[`
  let between = ''
  for await (const record of records) {
    piece += between + JSON.stringify(view(record))
    between = ','
    if (piece.length < PIECE_CHARS) continue
    yield piece
    piece = ''
  }
  yield `${piece}]${tail}`
}

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

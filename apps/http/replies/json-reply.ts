import type { AnyView } from '../../../core/kernel/input/view.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import type { Dialect, PageCount } from './dialect.ts'
import {
  constantOr,
  NO_HEADERS,
  type ReplyDoc,
  type StreamAnswer,
  type StreamReply,
  type TextAnswer,
  type TextReply,
  type ValueOrFunction,
  valueFor,
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

export interface ReplySpec<V> {
  /** 200 unless said. */
  readonly status?: ValueOrFunction<V, number>
  /** The statuses besides, where it depends on what is shown. */
  readonly others?: readonly number[]
  /** Another status than the usual one, for what is so. */
  readonly otherwise?: { readonly status: number; readonly when: (value: V) => boolean }
  /** `user`: the name that an envelope gives to the data. */
  readonly key?: string
  readonly message?: ValueOrFunction<V, string>
  /** What stands beside the data, by the usual status. */
  readonly more?: AnyView<V>
  readonly headers?: (value: V) => Readonly<Record<string, string>>
  /** What they tell, by name, for the documentation. */
  readonly headerDocs?: Readonly<Record<string, string>>
}

/** A view of whatever shape: an object, or a list of them. */
export type ReplyView<V> = AnyView<V, Json>

const docOf = <V, D>(shape: ReplyDoc['shape'], wrapped: ReplySpec<V>, view?: ReplyView<D>): ReplyDoc => ({
  shape,
  status: constantOr(wrapped.status, 200),
  otherStatuses: [...(wrapped.others ?? []), ...(wrapped.otherwise ? [wrapped.otherwise.status] : [])],
  type: 'application/json',
  isFile: false,
  ...(wrapped.headerDocs && { headers: wrapped.headerDocs }),
  key: wrapped.key ?? null,
  message: constantOr(wrapped.message, SUCCESS),
  hasData: view !== undefined,
  view: view ?? null,
  more: wrapped.more ?? null,
  meta: null,
})

const successOf = <V>(wrapped: ReplySpec<V>, value: V, { side }: Dialect, data: unknown) => {
  const otherwise = wrapped.otherwise?.when(value) ? wrapped.otherwise.status : null
  return {
    status: otherwise ?? valueFor(wrapped.status ?? 200, value),
    key: wrapped.key ?? null,
    data,
    message: valueFor(wrapped.message ?? SUCCESS, value),
    more: wrapped.more && otherwise === null ? wrapped.more.on(side).encode(value) : NOTHING_MORE,
  }
}

const encoded = <V>(wrapped: ReplySpec<V>, value: V, status: number, body: unknown): TextAnswer => ({
  status,
  type: JSON_TYPE,
  body: JSON.stringify(body),
  headers: wrapped.headers ? wrapped.headers(value) : NO_HEADERS,
})

/** A status and a body before it is text. */
export interface StatusAndBody {
  readonly status: number
  readonly body: unknown
}

export interface ObjectSpec<V> extends ReplySpec<V> {
  readonly view?: ReplyView<V>
}

export const objectDoc = <V>(spec: ObjectSpec<V>): ReplyDoc => docOf('json', spec, spec.view)

export const objectBody = <V>(spec: ObjectSpec<V>, value: V, dialect: Dialect): StatusAndBody => {
  const data = spec.view?.on(dialect.side).encode(value)
  const success = successOf(spec, value, dialect, data)
  return { status: success.status, body: dialect.ok(success) }
}

/** One object, worded by the row's dialect. Without `view` the answer is its message alone. */
export const json = <V>(spec: ObjectSpec<V>): TextReply<V> => ({
  streams: false,
  doc: objectDoc(spec),
  encode: (value, dialect) => {
    const { status, body } = objectBody(spec, value, dialect)
    return encoded(spec, value, status, body)
  },
})

export interface ListSpec<R, P> extends ReplySpec<P> {
  readonly view: ReplyView<R>
  /** Other names than the dialect's own: `{ total, page, limit }`. */
  readonly meta?: (page: PageCount) => Readonly<Record<string, unknown>>
}

const FIRST_PAGE: PageCount = { page: 1, perPage: 1, total: 1 }

export const listDoc = <R, P>(shape: 'page' | 'list', spec: ListSpec<R, P>): ReplyDoc => ({
  ...docOf(shape, spec, spec.view),
  meta: spec.meta ? spec.meta(FIRST_PAGE) : null,
})

export const pageBody = <R, P>(spec: ListSpec<R, P>, value: P & Paged<R>, dialect: Dialect): StatusAndBody => {
  const data = value.records.map((record) => spec.view.on(dialect.side).encode(record))
  const { page, perPage, total } = value
  const meta = spec.meta ? spec.meta({ page, perPage, total }) : null
  const success = { ...successOf(spec, value, dialect, data), page: { page, perPage, total }, meta }
  return { status: success.status, body: dialect.page(success) }
}

const encodePage = <R, P>(spec: ListSpec<R, P>, value: P & Paged<R>, dialect: Dialect): TextAnswer => {
  const { status, body } = pageBody(spec, value, dialect)
  return encoded(spec, value, status, body)
}

/** A page of a list, with its meta. */
export const page = <R, P extends Paged<R> = Paged<R>>(spec: ListSpec<R, P>): TextReply<P> => ({
  streams: false,
  doc: listDoc('page', spec),
  encode: (value, dialect) => encodePage<R, P>(spec, value, dialect),
})

/** A page where one was asked for, else the whole list, sent while it is read. */
export const list = <R>(spec: ListSpec<R, Paged<R> | Unpaged<R>>): StreamReply<Paged<R> | Unpaged<R>> => ({
  streams: true,
  doc: listDoc('list', spec),
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
export const streamedJson = <V>(spec: ObjectSpec<V>): StreamReply<V> => ({
  streams: true,
  doc: objectDoc(spec),
  encode: (value, dialect) => streamed(spec, value, objectBody(spec, value, dialect)),
})

/** A page of what has such lists in it. */
export const streamedPage = <R, P extends Paged<R> = Paged<R>>(spec: ListSpec<R, P>): StreamReply<P> => ({
  streams: true,
  doc: listDoc('page', spec),
  encode: (value, dialect) => streamed(spec, value, pageBody<R, P>(spec, value, dialect)),
})

const streamed = <V>({ headers }: ReplySpec<V>, value: V, { status, body }: StatusAndBody): StreamAnswer => ({
  status,
  type: JSON_TYPE,
  headers: headers ? headers(value) : NO_HEADERS,
  file: null,
  chunks: inChunks(jsonText(body)),
})

async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<string, void> {
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
async function* jsonText(value: unknown): AsyncGenerator<string, void> {
  if (!hasAsyncIterable(value)) {
    yield JSON.stringify(value)
    return
  }
  if (isAsyncIterable(value) || Array.isArray(value)) {
    let before = '['
    for await (const item of value) {
      // What holds nothing that flows is whole at once: a generator for each line would cost more than the line.
      if (hasAsyncIterable(item)) {
        yield before
        yield* jsonText(item)
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
    yield* jsonText(of)
    before = ','
  }
  yield '}'
}

const isAsyncIterable = (value: object): value is AsyncIterable<unknown> => Symbol.asyncIterator in value

const hasAsyncIterable = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && (isAsyncIterable(value) || Object.values(value).some(hasAsyncIterable))

import type { AnyView } from '../../../core/kernel/input/mod.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import type { Dialect, PageCount } from './dialect.ts'
import {
  constantOr,
  JSON_TYPE,
  NO_HEADERS,
  type ReplyDoc,
  type StreamAnswer,
  type StreamReply,
  type TextAnswer,
  type TextReply,
  type ValueOrFunction,
  valueFor,
} from './reply.ts'

interface ReplySpec<V> {
  /** By default 200. */
  readonly status?: ValueOrFunction<V, number>
  /** The other statuses, if `status` is a function, for the documentation. */
  readonly others?: readonly number[]
  /** Another status for some values, without the fields of `more`. */
  readonly otherwise?: {
    readonly status: number
    readonly when: (value: V) => boolean
    /** By default that of the usual status. */
    readonly view?: AnyView<V, Json>
    /** Describes the status, if it means another thing than in other routes. */
    readonly about?: string
  }
  /** The envelope's name for the data: `user`. */
  readonly key?: string
  readonly message?: ValueOrFunction<V, string>
  /** Fields beside the data. */
  readonly more?: AnyView<V>
  readonly headers?: (value: V) => Readonly<Record<string, string>>
  /** Descriptions of `headers`, by name, for the documentation. */
  readonly headerDocs?: Readonly<Record<string, string>>
}

/** A view as an object or a list of objects. */
type ReplyView<V> = AnyView<V, Json>

interface ObjectSpec<V> extends ReplySpec<V> {
  readonly view?: ReplyView<V>
}

interface ListSpec<R, P> extends ReplySpec<P> {
  readonly view: ReplyView<R>
  /** The meta of a page, if it differs from the dialect's: `{ total, page, limit }`. */
  readonly meta?: (page: PageCount) => Readonly<Record<string, unknown>>
}

/** A page as use cases return it. */
interface Paged<R> extends PageCount {
  readonly records: readonly R[]
}

/** A whole list. It is read while it is sent, so that memory does not grow with it. */
interface Unpaged<R> {
  readonly all: AsyncIterable<R>
}

/** One object in the row's dialect. Without `view` the answer is its message alone. */
export const json = <V>(spec: ObjectSpec<V>): TextReply<V> => ({
  streams: false,
  doc: docOf('json', spec, spec.view),
  encode: (value, dialect) => asText(objectAnswer(spec, value, dialect)),
})

/** A page of a list, with its meta. */
export const page = <R, P extends Paged<R> = Paged<R>>(spec: ListSpec<R, P>): TextReply<P> => ({
  streams: false,
  doc: listDoc('page', spec),
  encode: (value, dialect) => asText(pageAnswer(spec, value, dialect)),
})

/** A page if one was requested, else the whole list as a stream. */
export const list = <R>(spec: ListSpec<R, Paged<R> | Unpaged<R>>): StreamReply<Paged<R> | Unpaged<R>> => ({
  streams: true,
  doc: listDoc('list', spec),
  encode: (value, dialect) => {
    if ('records' in value) return asText(pageAnswer<R, Paged<R> | Unpaged<R>>(spec, value, dialect))
    const { body, ...answer } = answerOf<Paged<R> | Unpaged<R>>(spec, value, dialect, ITEMS_MARK)
    const chunks = listText(JSON.stringify(body), value.all, spec.view.on(dialect.side).encode)
    return { ...answer, file: null, chunks }
  },
})

/** One object with lists that are read while they are sent, so that memory does not grow with them. */
export const streamedJson = <V>(spec: ObjectSpec<V>): StreamReply<V> => ({
  streams: true,
  doc: docOf('json', spec, spec.view),
  encode: (value, dialect) => asStream(objectAnswer(spec, value, dialect)),
})

/** A page of objects with such lists. */
export const streamedPage = <R, P extends Paged<R> = Paged<R>>(spec: ListSpec<R, P>): StreamReply<P> => ({
  streams: true,
  doc: listDoc('page', spec),
  encode: (value, dialect) => asStream(pageAnswer(spec, value, dialect)),
})

const SUCCESS = 'Operação realizada com sucesso.'
const NO_FIELDS = {}

const docOf = <V, D>(shape: ReplyDoc['shape'], spec: ReplySpec<V>, view?: ReplyView<D>): ReplyDoc => ({
  shape,
  status: constantOr(spec.status, 200),
  otherStatuses: [...(spec.others ?? []), ...(spec.otherwise ? [spec.otherwise.status] : [])],
  ...(spec.otherwise?.view && { otherView: spec.otherwise.view }),
  ...(spec.otherwise?.about !== undefined && { otherAbout: spec.otherwise.about }),
  type: 'application/json',
  isFile: false,
  ...(spec.headerDocs && { headers: spec.headerDocs }),
  key: spec.key ?? null,
  message: constantOr(spec.message, SUCCESS),
  hasData: view !== undefined,
  view: view ?? null,
  more: spec.more ?? null,
  meta: null,
})

const listDoc = <R, P>(shape: 'page' | 'list', spec: ListSpec<R, P>): ReplyDoc => ({
  ...docOf(shape, spec, spec.view),
  meta: spec.meta ?? null,
})

/** An answer whose body is not yet encoded. */
interface PlainAnswer extends Omit<TextAnswer, 'type' | 'body'> {
  readonly type: string
  readonly body: unknown
}

const objectAnswer = <V>(spec: ObjectSpec<V>, value: V, dialect: Dialect): PlainAnswer =>
  answerOf(spec, value, dialect, viewFor(spec, value)?.on(dialect.side).encode(value))

const viewFor = <V>({ view, otherwise }: ObjectSpec<V>, value: V): ReplyView<V> | undefined =>
  otherwise?.view && otherwise.when(value) ? otherwise.view : view

const pageAnswer = <R, P>(spec: ListSpec<R, P>, value: P & Paged<R>, dialect: Dialect): PlainAnswer => {
  const { records, page, perPage, total } = value
  const data = records.map(spec.view.on(dialect.side).encode)
  return answerOf<P>(spec, value, dialect, data, { page, perPage, total })
}

const answerOf = <V>(
  spec: ReplySpec<V> & Pick<ListSpec<never, V>, 'meta'>,
  value: V,
  dialect: Dialect,
  data: unknown,
  page: PageCount | null = null,
): PlainAnswer => {
  const otherwise = spec.otherwise?.when(value) ? spec.otherwise.status : null
  const status = otherwise ?? valueFor(spec.status ?? 200, value)
  const key = spec.key ?? null
  const message = valueFor(spec.message ?? SUCCESS, value)
  const more = spec.more && otherwise === null ? spec.more.on(dialect.side).encode(value) : NO_FIELDS
  const body = page
    ? dialect.page({ status, key, data, message, more, page, meta: spec.meta?.(page) ?? null })
    : dialect.ok({ status, key, data, message, more })
  return { status, type: JSON_TYPE, headers: spec.headers?.(value) ?? NO_HEADERS, body }
}

const asText = ({ status, type, headers, body }: PlainAnswer): TextAnswer => ({
  status,
  type,
  body: JSON.stringify(body),
  headers,
})

const asStream = ({ body, ...answer }: PlainAnswer): StreamAnswer => ({
  ...answer,
  file: null,
  chunks: inChunks(jsonText(body)),
})

/** Stands for the items in the encoded envelope, which is split there: dialects need not support streams. */
const ITEMS_MARK = '\u0000items\u0000'
const CHUNK_CHARS = 16_384

async function* listText<R>(
  envelope: string,
  records: AsyncIterable<R>,
  view: (record: R) => unknown,
): AsyncIterable<string> {
  const [head = '', tail = ''] = envelope.split(JSON.stringify(ITEMS_MARK))
  let chunk = `${head}[`
  let separator = ''
  for await (const record of records) {
    chunk += separator + JSON.stringify(view(record))
    separator = ','
    if (chunk.length < CHUNK_CHARS) continue
    yield chunk
    chunk = ''
  }
  yield `${chunk}]${tail}`
}

async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<string, void> {
  let chunk = ''
  for await (const text of texts) {
    chunk += text
    if (chunk.length < CHUNK_CHARS) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

/** Encodes as `JSON.stringify` does, with async iterables as lists. */
async function* jsonText(value: unknown): AsyncGenerator<string, void> {
  if (!hasAsyncIterable(value)) {
    yield JSON.stringify(value)
    return
  }
  if (isAsyncIterable(value) || Array.isArray(value)) {
    let before = '['
    for await (const item of value) {
      // Without lists inside, an item is encoded at once: a generator for each would cost more than the item.
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

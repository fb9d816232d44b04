import type { AnyView } from '../../../core/kernel/input/mod.ts'
import type { HttpRequest } from '../request.ts'
import {
  constantOr,
  NO_HEADERS,
  type ReplyDoc,
  type StreamReply,
  type TextReply,
  type ValueOrFunction,
  valueFor,
} from './reply.ts'

type Headers = Readonly<Record<string, string>>

interface Text<V> {
  readonly status?: ValueOrFunction<V, number>
  /** The other statuses, if `status` is a function, for the documentation. */
  readonly others?: readonly number[]
  /** The codes of the failures that the text itself shows, for the documentation. */
  readonly codes?: readonly string[]
  readonly type?: ValueOrFunction<V, string>
  readonly headers?: Headers | ((value: V, request: HttpRequest) => Headers)
  readonly view: (value: V, request: HttpRequest) => string | Uint8Array
}

/** A text; by default plain text. */
export const text = <V>(spec: Text<V>): TextReply<V> => {
  const { status = 200, others = [], codes, type = 'text/plain; charset=utf-8', headers = NO_HEADERS } = spec
  return {
    streams: false,
    doc: {
      ...bareDoc('text', constantOr(status, 200), constantOr(type, 'text/plain; charset=utf-8'), {
        otherStatuses: others,
      }),
      ...(codes && { codes }),
    },
    encode: (value, _dialect, request) => ({
      status: valueFor(status, value),
      type: valueFor(type, value),
      body: spec.view(value, request),
      headers: typeof headers === 'function' ? headers(value, request) : headers,
    }),
  }
}

/**
 * A text with an `ETag`, which clients store and revalidate: a client that has it gets 304. `tag` identifies a version
 * of the text; equal texts have equal tags.
 */
export const revalidatedText = <V>(
  spec: Omit<Text<V>, 'status' | 'others' | 'headers'> & { readonly tag: (value: V) => string },
): TextReply<V> => {
  const whole = text<V>({ ...spec, others: [304] })
  return {
    ...whole,
    doc: { ...whole.doc, headers: ETAG_DOC },
    encode(value, dialect, request) {
      const tag = `"${spec.tag(value)}"`
      const headers = { ETag: tag, 'Cache-Control': 'private, no-cache' }
      if (matchesTag(request.header('if-none-match'), tag)) return { status: 304, type: null, body: '', headers }
      return { ...whole.encode(value, dialect, request), headers }
    },
  }
}

export interface Bytes<V> {
  readonly type: ValueOrFunction<V, string>
  /** The documented type, if `type` is a function. */
  readonly docType?: string
  /** The other types, if `type` is a function, for the documentation. */
  readonly others?: readonly string[]
  readonly headers?: Headers | ((value: V) => Headers)
  readonly fileName?: ValueOrFunction<V, string | null>
  readonly disposition?: ValueOrFunction<V, 'attachment' | 'inline'>
  readonly chunks: (value: V) => AsyncIterable<Uint8Array>
}

/** A file, produced while it is sent. With `fileName` the browser saves it. */
export const bytes = <V>(spec: Bytes<V>): StreamReply<V> => ({
  streams: true,
  doc: {
    ...bareDoc('bytes', 200, spec.docType ?? constantOr(spec.type, 'application/octet-stream'), {
      isFile: spec.fileName !== undefined,
    }),
    ...(spec.others && { fileTypes: spec.others }),
  },
  encode: (value) => {
    const { headers = NO_HEADERS } = spec
    const name = valueFor(spec.fileName ?? null, value)
    return {
      status: 200,
      type: valueFor(spec.type, value),
      headers: typeof headers === 'function' ? headers(value) : headers,
      file: name === null ? null : { name, disposition: valueFor(spec.disposition ?? 'attachment', value) },
      chunks: spec.chunks(value),
    }
  },
})

/**
 * A file if the use case returned one without a commit, else another reply, which is stored for an idempotency key.
 * `types` are the types of the files.
 */
export const fileOr = <F, V>(
  isFile: (value: F | V) => value is F,
  file: StreamReply<F>,
  other: TextReply<V>,
  types: readonly string[],
): StreamReply<F | V> => ({
  streams: true,
  isStorable: true,
  doc: { ...other.doc, isFile: true, fileTypes: types },
  encode: (value, dialect, request) =>
    isFile(value) ? file.encode(value, dialect, request) : other.encode(value as V, dialect, request),
})

/** 204 without a body. */
export const empty = (): TextReply<unknown> => ({
  streams: false,
  doc: bareDoc('empty', 204, ''),
  encode: () => ({ status: 204, type: null, body: '', headers: NO_HEADERS }),
})

interface Events<E, A> {
  /** The event's name: `notification`. */
  readonly event: string
  /** The id that a client sends in `Last-Event-ID` when it reconnects. */
  readonly id: (each: E) => string
  /** The id of the position before the first event. */
  readonly startId: (all: A) => string
  /** The event's data, as JSON. */
  readonly view: AnyView<E>
  readonly heartbeatMs?: number
}

/** Server-sent events (HTML Standard, 9.2), until the source ends or the client disconnects. */
export const events = <E, A extends AsyncIterable<E> = AsyncIterable<E>>({
  event,
  id,
  startId,
  view,
  heartbeatMs = HEARTBEAT_MS,
}: Events<E, A>): StreamReply<A> => ({
  streams: true,
  doc: bareDoc('text', 200, 'text/event-stream'),
  encode: (all, { side }) => ({
    status: 200,
    type: 'text/event-stream; charset=utf-8',
    // Turns off the buffering of proxies.
    headers: { 'X-Accel-Buffering': 'no' },
    file: null,
    isLive: true,
    chunks: eventText(
      all,
      streamStart(startId(all)),
      (each) => `event: ${event}\nid: ${id(each)}\ndata: ${JSON.stringify(view.on(side).encode(each))}\n\n`,
      heartbeatMs,
    ),
  }),
})

/** Half the time after which proxies and the server's own sockets close an idle connection. */
const HEARTBEAT_MS = 20_000

/**
 * The first bytes, sent at once: the client reconnects after 3 s, and the id of the stream's start, so that a client
 * that loses the connection before the first event sends it in `Last-Event-ID` and misses nothing.
 */
const streamStart = (id: string): string => `retry: 3000\nid: ${id}\n\n`
const HEARTBEAT = ': still here\n\n'

const END: IteratorResult<string> = { done: true, value: undefined }

/** Encodes events. Not a generator, since `return` would wait for the pending event of a generator. */
const eventText = <E>(
  all: AsyncIterable<E>,
  start: string,
  encode: (each: E) => string,
  heartbeatMs: number,
): AsyncIterable<string> => ({
  [Symbol.asyncIterator]() {
    const source = all[Symbol.asyncIterator]()
    let isStarted = false
    let pending: Promise<IteratorResult<E>> | null = null
    return {
      async next() {
        if (!isStarted) {
          isStarted = true
          return { done: false, value: start }
        }
        pending ??= source.next()
        const result = await orNullAfter(pending, heartbeatMs)
        if (result === null) return { done: false, value: HEARTBEAT }
        pending = null
        return result.done ? END : { done: false, value: encode(result.value) }
      },
      async return() {
        await source.return?.()
        return END
      },
    }
  },
})

/** Resolves to the promise's value, or to null after a timeout. */
const orNullAfter = async <A>(promise: Promise<A>, milliseconds: number): Promise<A | null> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, milliseconds, null)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The documentation of `ETag`. */
export const ETAG_DOC = { ETag: 'A versão do conteúdo: `If-None-Match` com ela responde 304.' }

/** Reports whether `If-None-Match` contains a tag, by weak comparison (RFC 9110, 13.1.2). */
export const matchesTag = (sent: string | null, tag: string): boolean =>
  (sent ?? '').split(',').some((each) => [tag, '*'].includes(each.trim().replace(/^W\//, '')))

/** The documentation of an answer without an envelope. */
export const bareDoc = (
  shape: ReplyDoc['shape'],
  status: number,
  type: string,
  { isFile = false, otherStatuses = [] }: Partial<Pick<ReplyDoc, 'isFile' | 'otherStatuses'>> = {},
): ReplyDoc => ({
  shape,
  status,
  otherStatuses,
  type,
  isFile,
  key: null,
  message: '',
  hasData: shape !== 'empty',
  view: null,
  more: null,
  meta: null,
})

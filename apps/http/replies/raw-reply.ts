import type { AnyView } from '../../../core/kernel/input/view.ts'
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

/** What the documentation says of an answer that no dialect words. */
export const bareDoc = (
  shape: ReplyDoc['shape'],
  status: number,
  type: string,
  { isFile: file = false, otherStatuses: others = [] }: Partial<Pick<ReplyDoc, 'isFile' | 'otherStatuses'>> = {},
): ReplyDoc => ({
  shape,
  status,
  otherStatuses: others,
  type,
  isFile: file,
  key: null,
  message: '',
  hasData: shape !== 'empty',
  view: null,
  more: null,
  meta: null,
})

type Headers = Readonly<Record<string, string>>

interface Text<V> {
  readonly status?: ValueOrFunction<V, number>
  /** The statuses besides 200, where it depends on what is shown. */
  readonly others?: readonly number[]
  /** The codes of the failures that it shows itself, for the documentation. */
  readonly codes?: readonly string[]
  readonly type?: ValueOrFunction<V, string>
  readonly headers?: Headers | ((value: V, request: HttpRequest) => Headers)
  readonly view: (value: V, request: HttpRequest) => string
}

/** Plain text, HTML or the media type of `type`. */
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

/** What the documentation says of the headers of an answer that clients revalidate. */
export const ETAG_DOC = { ETag: 'A versão do conteúdo: `If-None-Match` com ela responde 304.' }

/** Reports whether `If-None-Match` names a tag; weak tags match too. Source: RFC 9110, 13.1.2. */
export const matchesTag = (sent: string | null, tag: string): boolean =>
  (sent ?? '').split(',').some((each) => [tag, '*'].includes(each.trim().replace(/^W\//, '')))

/**
 * A text with an `ETag` that clients and their own caches store and revalidate: 304 without a body to a client that has it.
 * `tag` names a version of the text; equal texts have equal tags.
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

/** A file, sent while it is made. Without `fileName` the browser is not told to keep it. */
export const bytes = <V>(spec: {
  readonly type: ValueOrFunction<V, string>
  /** What the documentation calls it where it differs from file to file. */
  readonly docType?: string
  /** The types that it may have besides, for the documentation. */
  readonly others?: readonly string[]
  readonly headers?: Headers | ((value: V) => Headers)
  readonly fileName?: ValueOrFunction<V, string | null>
  readonly disposition?: ValueOrFunction<V, 'attachment' | 'inline'>
  readonly chunks: (value: V) => AsyncIterable<Uint8Array>
}): StreamReply<V> => ({
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
 * A file where the use case made one, which commits nothing, else what is kept of what it has begun. `files` are the types of the
 * files.
 */
export const fileOr = <F, V>(
  isFile: (value: F | V) => value is F,
  file: StreamReply<F>,
  other: TextReply<V>,
  files: readonly string[],
): StreamReply<F | V> => ({
  streams: true,
  isStorable: true,
  doc: { ...other.doc, isFile: true, fileTypes: files },
  encode: (value, dialect, request) =>
    isFile(value) ? file.encode(value, dialect, request) : other.encode(value as V, dialect, request),
})

/** 204: no body at all. */
export const empty = (): TextReply<unknown> => ({
  streams: false,
  doc: bareDoc('empty', 204, ''),
  encode: () => ({ status: 204, type: null, body: '', headers: NO_HEADERS }),
})

/** Half of what proxies and our own sockets take for silence. */
const HEARTBEAT_MS = 20_000

/**
 * The first bytes, sent at once. They have the id of the place at which the stream begins: a client that is cut off before the
 * first event sends it in `Last-Event-ID` and misses nothing. A client tries again after 3 s.
 */
const streamStart = (id: string): string => `retry: 3000\nid: ${id}\n\n`
const HEARTBEAT = ': still here\n\n'

interface Events<E, A> {
  /** What each is called: `notification`. */
  readonly event: string
  /** By what a client says where it was cut off, in `Last-Event-ID`. */
  readonly id: (each: E) => string
  /** The id of the place before the first event. */
  readonly startId: (all: A) => string
  /** Its data, as JSON. */
  readonly view: AnyView<E>
  readonly heartbeatMs?: number
}

/** Server-sent events as they come, until there are no more or the client hangs up. Source: the HTML standard, 9.2. */
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
    // Some proxies keep what they are sent until there is enough of it.
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

const END: IteratorResult<string> = { done: true, value: undefined }

/** Written out, since a generator that waits for the next event cannot be told that nobody waits for it any more. */
const eventText = <E>(
  all: AsyncIterable<E>,
  beginning: string,
  wordsOf: (each: E) => string,
  heartbeatMs: number,
): AsyncIterable<string> => ({
  [Symbol.asyncIterator]() {
    const each = all[Symbol.asyncIterator]()
    let isBegun = false
    let coming: Promise<IteratorResult<E>> | null = null
    return {
      async next() {
        if (!isBegun) {
          isBegun = true
          return { done: false, value: beginning }
        }
        coming ??= each.next()
        const came = await orNullAfter(coming, heartbeatMs)
        if (came === null) return { done: false, value: HEARTBEAT }
        coming = null
        return came.done ? END : { done: false, value: wordsOf(came.value) }
      },
      async return() {
        await each.return?.()
        return END
      },
    }
  },
})

/** What is waited for, or null where it takes longer. */
const orNullAfter = async <A>(waited: Promise<A>, milliseconds: number): Promise<A | null> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, milliseconds, null)
  })
  try {
    return await Promise.race([waited, late])
  } finally {
    clearTimeout(timer)
  }
}

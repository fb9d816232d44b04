import type { HttpRequest } from '../request/http-request.ts'
import type { ReplyDoc } from './answer.ts'
import { constant, type Flowing, type From, from, type Kept, NO_HEADERS } from './answer.ts'

/** What the documentation says of an answer that no dialect words. */
export const bareDoc = (
  shape: ReplyDoc['shape'],
  status: number,
  type: string,
  { file = false, others = [] }: Partial<Pick<ReplyDoc, 'file' | 'others'>> = {},
): ReplyDoc => ({
  shape,
  status,
  others,
  type,
  file,
  key: null,
  message: '',
  data: shape !== 'empty',
  shows: null,
  more: null,
  meta: null,
})

type Headers = Readonly<Record<string, string>>

interface Text<V> {
  readonly status?: From<V, number>
  /** The statuses besides 200, where it depends on what is shown. */
  readonly others?: readonly number[]
  /** The codes of the failures that it shows itself, for the documentation. */
  readonly codes?: readonly string[]
  readonly type?: From<V, string>
  readonly headers?: Headers | ((value: V, request: HttpRequest) => Headers)
  readonly view: (value: V, request: HttpRequest) => string
}

/** Plain text, HTML or the media type of `type`. */
export const text = <V>(spec: Text<V>): Kept<V> => {
  const { status = 200, others = [], codes, type = 'text/plain; charset=utf-8', headers = NO_HEADERS } = spec
  return {
    streams: false,
    doc: {
      ...bareDoc('text', constant(status, 200), constant(type, 'text/plain; charset=utf-8'), { others }),
      ...(codes && { codes }),
    },
    encode: (value, _dialect, request) => ({
      status: from(status, value),
      type: from(type, value),
      body: spec.view(value, request),
      headers: typeof headers === 'function' ? headers(value, request) : headers,
    }),
  }
}

/** What the documentation says of the headers of an answer that clients revalidate. */
export const VALIDATED = { ETag: 'A versão do conteúdo: `If-None-Match` com ela responde 304.' }

/** Reports whether `If-None-Match` names a tag; weak tags match too. Source: RFC 9110, 13.1.2. */
export const isNamed = (sent: string | null, tag: string): boolean =>
  (sent ?? '').split(',').some((each) => [tag, '*'].includes(each.trim().replace(/^W\//, '')))

/**
 * A text with an `ETag` that clients and their own caches store and revalidate: 304 without a body to a client that has it.
 * `tag` names a version of the text; equal texts have equal tags.
 */
export const revalidatedText = <V>(
  spec: Omit<Text<V>, 'status' | 'others' | 'headers'> & { readonly tag: (value: V) => string },
): Kept<V> => {
  const whole = text<V>({ ...spec, others: [304] })
  return {
    ...whole,
    doc: { ...whole.doc, headers: VALIDATED },
    encode(value, dialect, request) {
      const tag = `"${spec.tag(value)}"`
      const headers = { ETag: tag, 'Cache-Control': 'private, no-cache' }
      if (isNamed(request.header('if-none-match'), tag)) return { status: 304, type: null, body: '', headers }
      return { ...whole.encode(value, dialect, request), headers }
    },
  }
}

/** A file, sent while it is made. Without `fileName` the browser is not told to keep it. */
export const bytes = <V>(spec: {
  readonly type: From<V, string>
  /** What the documentation calls it where it differs from file to file. */
  readonly docType?: string
  /** The types that it may have besides, for the documentation. */
  readonly others?: readonly string[]
  readonly headers?: Headers | ((value: V) => Headers)
  readonly fileName?: From<V, string | null>
  readonly disposition?: From<V, 'attachment' | 'inline'>
  readonly chunks: (value: V) => AsyncIterable<Uint8Array>
}): Flowing<V> => ({
  streams: true,
  doc: {
    ...bareDoc('bytes', 200, spec.docType ?? constant(spec.type, 'application/octet-stream'), {
      file: spec.fileName !== undefined,
    }),
    ...(spec.others && { files: spec.others }),
  },
  encode: (value) => {
    const { headers = NO_HEADERS } = spec
    const name = from(spec.fileName ?? null, value)
    return {
      status: 200,
      type: from(spec.type, value),
      headers: typeof headers === 'function' ? headers(value) : headers,
      file: name === null ? null : { name, disposition: from(spec.disposition ?? 'attachment', value) },
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
  file: Flowing<F>,
  other: Kept<V>,
  files: readonly string[],
): Flowing<F | V> => ({
  streams: true,
  keeps: true,
  doc: { ...other.doc, file: true, files },
  encode: (value, dialect, request) =>
    isFile(value) ? file.encode(value, dialect, request) : other.encode(value as V, dialect, request),
})

/** 204: no body at all. */
export const empty = (): Kept<unknown> => ({
  streams: false,
  doc: bareDoc('empty', 204, ''),
  encode: () => ({ status: 204, type: null, body: '', headers: NO_HEADERS }),
})

import type { HttpRequest } from '../request/http-request.ts'
import type { ReplyDoc } from './answer.ts'
import { constant, type Flowing, type From, from, type Kept, NO_HEADERS } from './answer.ts'

const bareDoc = (
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

/** Plain text, HTML or whatever `type` says. */
export const text = <V>(spec: {
  readonly status?: From<V, number>
  /** The statuses besides 200, where it depends on what is shown. */
  readonly others?: readonly number[]
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly view: (value: V, request: HttpRequest) => string
}): Kept<V> => {
  const { status = 200, others = [], type = 'text/plain; charset=utf-8', headers = NO_HEADERS } = spec
  return {
    streams: false,
    doc: bareDoc('text', constant(status, 200), type, { others }),
    encode: (value, _dialect, request) => ({
      status: from(status, value),
      type,
      body: spec.view(value, request),
      headers,
    }),
  }
}

/** A file, sent while it is made. Without `fileName` the browser is not told to keep it. */
export const bytes = <V>(spec: {
  readonly type: From<V, string>
  /** What the documentation calls it where it differs from file to file. */
  readonly docType?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly fileName?: From<V, string | null>
  readonly disposition?: From<V, 'attachment' | 'inline'>
  readonly chunks: (value: V) => AsyncIterable<Uint8Array>
}): Flowing<V> => ({
  streams: true,
  doc: bareDoc('bytes', 200, spec.docType ?? constant(spec.type, 'application/octet-stream'), {
    file: spec.fileName !== undefined,
  }),
  encode: (value) => {
    const name = from(spec.fileName ?? null, value)
    return {
      status: 200,
      type: from(spec.type, value),
      headers: spec.headers ?? NO_HEADERS,
      file: name === null ? null : { name, disposition: from(spec.disposition ?? 'attachment', value) },
      chunks: spec.chunks(value),
    }
  },
})

/** 204: no body at all. */
export const empty = (): Kept<unknown> => ({
  streams: false,
  doc: bareDoc('empty', 204, ''),
  encode: () => ({ status: 204, type: null, body: '', headers: NO_HEADERS }),
})

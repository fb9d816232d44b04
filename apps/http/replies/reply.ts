import type { JsonSchema, Side } from '../../../core/kernel/input/mod.ts'
import type { ReplyCodec } from '../../../core/office/idempotency-keys.ts'
import type { HttpRequest } from '../request.ts'
import type { Dialect, PageCount } from './dialect.ts'

/** Encodes the result of a row's use case as an answer. A stream cannot be stored for an idempotency key. */
export type Reply<V> = TextReply<V> | StreamReply<V>

/** Encodes an answer that can be stored for an idempotency key. */
export interface TextReply<V> {
  readonly streams: false
  readonly doc: ReplyDoc
  readonly encode: (value: V, dialect: Dialect, request: HttpRequest) => TextAnswer
}

/** Encodes an answer that may be produced while it is sent. */
export interface StreamReply<V> {
  readonly streams: true
  /**
   * True if committed results are never streamed, so that every committed result can be stored for its idempotency key.
   */
  readonly isStorable?: boolean
  readonly doc: ReplyDoc
  readonly encode: (value: V, dialect: Dialect, request: HttpRequest) => Answer
}

/** A reply without the type of its value. */
export type AnyReply =
  | {
      readonly streams: false
      readonly doc: ReplyDoc
      encode(value: unknown, dialect: Dialect, request: HttpRequest): TextAnswer
    }
  | {
      readonly streams: true
      readonly isStorable?: boolean
      readonly doc: ReplyDoc
      encode(value: unknown, dialect: Dialect, request: HttpRequest): Answer
    }

export type Answer = TextAnswer | StreamAnswer

/** An answer that can be stored in the commit of its use case and sent again byte for byte. */
export interface TextAnswer {
  readonly status: number
  /** Null without a body. */
  readonly type: string | null
  /** Bytes are UTF-8. */
  readonly body: string | Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

/** An answer that is produced while it is sent. */
export interface StreamAnswer {
  readonly status: number
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
  readonly file: { readonly name: string; readonly disposition: 'attachment' | 'inline' } | null
  readonly chunks: AsyncIterable<Uint8Array | string>
  /** Set if chunks are produced by events: none of them waits for a turn. */
  readonly isLive?: true
}

export const JSON_TYPE = 'application/json; charset=utf-8'
export const NO_HEADERS: Readonly<Record<string, string>> = {}

/** The documentation of an answer. */
export interface ReplyDoc {
  readonly shape: 'json' | 'page' | 'list' | 'text' | 'bytes' | 'empty'
  readonly status: number
  /** Further statuses of the same answer. */
  readonly otherStatuses: readonly number[]
  /** The view of further statuses and their description, if not the usual ones. */
  readonly otherView?: ReplyDoc['view']
  readonly otherAbout?: string
  readonly type: string
  /** Set if the answer has a file name. */
  readonly isFile: boolean
  /** The types of the files that may be sent instead. */
  readonly fileTypes?: readonly string[]
  /** The codes of the failures that the answer itself shows. */
  readonly codes?: readonly string[]
  /** Descriptions of its own headers, by name. */
  readonly headers?: Readonly<Record<string, string>>
  readonly key: string | null
  readonly message: string
  /** False if the answer is its message alone. */
  readonly hasData: boolean
  /** The view of its data, if any. */
  readonly view: DocumentedView | null
  /** The view of the fields beside its data. */
  readonly more: DocumentedView | null
  /** The meta of a page, if it differs from the dialect's. */
  readonly meta: ((page: PageCount) => Readonly<Record<string, unknown>>) | null
}

interface DocumentedView {
  on(side: Side): { readonly schema: JsonSchema }
}

/** A constant, or a function of the use case's result. */
export type ValueOrFunction<V, A> = A | ((value: V) => A)

export const valueFor = <V, A extends string | number | null>(setting: ValueOrFunction<V, A>, value: V): A =>
  typeof setting === 'function' ? setting(value) : setting

/** Returns the constant for the documentation, or `otherwise` if the value depends on the result. */
export const constantOr = <V, A>(setting: ValueOrFunction<V, A> | undefined, otherwise: A): A =>
  setting === undefined || typeof setting === 'function' ? otherwise : setting

/** The record of an idempotency key's answer. It is sent again byte for byte, with `Idempotent-Replayed`. */
export const storedAnswer: ReplyCodec<Answer> = {
  write: (answer) => {
    // The check of rows rules this out: a row with keys does not stream what it has committed.
    if ('chunks' in answer) throw new TypeError('a streamed answer cannot be stored for its idempotency key')
    const { status, type, body, headers } = answer
    return {
      status,
      type,
      text: typeof body === 'string' ? body : Buffer.from(body).toString(),
      headers: JSON.stringify(headers),
    }
  },
  read: ({ status, type, text, headers }) => ({
    status: status ?? 200,
    type,
    body: text,
    headers: { ...(JSON.parse(headers ?? '{}') as Answer['headers']), 'Idempotent-Replayed': 'true' },
  }),
}

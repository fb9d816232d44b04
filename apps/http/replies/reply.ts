import type { HttpRequest } from '../request/http-request.ts'
import type { Encoded, Flowing, Kept, ReplyDoc, Streamed } from './answer.ts'
import type { Dialect } from './dialect.ts'

/** How a row answers with what its use case gave. What streams cannot be kept for an idempotency key. */
export type Reply<V> = Kept<V> | Flowing<V>

/** Replies of every value side by side. */
export type AnyReply =
  | {
      readonly streams: false
      readonly doc: ReplyDoc
      encode(value: unknown, dialect: Dialect, request: HttpRequest): Encoded
    }
  | {
      readonly streams: true
      readonly keeps?: boolean
      readonly doc: ReplyDoc
      encode(value: unknown, dialect: Dialect, request: HttpRequest): Encoded | Streamed
    }

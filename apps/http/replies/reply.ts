import type { JsonSchema, Side } from '../../../core/kernel/input/field.ts'
import type { ReplyCodec } from '../../../core/office/idempotency-keys.ts'
import type { HttpRequest } from '../request.ts'
import type { Dialect } from './dialect.ts'

/** How a row answers with what its use case gave. What streams cannot be kept for an idempotency key. */
export type Reply<V> = TextReply<V> | StreamReply<V>

/** Replies of every value side by side. */
export type AnyReply =
  | {
      readonly streams: false
      readonly doc: ReplyDoc
      encode(value: unknown, dialect: Dialect, request: HttpRequest): TextAnswer
    }
  | {
      readonly streams: true
      readonly keeps?: boolean
      readonly doc: ReplyDoc
      encode(value: unknown, dialect: Dialect, request: HttpRequest): TextAnswer | StreamAnswer
    }

/** An answer without a connection: it can be stored with the commit that made it, and sent again byte for byte. */
export interface TextAnswer {
  readonly status: number
  /** Null where there is no body. */
  readonly type: string | null
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** An answer that is sent as it is made. */
export interface StreamAnswer {
  readonly status: number
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
  readonly file: { readonly name: string; readonly disposition: 'attachment' | 'inline' } | null
  readonly chunks: AsyncIterable<Uint8Array | string>
  /** Whether its pieces come when something happens: then none of them waits for a turn. */
  readonly isLive?: true
}

export type Answer = TextAnswer | StreamAnswer

/** What the documentation says of a view. */
interface DocumentedView {
  on(side: Side): { readonly schema: JsonSchema }
}

/** What the documentation says of an answer. */
export interface ReplyDoc {
  readonly shape: 'json' | 'page' | 'list' | 'text' | 'bytes' | 'empty'
  readonly status: number
  /** Further statuses under which the same is answered. */
  readonly otherStatuses: readonly number[]
  readonly type: string
  /** Whether it is a file with a name of its own. */
  readonly isFile: boolean
  /** The types of the files that may be answered in its place. */
  readonly fileTypes?: readonly string[]
  /** The codes of the failures that it shows itself. */
  readonly codes?: readonly string[]
  /** What the headers of its own tell, by name. */
  readonly headers?: Readonly<Record<string, string>>
  readonly key: string | null
  readonly message: string
  /** Whether the answer carries data, or only its message. */
  readonly hasData: boolean
  /** What its data shows, where a view says so. */
  readonly view: DocumentedView | null
  /** What stands beside its data. */
  readonly more: DocumentedView | null
  /** What the meta of its pages looks like where it is not the dialect's own. */
  readonly meta: Readonly<Record<string, unknown>> | null
}

/** Encodes at once what can be kept for an idempotency key. */
export interface TextReply<V> {
  readonly streams: false
  readonly doc: ReplyDoc
  readonly encode: (value: V, dialect: Dialect, request: HttpRequest) => TextAnswer
}

/** Encodes what may be sent while it is made. */
export interface StreamReply<V> {
  readonly streams: true
  /** Whether it streams only what was made without a commit: all else is kept for an idempotency key. */
  readonly isStorable?: boolean
  readonly doc: ReplyDoc
  readonly encode: (value: V, dialect: Dialect, request: HttpRequest) => TextAnswer | StreamAnswer
}

/** Something constant, or made from what the use case gave. */
export type ValueOrFunction<V, A> = A | ((value: V) => A)

export const valueFor = <V, A extends string | number | null>(given: ValueOrFunction<V, A>, value: V): A =>
  typeof given === 'function' ? given(value) : given

/** What the documentation shows of it. */
export const constantOr = <V, A>(given: ValueOrFunction<V, A> | undefined, otherwise: A): A =>
  given === undefined || typeof given === 'function' ? otherwise : given

export const NO_HEADERS: Readonly<Record<string, string>> = {}

/** An answer as its key's record holds it: sent again byte for byte, and marked as such. Source: decisions.md §2. */
export const storedAnswer: ReplyCodec<Answer> = {
  write: (answer) => {
    // The mount lets no row have keys that commits something and streams what came of it.
    if ('chunks' in answer) throw new TypeError('a streamed answer cannot be kept for its key')
    const { status, type, body, headers } = answer
    return { status, type, text: body, headers: JSON.stringify(headers) }
  },
  read: ({ status, type, text, headers }) => ({
    status: status ?? 200,
    type,
    body: text,
    headers: { ...(JSON.parse(headers ?? '{}') as Answer['headers']), 'Idempotent-Replayed': 'true' },
  }),
}

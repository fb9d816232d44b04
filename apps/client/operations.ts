/** The methods of the APIs. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The facts of an API's operations that its document states, by `post /invoices`. */
export interface Facts {
  /** The operations that need no token. */
  readonly open: readonly string[]
  /** The operations that take an `Idempotency-Key`. */
  readonly keyed: readonly string[]
  /** The media types of the operations whose replies are not JSON alone. */
  readonly types: Readonly<Record<string, readonly string[]>>
}

/** The paths of an API that answer a method. */
export type PathOf<Paths, M extends Method> = {
  [P in keyof Paths]: Paths[P] extends Record<M, object> ? P : never
}[keyof Paths] &
  string

/** The operation of a method and a path. */
export type OperationOf<Paths, M extends Method, P> = P extends keyof Paths
  ? Paths[P] extends Record<M, infer Operation>
    ? Operation
    : never
  : never

/** The parameters in a place; never if there are none. */
type ParametersIn<Operation, Place extends 'path' | 'query' | 'header'> = Operation extends {
  parameters: infer Parameters
}
  ? Place extends keyof Parameters
    ? Exclude<Parameters[Place], undefined>
    : never
  : never

/** Path parameters may be numbers: most ids are. */
type PathOption<Parameters> = [Parameters] extends [never]
  ? { readonly path?: never }
  : { readonly path: { readonly [name in keyof Parameters]: string | number } }

type QueryOption<Parameters> = [Parameters] extends [never]
  ? { readonly query?: never }
  : Partial<Parameters> extends Parameters
    ? { readonly query?: Readonly<Parameters> }
    : { readonly query: Readonly<Parameters> }

type BodyAs<Content> = {
  [Type in keyof Content]: Type extends 'application/json'
    ? Content[Type]
    : Type extends 'multipart/form-data'
      ? FormData
      : Type extends 'application/x-www-form-urlencoded'
        ? URLSearchParams
        : string | Blob
}[keyof Content]

type BodyOption<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? { readonly body: BodyAs<Content> }
  : Operation extends { requestBody?: { content: infer Content } }
    ? { readonly body?: BodyAs<Content> }
    : { readonly body?: never }

/** Reports whether parameters have a name; `never` has none. */
type Has<Parameters, Name> = [Parameters] extends [never] ? false : Name extends keyof Parameters ? true : false

type KeyOption<Headers> =
  Has<Headers, 'Idempotency-Key'> extends true
    ? {
        /** Names the intent of the caller; made by the client if it is left out. */
        readonly idempotencyKey?: string
      }
    : { readonly idempotencyKey?: never }

/** The options of any request. */
export interface CommonOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Ends the request, its retries and waits included. */
  readonly signal?: AbortSignal
}

/** The options of an operation's request. */
export type OptionsOf<Operation> = CommonOptions &
  PathOption<ParametersIn<Operation, 'path'>> &
  QueryOption<ParametersIn<Operation, 'query'>> &
  BodyOption<Operation> &
  KeyOption<ParametersIn<Operation, 'header'>>

/** The arguments after the path: the options may be left out if none is required. */
export type ArgumentsOf<Operation> =
  Partial<OptionsOf<Operation>> extends OptionsOf<Operation>
    ? [options?: OptionsOf<Operation>]
    : [options: OptionsOf<Operation>]

type Success = 200 | 201 | 202 | 204

type ContentAs<Reply> = Reply extends { content: infer Content }
  ? {
      [Type in keyof Content]: Type extends 'application/json'
        ? Content[Type]
        : Type extends 'text/event-stream'
          ? ReadableStream<Uint8Array>
          : Blob
    }[keyof Content]
  : undefined

/** The value of an operation that succeeds: its JSON, a file, a stream of events, or nothing. */
export type ReplyOf<Operation> = Operation extends { responses: infer Replies }
  ? { [Status in keyof Replies & Success]: ContentAs<Replies[Status]> }[keyof Replies & Success]
  : never

/** The paths of an API whose lists come in pages. */
export type PagedPathOf<Paths> = {
  [P in PathOf<Paths, 'get'>]: Has<ParametersIn<OperationOf<Paths, 'get', P>, 'query'>, 'page'> extends true ? P : never
}[PathOf<Paths, 'get'>]

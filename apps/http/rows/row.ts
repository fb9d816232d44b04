import { isLeft } from '../../../core/failure.ts'
import type { Decoder, Fields, Side } from '../../../core/kernel/input/mod.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import type { UseCase } from '../../../core/kernel/running/use-case.ts'
import type { Page } from '../../../core/ports/store.ts'
import type { BodyRule } from '../bodies/body.ts'
import { type Dialect, queryOn } from '../replies/dialect.ts'
import type { ResourceTexts, ServerCode, Wording } from '../replies/messages.ts'
import type { AnyReply, Reply, ReplyDoc } from '../replies/reply.ts'
import type { HttpRequest } from '../request.ts'

/**
 * The types of an app: its core, the principal of each auth scheme, and its permissions, dialects and failure codes.
 */
export interface ApiTypes {
  readonly core: unknown
  readonly principals: Readonly<Record<string, unknown>>
  readonly permission: string
  readonly dialect: string
  readonly code: string
}

export interface Call<Core, Principal, Found> {
  readonly core: Core
  readonly actor: Principal
  /** The result of the row's `record`. */
  readonly record: Found
  readonly request: HttpRequest
}

export interface Input<Q, B> {
  readonly query: Q
  readonly body: B
}

/** Documents a route, and is the input of its success test. */
export interface Example {
  /** The name of the fixture that creates the required records. */
  readonly given?: string
  readonly request?: {
    readonly params?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, string>>
    readonly body?: Json
  }
  readonly reply: Json
}

/** An example whose reply is built from its data, in the envelope of the row's dialect; or the whole `reply`. */
export interface RowExample extends Partial<Example> {
  /** The data as its view encodes it; the one record of a page or a list. */
  readonly data?: Json
  /** Fields beside the data. */
  readonly more?: Readonly<Record<string, Json>>
  /** The message, if it depends on the result. */
  readonly message?: string
}

/**
 * The stages that a row may reorder. They run after match, 405, rate, throttle, authenticate and body, and before
 * `run`.
 */
export type Stage = 'context' | 'permission' | 'key' | 'accountWritable' | 'record' | 'precondition' | 'input'

export const STAGES: readonly Stage[] = [
  'context',
  'permission',
  'key',
  'accountWritable',
  'record',
  'precondition',
  'input',
]

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The fields of a row that depend on no type of the app, its methods, input and example aside. */
interface RowBase {
  /** Unique in its app: `charges.issue`. */
  readonly name: string
  readonly area: string
  readonly summary: string
  /** Its paths, aliases included: `/invoices/:id`, `/billing/charges/:id`. */
  readonly paths: readonly string[]
  /** Set to false to ignore `Idempotency-Key`; by default each POST that is not public accepts it. */
  readonly key?: boolean
  /** If true, suspended and closed accounts are rejected. By default true if the row has a method other than GET. */
  readonly accountWritable?: boolean
  /** The accepted body; by default none for GET and DELETE, else JSON of at most 1 MB. */
  readonly body?: BodyRule
  /** Descriptions of path parameters, if they differ from those of the API. */
  readonly parameters?: Readonly<Record<string, string>>
  /** `use` is the path that replaces the route, if any. */
  readonly deprecated?: { readonly use: string | null }
  /** A limit per address, in addition to that of the app. */
  readonly rate?: { readonly perMinute: number }
  /** All seven stages, in the row's order; by default that of `STAGES`. */
  readonly stages?: readonly Stage[]
}

/**
 * A route as a table row. The stages run in this order: match, 405, rate, throttle, authenticate, body, context,
 * permission, key, accountWritable, record, precondition, input, run.
 */
export interface Row<
  H extends ApiTypes,
  K extends keyof H['principals'] & string,
  Found,
  Q,
  B,
  V,
  C extends string,
  E extends string,
> extends RowBase {
  /** By default GET. */
  readonly methods?: readonly Method[]
  readonly example: RowExample
  readonly dialect: H['dialect']
  readonly auth: K
  readonly permission?: H['permission']
  /** Reads the record that the path names, for `run`. */
  readonly record?: (call: Call<H['core'], H['principals'][K], null>) => UseCase<Found, C, string>
  /** Also runs before a stored answer is returned; `record` is not read yet at that point. */
  readonly precondition?: Precondition<Call<H['core'], H['principals'][K], null>, C>
  /** Limits requests by address, before authentication. */
  readonly throttle?: (call: Pick<Call<H['core'], null, null>, 'core' | 'request'>) => UseCase<null, C, string>
  readonly input?: { readonly query?: DialectInput<Q>; readonly body?: DialectInput<B> }
  readonly run: (call: Call<H['core'], H['principals'][K], Found>, input: Input<Q, B>) => UseCase<V, C, string>
  /**
   * Completes an unfinished operation of this row that a repeated key finds. The input is given only if the row's
   * stages read it before the key.
   */
  readonly resume?: (
    call: Call<H['core'], H['principals'][K], Found>,
    intent: string,
    input: Input<Q, B>,
  ) => UseCase<V, C, string>
  readonly reply: Reply<V>
  /** Every failure code of its use cases, for the documentation, with the row's own status and texts, if any. */
  readonly errors?: Readonly<Record<E, Wording>>
}

/**
 * A row whose `errors` are exactly the failure codes of its use cases, those of the server aside; otherwise a type that
 * names the wrong codes and is no row. The result is checked, since the parts of the argument are inferred one by one.
 */
type CheckedRow<C extends string, E extends string> = string extends C
  ? AnyRow
  : [Exclude<C, E | ServerCode>] extends [never]
    ? [Exclude<E, C | ServerCode>] extends [never]
      ? AnyRow
      : { readonly superfluousErrors: Exclude<E, C | ServerCode> }
    : { readonly missingErrors: Exclude<C, E | ServerCode> }

/** An input of the core, by the field names of a dialect. */
export interface DialectInput<A> {
  on(side: Side): Decoder<A>
}

/** A condition that is checked before the rest of the body: a PIN. */
interface Precondition<A, C extends string> {
  /** The fields of the body that it reads, for the documentation. */
  readonly fields: Fields
  readonly pass: (call: A, body: unknown) => UseCase<null, C, string>
}

type AnyCall = Call<unknown, unknown, unknown>

/** A row without the types of its principal, record and input. */
export interface AnyRow extends RowBase {
  readonly methods: readonly Method[]
  readonly example: Example
  readonly dialect: string
  readonly auth: string
  readonly permission?: string
  readonly input: { readonly query?: Decoder<unknown>; readonly body?: Decoder<unknown> }
  readonly reply: AnyReply
  readonly errors?: Readonly<Record<string, Wording>>
  /** The messages of the row's resource, for every row of the app. */
  readonly texts?: ResourceTexts
  // Methods, since their parameters are bivariant: each row is called with the results of its own stages.
  record?(call: AnyCall): UseCase<unknown>
  throttle?(call: AnyCall): UseCase<null>
  readonly precondition?: { readonly fields: Fields; pass(call: AnyCall, body: unknown): UseCase<null> }
  run(call: AnyCall, input: Input<unknown, unknown>): UseCase<unknown>
  resume?(call: AnyCall, intent: string, input: Input<unknown, unknown>): UseCase<unknown>
}

/**
 * Creates the rows of an API: `const route = rowOf<Payments>()(dialects)`, then `route({ … })`. Inputs are decoded by
 * the names of the row's dialect.
 */
export const rowOf =
  <H extends ApiTypes>() =>
  (dialects: { readonly [D in H['dialect']]: Dialect }) =>
  <
    K extends keyof H['principals'] & string,
    V,
    C extends H['code'] | ServerCode = never,
    Found = null,
    Q = null,
    B = null,
    E extends H['code'] | ServerCode = never,
  >(
    row: Row<H, K, Found, Q, B, V, C, E>,
  ): CheckedRow<C, E> => {
    const name: H['dialect'] = row.dialect
    const dialect: Dialect = dialects[name]
    const { methods = ['GET'], input: { query, body } = {} } = row
    const input = {
      ...(query && { query: queryOn(dialect, query) }),
      ...(body && { body: body.on(dialect.side) }),
    }
    const example = completeExample(row.example, dialect, row.reply.doc, input.query)
    const checked: AnyRow = { ...row, methods, input, example }
    return checked as CheckedRow<C, E>
  }

/** Builds the reply of an example from its data. Throws if the query of a page's example is wrong. */
export const completeExample = (
  { data, more = {}, message, reply, ...example }: RowExample,
  dialect: Dialect,
  doc: ReplyDoc,
  query?: Decoder<unknown>,
): Example => {
  if (reply !== undefined) return { ...example, reply }
  if (doc.shape === 'bytes') return { ...example, reply: 'bytes' }
  if (doc.shape === 'text' || doc.shape === 'empty') return { ...example, reply: data ?? null }
  const { status, key } = doc
  const success = { status, key, data: doc.shape === 'json' ? data : [data], message: message ?? doc.message, more }
  const page = doc.shape === 'page' ? { ...requestedPage(example, query), total: 1 } : null
  const body = page ? dialect.page({ ...success, page, meta: doc.meta?.(page) ?? null }) : dialect.ok(success)
  // Drops absent fields, as the answer does.
  return { ...example, reply: JSON.parse(JSON.stringify(body)) }
}

const requestedPage = ({ request }: Pick<Example, 'request'>, query: Decoder<unknown> | undefined): Page => {
  const decoded = query?.decode(request?.query ?? {})
  if (!decoded || isLeft(decoded)) throw new TypeError('the example of a page has no valid query')
  const { page, perPage } = decoded.right as Page
  return { page, perPage }
}

/** Reports whether POSTs of a row accept `Idempotency-Key`. */
export const isKeyed = (
  row: AnyRow,
  scheme: { readonly security: object | null; readonly keyScope?: unknown },
): boolean =>
  row.key !== false && row.methods.includes('POST') && scheme.security !== null && scheme.keyScope !== undefined

const JSON_BODY: BodyRule = { kinds: ['json'] }

/** Returns the body that a row accepts; null for none. */
export const bodyRuleOf = (row: AnyRow): BodyRule | null =>
  row.body ?? (row.methods.some((method) => method !== 'GET' && method !== 'DELETE') ? JSON_BODY : null)

/** Reports whether a body consists of named fields: a CSV is one text. */
export const takesFields = (rule: BodyRule | null): boolean => rule !== null && !rule.kinds.includes('csv')

import type { Side } from '../../../core/kernel/input/field.ts'
import type { Decoder, Fields } from '../../../core/kernel/input/input.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import type { UseCase } from '../../../core/kernel/running/use-case.ts'
import type { BodyRule } from '../bodies/body.ts'
import { type Dialect, queryOn } from '../replies/dialect.ts'
import type { ResourceTexts, ServerCode, Wording } from '../replies/messages.ts'
import type { AnyReply, Reply } from '../replies/reply.ts'
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

/**
 * Documents a route, and is the input of its success test. `given` names the fixture that creates the required records.
 */
export interface Example {
  readonly given?: string
  readonly request?: {
    readonly params?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, string>>
    readonly body?: Json
  }
  readonly reply: Json
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

/** The fields of a row that depend on no type of the app. */
interface RowBase {
  /** Unique in its app: `charges.issue`. */
  readonly name: string
  readonly area: string
  readonly summary: string
  readonly methods: readonly Method[]
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
  readonly example: Example
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
  readonly dialect: H['dialect']
  readonly auth: K
  readonly permission?: H['permission']
  /** Reads the record that the path names, for `run`. */
  readonly record?: (call: Call<H['core'], H['principals'][K], null>) => UseCase<Found, C, string>
  /** Also runs before a stored answer is returned; `record` is not read yet at that point. */
  readonly precondition?: Precondition<Call<H['core'], H['principals'][K], null>, C>
  /** Limits requests by address, before authentication. */
  readonly throttle?: (call: Pick<Call<H['core'], null, null>, 'core' | 'request'>) => UseCase<null, C, string>
  readonly input: { readonly query?: DialectInput<Q>; readonly body?: DialectInput<B> }
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
  (dialects: { readonly [D in H['dialect']]: Pick<Dialect, 'side' | 'refusesOperators'> }) =>
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
    const dialect: H['dialect'] = row.dialect
    const { query, body } = row.input
    const checked: AnyRow = {
      ...row,
      input: {
        ...(query && { query: queryOn(dialects[dialect], query) }),
        ...(body && { body: body.on(dialects[dialect].side) }),
      },
    }
    return checked as CheckedRow<C, E>
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

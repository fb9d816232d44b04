import type { Side } from '../../../core/kernel/input/field.ts'
import type { Decoder } from '../../../core/kernel/input/input.ts'
import type { Fields } from '../../../core/kernel/input/table.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import type { UseCase } from '../../../core/kernel/running/use-case.ts'
import type { BodyRule } from '../bodies/body.ts'
import { type Dialect, queryOn } from '../replies/dialect.ts'
import type { ServerCode, Wording } from '../replies/messages.ts'
import type { AnyReply, Reply } from '../replies/reply.ts'
import type { HttpRequest } from '../request.ts'

/** What an app is made of, for the types of its rows: its bound core, and who may ask by which `auth`. */
export interface ApiTypes {
  readonly core: unknown
  readonly principals: Readonly<Record<string, unknown>>
  readonly permission: string
  readonly dialect: string
  /** What its business can fail with. */
  readonly code: string
}

export interface Call<Core, Principal, Found> {
  readonly core: Core
  readonly actor: Principal
  /** What the row's `record` found under its owner. */
  readonly record: Found
  readonly request: HttpRequest
}

export interface Input<Q, B> {
  readonly query: Q
  readonly body: B
}

/** Documents a route and feeds its success test: plain data. `given` names a fixture that makes what must exist. */
export interface Example {
  readonly given?: string
  readonly request?: {
    readonly params?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, string>>
    readonly body?: Json
  }
  readonly reply: Json
}

/** What may be ordered otherwise. Before it always: match, 405, rate, throttle, authenticate, read the body; after it `run`. */
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

/** What a row says without naming its types. */
interface RowBase {
  /** `charges.issue`: unique in its app. */
  readonly name: string
  readonly area: string
  readonly summary: string
  readonly methods: readonly Method[]
  /** All the paths it answers, aliases included: `/invoices/:id`, `/billing/charges/:id`. */
  readonly paths: readonly string[]
  /** Whether `Idempotency-Key` is honoured: by default on every POST that is not public. */
  readonly key?: boolean
  /** Whether an account that is suspended or closed is refused: by default on every method but GET. */
  readonly accountWritable?: boolean
  /** Which body it takes: none by default for GET and DELETE, JSON of 1 MB at most otherwise. */
  readonly body?: BodyRule
  /** What a parameter of its paths is, where the API's own words do not say it. */
  readonly parameters?: Readonly<Record<string, string>>
  readonly example: Example
  /** `use` is the path that does the same; null where nothing does. */
  readonly deprecated?: { readonly use: string | null }
  /** A limit of its own per address, always on, besides the one that the whole app may have. */
  readonly rate?: { readonly perMinute: number }
  /** All seven, in the order that the row's text asks for. */
  readonly stages?: readonly Stage[]
}

/**
 * A route is a row: flat data and one function. Its stages run in one order for all rows: match, 405, rate, throttle,
 * authenticate, read the body, context, permission, key, accountWritable, record, precondition, input, run.
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
  /** Finds what the path names: `run` gets it, and a failure ends the request. */
  readonly record?: (call: Call<H['core'], H['principals'][K], null>) => UseCase<Found, C, string>
  /** Asked before a taken key answers, too: then before the record is found. */
  readonly precondition?: Precondition<Call<H['core'], H['principals'][K], null>, C>
  /** Whether the row's business lets this address ask: asked before anything of the request but where it comes from. */
  readonly throttle?: (call: Pick<Call<H['core'], null, null>, 'core' | 'request'>) => UseCase<null, C, string>
  readonly input: { readonly query?: DialectInput<Q>; readonly body?: DialectInput<B> }
  readonly run: (call: Call<H['core'], H['principals'][K], Found>, input: Input<Q, B>) => UseCase<V, C, string>
  /** Finishes an intent of this row that a repeated key found abandoned. It has an input where its stages read that before the key. */
  readonly resume?: (
    call: Call<H['core'], H['principals'][K], Found>,
    intent: string,
    input: Input<Q, B>,
  ) => UseCase<V, C, string>
  readonly reply: Reply<V>
  /** Every code that its use cases fail with, for the documentation, with another status or text where this row has one. */
  readonly errors?: Readonly<Record<E, Wording>>
}

/**
 * A row whose `errors` names every code that its use cases can fail with, and no other, but for those of every server: else
 * what is wrong with it, which is no row. Said of the row that comes out, since what goes in is inferred piece by piece.
 */
type CheckedRow<C extends string, E extends string> = string extends C
  ? AnyRow
  : [Exclude<C, E | ServerCode>] extends [never]
    ? [Exclude<E, C | ServerCode>] extends [never]
      ? AnyRow
      : { readonly neverFailsWith: Exclude<E, C | ServerCode> }
    : { readonly failsToo: Exclude<C, E | ServerCode> }

/** An input of the core, which each dialect names in its own way. */
export interface DialectInput<A> {
  on(side: Side): Decoder<A>
}

/** What is asked before anything is said of the rest of the body: a PIN. */
interface Precondition<A, C extends string> {
  /** What it looks at in the body, for the documentation. */
  readonly fields: Fields
  readonly pass: (call: A, body: unknown) => UseCase<null, C, string>
}

type AnyCall = Call<unknown, unknown, unknown>

/** A row as the mount sees it: rows of every principal, record and input side by side. */
export interface AnyRow extends RowBase {
  readonly dialect: string
  readonly auth: string
  readonly permission?: string
  readonly input: { readonly query?: Decoder<unknown>; readonly body?: Decoder<unknown> }
  readonly reply: AnyReply
  readonly errors?: Readonly<Record<string, Wording>>
  // Methods, because methods take narrower parameters: each row is called with what its own stages gave.
  record?(call: AnyCall): UseCase<unknown>
  throttle?(call: AnyCall): UseCase<null>
  readonly precondition?: { readonly fields: Fields; pass(call: AnyCall, body: unknown): UseCase<null> }
  run(call: AnyCall, input: Input<unknown, unknown>): UseCase<unknown>
  resume?(call: AnyCall, intent: string, input: Input<unknown, unknown>): UseCase<unknown>
}

/**
 * Makes the rows of one API: `const route = rowOf<Payments>()(dialects)`, then `route({ … })`, which infers the rest. Inputs
 * are read as the row's dialect names them.
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
    const own: AnyRow = {
      ...row,
      input: {
        ...(query && { query: queryOn(dialects[dialect], query) }),
        ...(body && { body: body.on(dialects[dialect].side) }),
      },
    }
    return own as CheckedRow<C, E>
  }

/** Reports whether POSTs of a row accept `Idempotency-Key`. */
export const isKeyed = (
  row: AnyRow,
  scheme: { readonly security: object | null; readonly keyScope?: unknown },
): boolean =>
  row.key !== false && row.methods.includes('POST') && scheme.security !== null && scheme.keyScope !== undefined

const JSON_BODY: BodyRule = { kinds: ['json'] }

/** Which body a row takes, null for none. */
export const bodyRuleOf = (row: AnyRow): BodyRule | null =>
  row.body ?? (row.methods.some((method) => method !== 'GET' && method !== 'DELETE') ? JSON_BODY : null)

/** Reports whether a body consists of named fields: a CSV is one text. */
export const takesFields = (rule: BodyRule | null): boolean => rule !== null && !rule.kinds.includes('csv')

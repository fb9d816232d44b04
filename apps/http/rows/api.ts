import type { Either, Failure } from '../../../core/failure.ts'
import type { JsonSchema, Side } from '../../../core/kernel/input/mod.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import type { Cipher, Clock, Digest, Random } from '../../../core/ports/runtime.ts'
import type { Store } from '../../../core/ports/store.ts'
import type { Tracer } from '../../../core/ports/tracer.ts'
import type { Dialect } from '../replies/dialect.ts'
import type { Messages, ServerCode } from '../replies/messages.ts'
import type { HttpRequest } from '../request.ts'
import { PARAMETERS } from '../routing.ts'
import type { Log, Metrics } from '../telemetry.ts'
import { type AnyRow, type ApiTypes, isKeyed, STAGES } from './row.ts'

/** Paths of an emulated service, with its dialect. */
export interface ForeignPaths {
  readonly prefixes: readonly string[]
  readonly dialect: Dialect
}

/** The documentation of a request header. */
export interface HeaderDoc {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
  /** If set, only rows that can fail with this code read the header. */
  readonly onlyWith?: string
}

/** A step of an auth scheme that can fail. */
type SchemeStep = 'authenticate' | 'context' | 'permits' | 'accountWritable'

/**
 * An auth scheme, named by a row's `auth`: authentication, the account that the caller acts on, and its permissions. A
 * scheme without `security` is public.
 */
export interface AuthScheme<Principal, Permission, Caller = unknown, Code extends string = string> {
  /** The OpenAPI security scheme, by name: schemes with the same token share one. */
  readonly security: { readonly [name: string]: { readonly [key: string]: Json } } | null
  /** Describes the accepted callers, for the documentation. */
  readonly about: string
  /** Further headers that it reads, for the documentation. */
  readonly headers?: readonly HeaderDoc[]
  /** The step that fails with each code, those of the server aside; null for a code that never occurs. */
  readonly fails?: Readonly<Record<Exclude<Code, ServerCode>, SchemeStep | null>>
  authenticate(request: HttpRequest): Promise<Either<Failure<Code, string>, Caller>>
  /**
   * Returns the principal: the account or company that the request acts on. By default the caller. Runs after the body
   * is read.
   */
  context?(caller: Caller, request: HttpRequest): Promise<Either<Failure<Code, string>, Principal>>
  permits?(principal: Principal, permission: Permission): Failure<Code, string> | null
  /** Returns a failure if the principal's account may not write. */
  accountWritable?(principal: Principal): Failure<Code, string> | null
  /** The key for fair shares under load: an account, a company. By default the caller's network. */
  tenant?(principal: Principal): string
  /** The scope in which an idempotency key is unique: `7|charges.issue`. Without it, keys are ignored. */
  keyScope?(principal: Principal, request: HttpRequest, rowName: string): string
}

/** The documentation of an API, its rows aside. */
export interface ApiDocs {
  /** Descriptions of areas. */
  readonly areas?: Readonly<Record<string, string>>
  /** Descriptions of path parameters, by name, for rows without their own. */
  readonly parameters?: Readonly<Record<string, string>>
  readonly webhooks?: readonly Webhook[]
}

/** The configuration of a server. All effects come from its members. */
export interface ApiConfig<H extends ApiTypes> {
  /** `payments`: in logs, in `/health`, and in the keys that an app stores, since two apps may share a store. */
  readonly name: string
  readonly title: string
  readonly docs?: ApiDocs
  readonly version: string
  /** The introduction of the documentation, in Markdown. */
  readonly introduction?: string
  readonly core: H['core']
  readonly authSchemes: {
    readonly [K in keyof H['principals'] & string]: AuthScheme<H['principals'][K], H['permission']>
  }
  readonly rows: readonly AnyRow[]
  readonly dialects: Readonly<Record<H['dialect'], Dialect>>
  /** The dialect of answers without a row: unknown routes, malformed requests. */
  readonly defaultDialect: H['dialect']
  /** Paths whose unknown routes are answered in another dialect. */
  readonly foreign?: ForeignPaths
  readonly messages: Messages
  readonly store: Store
  readonly digest: Digest
  /** Encrypts stored requests and answers. */
  readonly cipher: Cipher
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** The origins that may call from a browser; by default none. */
  readonly corsOrigins?: readonly string[]
  /** Set if the last address of `X-Forwarded-For` is the caller's; by default it is not. */
  readonly trustProxy?: boolean
  readonly publicUrl: string
  /** The limit of requests per minute and address, for rows and documentation together; by default none. */
  readonly ratePerMinute?: number | null
  /** The limit of requests in flight, which callers share fairly; further ones get 503. By default `MAX_IN_FLIGHT`. */
  readonly maxInFlight?: number
  /** Set to false to omit `X-Ignored-Fields`, which lists the ignored body fields of a write. */
  readonly ignoredFields?: boolean
  /** The time that a client has to read its answer before it may lose its slot to another caller; by default 5 s. */
  readonly slowClientMs?: number
  /** Returns the delay of the event loop, in milliseconds; by default measured. */
  readonly loopDelayMs?: () => number
  /** Receives a span of each request. */
  readonly tracer?: Tracer
  /** Counts requests, and serves `/metrics`; without it the route does not exist. */
  readonly metrics?: Metrics
  /** Rejects if `/health` must return 503. */
  readonly health?: () => Promise<void>
}

/** A scheme without the type of its principal. */
export type AnyAuthScheme = AuthScheme<unknown, string>

/** An event that is sent to a webhook, signed as in the Standard Webhooks specification. */
export interface Webhook {
  /** The payload's `type`: `charge.paid`. */
  readonly event: string
  readonly area: string
  readonly summary: string
  readonly payload: { on(side: Side): { readonly schema: JsonSchema } }
  readonly example: Json
}

/** Returns the errors in a table of rows, one line each. A server with an error does not start. */
export const rowErrors = (setup: ApiConfig<ApiTypes>): readonly string[] => {
  const names = new Set<string>()
  const routes = new Map<string, string>()
  const shapes = new Map<string, string>()
  return setup.rows.flatMap((row) => {
    const errors = [
      ...(names.has(row.name) ? ['duplicate name'] : []),
      ...ownErrors(row, setup),
      ...row.paths.flatMap((path) => [
        ...row.methods.flatMap((method) => claim(routes, `${method} ${shapeOf(path)}`, row.name)),
        ...claim(shapes, shapeOf(path), path, true),
      ]),
    ]
    names.add(row.name)
    return errors.map((error) => `row ${row.name}: ${error}`)
  })
}

const EVERY_STAGE = [...STAGES].sort().join()

const ownErrors = (row: AnyRow, { authSchemes: schemes, dialects }: ApiConfig<ApiTypes>): readonly string[] => {
  const scheme = schemes[row.auth]
  const { stages = STAGES } = row
  return [
    ...(row.methods.length === 0 || row.paths.length === 0 ? ['no method or no path'] : []),
    ...(dialects[row.dialect] ? [] : [`unknown dialect ${row.dialect}`]),
    ...(scheme ? [] : [`unknown auth scheme ${row.auth}`]),
    ...(row.permission !== undefined && !scheme?.permits ? ['its auth scheme has no permissions'] : []),
    ...(stages === STAGES || [...stages].sort().join() === EVERY_STAGE
      ? []
      : [`stages must be each of ${STAGES.join(', ')} once`]),
    ...(scheme && isKeyed(row, scheme) && row.reply.streams && !row.reply.isStorable
      ? ['a stream cannot be stored for an idempotency key: set key: false']
      : []),
  ]
}

/** Returns a path without the names of its parameters: paths of the same shape match the same requests. */
const shapeOf = (path: string): string => path.replace(PARAMETERS, (found) => found.charAt(0))

const claim = (taken: Map<string, string>, route: string, by: string, mayRepeat = false): readonly string[] => {
  const owner = taken.get(route)
  taken.set(route, owner ?? by)
  return owner === undefined || (mayRepeat && owner === by) ? [] : [`${by} and ${owner} both match ${route}`]
}

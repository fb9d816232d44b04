import type { Failure } from '../../../core/failure.ts'
import type { Either } from '../../../core/fp.ts'
import type { JsonSchema, Side } from '../../../core/kernel/input/field.ts'
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

/** Paths that stand in for another service, which answers all of them in its own way. */
export interface ForeignPaths {
  readonly prefixes: readonly string[]
  readonly dialect: Dialect
}

/** A header of requests, for the documentation. */
export interface HeaderDoc {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
}

/** A part of an auth scheme that may refuse. */
export type SchemeStep = 'authenticate' | 'context' | 'permits' | 'accountWritable'

/**
 * One way to ask, named by a row's `auth`: how a caller proves who it is, on which account it then acts, and what that
 * principal may do. A scheme without `security` is public.
 */
export interface AuthScheme<Principal, Permission, Whom = unknown, Code extends string = string> {
  /** An OpenAPI security scheme under its name: schemes that take the same token have the same one. */
  readonly security: { readonly [name: string]: { readonly [key: string]: Json } } | null
  /** Who may ask, for the documentation. */
  readonly about: string
  /** The headers that it reads besides, for the documentation. */
  readonly headers?: readonly HeaderDoc[]
  /** What each part of it fails with, but for what every server can fail with; null for what it never does. */
  readonly fails?: Readonly<Record<Exclude<Code, ServerCode>, SchemeStep | null>>
  authenticate(request: HttpRequest): Promise<Either<Failure<Code, string>, Whom>>
  /** After the body was read: the account or company that the request acts on. Without it, who asks is the principal. */
  context?(whom: Whom, request: HttpRequest): Promise<Either<Failure<Code, string>, Principal>>
  permits?(principal: Principal, permission: Permission): Failure<Code, string> | null
  /** Why the principal's account may not write now, or null. */
  accountWritable?(principal: Principal): Failure<Code, string> | null
  /** In whose line it waits where it asks for much: an account's, a company's. Without it, those of one network stand in one. */
  tenant?(principal: Principal): string
  /** What an idempotency key is unique in: `7|charges.issue`. Without it, keys are ignored. */
  keyScope?(principal: Principal, request: HttpRequest, rowName: string): string
}

/** What the documentation says of an API beside its rows. */
export interface ApiDocs {
  /** What the routes of an area are about. */
  readonly areas?: Readonly<Record<string, string>>
  /** What a parameter of a path is, by its name, where its row says nothing else. */
  readonly parameters?: Readonly<Record<string, string>>
  /** What it tells the servers of those who ask it to. */
  readonly webhooks?: readonly Webhook[]
}

/** All that a server is made of. Everything with an effect comes from here. */
export interface ApiConfig<H extends ApiTypes> {
  /** `payments`: in logs, in `/health`, and between the keys of two apps on one store. */
  readonly name: string
  readonly title: string
  readonly docs?: ApiDocs
  readonly version: string
  /** What the documentation begins with, in Markdown. */
  readonly introduction?: string
  readonly core: H['core']
  readonly authSchemes: {
    readonly [K in keyof H['principals'] & string]: AuthScheme<H['principals'][K], H['permission']>
  }
  readonly rows: readonly AnyRow[]
  readonly dialects: Readonly<Record<H['dialect'], Dialect>>
  /** Words what no row answers: unknown routes, bad requests. */
  readonly defaultDialect: H['dialect']
  /** Paths of which the unknown ones are answered in another dialect. */
  readonly foreign?: ForeignPaths
  readonly messages: Messages
  readonly store: Store
  readonly digest: Digest
  /** What is kept of requests and answers is kept under it. */
  readonly cipher: Cipher
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly corsOrigins: readonly string[]
  /** Whether the last address of `X-Forwarded-For` is the caller's. */
  readonly trustProxy: boolean
  readonly publicUrl: string
  /** Requests a minute and address, over all rows and the documentation; null and by default without limit. */
  readonly ratePerMinute?: number | null
  /** Requests in hand at once, which callers share fairly; further ones are 503. `MAX_IN_FLIGHT` by default. */
  readonly maxInFlight?: number
  /** Names the ignored body fields in the answers of writes, in `X-Ignored-Fields`; `true` by default. */
  readonly ignoredFields?: boolean
  /** How long an answer may take to be taken before its caller gives way, where all places are taken; 5 s by default. */
  readonly slowClientMs?: number
  /** For how long the event loop has been busy, in milliseconds; measured by default. */
  readonly loopDelayMs?: () => number
  /** Receives a span of each request; without it nothing is traced. */
  readonly tracer?: Tracer
  /** Where requests are counted, and what `/metrics` shows; without it there is no such route. */
  readonly metrics?: Metrics
  /** What `/health` says beside its status; a rejection makes it 503. */
  readonly health?: () => Promise<Readonly<Record<string, Json>>>
}

/** A scheme as the mount sees it: schemes of every principal side by side. */
export type AnyAuthScheme = AuthScheme<unknown, string>

/** Something that the server tells a receiver's own server, signed by the Standard Webhooks specification. */
export interface Webhook {
  /** `charge.paid`: what stands in the payload's `type`. */
  readonly event: string
  readonly area: string
  readonly summary: string
  readonly payload: { on(side: Side): { readonly schema: JsonSchema } }
  readonly example: Json
}

/** What is wrong with a table of rows, one line each: a server with one of these never starts. */
export const rowErrors = (setup: ApiConfig<ApiTypes>): readonly string[] => {
  const names = new Set<string>()
  const places = new Map<string, string>()
  const shapes = new Map<string, string>()
  return setup.rows.flatMap((row) => {
    const wrong = [
      ...(names.has(row.name) ? ['its name is taken'] : []),
      ...ownErrors(row, setup),
      ...row.paths.flatMap((path) => [
        ...row.methods.flatMap((method) => claim(places, `${method} ${shapeOf(path)}`, row.name)),
        ...claim(shapes, shapeOf(path), path, true),
      ]),
    ]
    names.add(row.name)
    return wrong.map((what) => `row ${row.name}: ${what}`)
  })
}

const ownErrors = (row: AnyRow, { authSchemes: schemes, dialects }: ApiConfig<ApiTypes>): readonly string[] => {
  const scheme = schemes[row.auth]
  const stages = [...(row.stages ?? STAGES)].sort()
  return [
    ...(row.methods.length === 0 || row.paths.length === 0 ? ['it has no method or no path'] : []),
    ...(dialects[row.dialect] ? [] : [`nobody speaks the dialect ${row.dialect}`]),
    ...(scheme ? [] : [`there is no auth scheme ${row.auth}`]),
    ...(row.permission !== undefined && !scheme?.permits ? ['its auth scheme knows no permissions'] : []),
    ...(stages.join() === [...STAGES].sort().join() ? [] : ['its stages are not the seven']),
    ...(scheme && isKeyed(row, scheme) && row.reply.streams && !row.reply.keeps
      ? ['what it answers cannot be kept for an idempotency key: say key: false']
      : []),
  ]
}

/** A path without the names of its parameters: two paths of one shape are one path. */
const shapeOf = (path: string): string => path.replace(PARAMETERS, (found) => found.charAt(0))

const claim = (taken: Map<string, string>, place: string, by: string, mayRepeat = false): readonly string[] => {
  const owner = taken.get(place)
  taken.set(place, owner ?? by)
  return owner === undefined || (mayRepeat && owner === by) ? [] : [`${by} and ${owner} are both ${place}`]
}

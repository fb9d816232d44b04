import { type Failure, invalid } from '../../core/failure.ts'
import { isLeft, right } from '../../core/fp.ts'
import type { Side } from '../../core/kernel/input/field.ts'
import { type Fields, firstOwn, isObject, namesOf, tableOn } from '../../core/kernel/input/table.ts'
import type { Day } from '../../core/kernel/values/day.ts'
import type { KeyClaim, KeyState, Keys } from '../../core/office/idempotency-keys.ts'
import type { ReadBody } from './bodies/body.ts'
import { BUSY } from './load-shedding.ts'
import { EVICTED } from './places.ts'
import type { Answer } from './replies/reply.ts'
import type { Context, HttpRequest } from './request.ts'
import type { AnyAuthScheme } from './rows/api.ts'
import { type AnyRow, bodyRuleOf, type Call, type Input, type Stage, takesFields } from './rows/row.ts'

/** A request on its way: what its stages have found out so far. */
export interface RequestContext {
  readonly ctx: Context
  readonly request: HttpRequest
  principal: unknown
  record: unknown
  /** The parsed body as it came, null where there was none. */
  body: unknown
  input: Input<unknown, unknown>
  key: { readonly claim: KeyClaim; readonly state: KeyState<Answer> } | null
}

/** Ends the request, or null: on to the next stage. */
export type Stop = Failure | Answer | null
export type Step = (context: RequestContext) => Stop | Promise<Stop>

export const throttleStep =
  (row: AnyRow, core: unknown): Step =>
  async (context) => {
    const may = await row.throttle?.(callOf(core, context))()
    return may && isLeft(may) ? may.left : null
  }

export const authenticate =
  (scheme: AnyAuthScheme): Step =>
  async (context) => {
    const whom = await scheme.authenticate(context.request)
    if (isLeft(whom)) return whom.left
    context.principal = whom.right
    return null
  }

export const readBody =
  (read: ReadBody): Step =>
  async (context) => {
    const { ctx } = context
    const body = await (ctx.state.place?.whileReading(() => read(ctx)) ?? read(ctx))
    if (body === EVICTED) {
      // The rest of it is not waited for.
      ctx.res.shouldKeepAlive = false
      return BUSY
    }
    if (isLeft(body)) return body.left
    context.body = body.right
    return null
  }

/** What a row is called with. */
export const callOf = (
  core: unknown,
  { principal, record, request }: RequestContext,
): Call<unknown, unknown, unknown> => ({
  core,
  actor: principal,
  record,
  request,
})

interface Parts {
  readonly core: unknown
  readonly scheme: AnyAuthScheme
  readonly keys: Keys<Answer>
  /** Where a row's name is unique: the app. */
  readonly app: string
  readonly isKeyed: boolean
  /** What day it is, for the rules that ask. */
  readonly today: () => Day
}

/** The stages that a row has, by name; those that it has no use for are absent. */
export const stepsOf = (row: AnyRow, parts: Parts): { readonly [stage in Stage]: Step | null } => ({
  context: contextStep(parts.scheme),
  permission: permissionStep(row, parts.scheme),
  key: parts.isKeyed ? keyStep(row, parts) : null,
  accountWritable: accountWritableStep(row, parts.scheme),
  record: recordStep(row, parts.core),
  precondition: preconditionStep(row, parts.core),
  input: inputStep(row, parts.today),
})

const contextStep = (scheme: AnyAuthScheme): Step | null =>
  scheme.context
    ? async (context) => {
        const principal = await scheme.context?.(context.principal, context.request)
        if (!principal) return null
        if (isLeft(principal)) return principal.left
        context.principal = principal.right
        return null
      }
    : null

const permissionStep = ({ permission }: AnyRow, scheme: AnyAuthScheme): Step | null =>
  permission === undefined ? null : (context) => scheme.permits?.(context.principal, permission) ?? null

const keyStep = (row: AnyRow, { core, scheme, keys, app }: Parts): Step => {
  const asked = namesOf(row.input.query?.fields ?? {})
  const precondition = preconditionStep(row, core)
  return async (context) => {
    const { request } = context
    const key = request.method === 'POST' ? request.header('idempotency-key') : null
    if (key === null || !scheme.keyScope) return null
    const scope = [app, scheme.keyScope(context.principal, request, row.name)]
    // What the row does not know of a query is ignored here, too.
    const query = Object.fromEntries(Object.entries(request.query).filter(([name]) => asked.has(name)))
    const claim = keys.claim(scope, key, { params: request.params, query, body: context.body })
    if ('tag' in claim) return claim
    const state = await keys.stateOf(claim)
    const known = knownOf(state, keys, row)
    if (known === null) {
      context.key = { claim, state }
      return null
    }
    // Whether a body is the same as one with the right PIN is told to nobody who does not know it: that would be a guess.
    return (await precondition?.(context)) ?? known
  }
}

/** What a key that is taken answers by itself; null where its request is run. */
const knownOf = (state: KeyState<Answer>, keys: Keys<Answer>, row: AnyRow): Answer | Failure | null => {
  if (state.is === 'done') return state.reply
  if (state.is === 'refused') return state.failure
  return state.is === 'running' || (state.is === 'abandoned' && !row.resume) ? keys.running : null
}

const accountWritableStep = (row: AnyRow, scheme: AnyAuthScheme): Step | null => {
  const applies = row.accountWritable ?? row.methods.some((method) => method !== 'GET')
  return applies && scheme.accountWritable ? (context) => scheme.accountWritable?.(context.principal) ?? null : null
}

const recordStep = (row: AnyRow, core: unknown): Step | null =>
  row.record
    ? async (context) => {
        const found = await row.record?.(callOf(core, context))()
        if (!found || isLeft(found)) return found?.left ?? null
        context.record = found.right
        return null
      }
    : null

const preconditionStep = (row: AnyRow, core: unknown): Step | null =>
  row.precondition
    ? async (context) => {
        const passed = await row.precondition?.pass(callOf(core, context), context.body)()
        return passed && isLeft(passed) ? passed.left : null
      }
    : null

const NOTHING = right(null)

const inputStep =
  ({ input }: AnyRow, today: () => Day): Step =>
  (context) => {
    const query = input.query ? input.query.decode(context.request.query, today()) : NOTHING
    const body = input.body ? input.body.decode(context.body ?? {}, today()) : NOTHING
    const issues = [query, body].flatMap((read) => (isLeft(read) ? read.left : []))
    if (isLeft(query) || isLeft(body)) return invalid(issues)
    context.input = { query: query.right, body: body.right }
    return null
  }

/** The header of an answer that names the fields of its request that no field of the route takes. */
export const IGNORED_FIELDS = 'X-Ignored-Fields'
const MAX_PATHS = 10
/** Longer names are cut: all paths together stay far below the limits of clients for headers. */
const MAX_NAME = 64
/** Names alone are sent back, and a name of so many digits may be a card number. */
const CARD_NUMBER = /(?:\p{Nd}\D{0,2}){12}/u

/** A name that is taken. */
interface Taken {
  /** The names that go before it: a field is read by the first of its names that was sent. */
  readonly before: readonly string[]
  /** The names within it; null if everything there is taken. */
  readonly inner: Known | null
}

type Known = ReadonlyMap<string, Taken>

const knownIn = (fields: Fields, side: Side): Known =>
  new Map(
    Object.entries(fields).flatMap(([name, { aliases, nested }]) => {
      const inner = nested && knownIn(tableOn(nested, side).fields, side)
      const names = [name, ...aliases]
      return names.map((each, index) => [each, { before: names.slice(0, index), inner }] as const)
    }),
  )

function* unknownIn(value: unknown, known: Known, path: readonly string[] = []): Generator<readonly string[]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* unknownIn(item, known, [...path, `${index}`])
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const taken = known.get(name)
      if (!taken || firstOwn(value, taken.before) !== undefined) yield [...path, name]
      else if (taken.inner !== null) yield* unknownIn(value[name], taken.inner, [...path, name])
    }
  }
}

// A dot within a name is no level, and a lone surrogate has no UTF-8.
const encoded = (name: string): string =>
  encodeURIComponent(name.slice(0, MAX_NAME).replace(/\p{Cs}/gu, '\ufffd')).replaceAll('.', '%2E')

/** Names the ignored fields of a body in the header of its answer, whatever the answer is; null for rows without fields. */
export const ignoredFieldsStep = (row: AnyRow, side: Side): Step | null => {
  if (!takesFields(bodyRuleOf(row))) return null
  const known = knownIn({ ...row.precondition?.fields, ...row.input.body?.fields }, side)
  return ({ ctx, body }) => {
    const paths: string[] = []
    for (const path of unknownIn(body, known)) {
      if (!path.some((name) => CARD_NUMBER.test(name))) paths.push(path.map(encoded).join('.'))
      if (paths.length === MAX_PATHS) break
    }
    if (paths.length > 0) ctx.set(IGNORED_FIELDS, paths.join(','))
    return null
  }
}

import { type Failure, invalid } from '../../../core/failure.ts'
import { isLeft, right } from '../../../core/fp.ts'
import { namesOf } from '../../../core/kernel/input/table.ts'
import type { Day } from '../../../core/kernel/values/day.ts'
import type { KeyClaim, KeyState, Keys } from '../../../core/office/idempotency-keys.ts'
import type { ReadBody } from '../bodies/body.ts'
import type { Answer } from '../replies/answer.ts'
import type { Context } from '../request/context.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { GAVE_WAY } from '../request/places.ts'
import type { AnyAuthScheme } from '../rows/api.ts'
import type { AnyRow, Call, Input, Stage } from '../rows/row.ts'
import { BUSY } from './load-shedding.ts'

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
    const body = await (ctx.state.place?.whileRead(() => read(ctx)) ?? read(ctx))
    if (body === GAVE_WAY) {
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

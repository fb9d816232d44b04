import { type Either, type Failure, type Issue, invalid, isLeft, right } from '../../core/failure.ts'
import { type Fields, firstOwn, isObject, namesOf, type Side, tableOn } from '../../core/kernel/input/mod.ts'
import type { Day } from '../../core/kernel/values/day.ts'
import type { KeyClaim, KeyState, Keys } from '../../core/office/idempotency-keys.ts'
import type { ReadBody } from './bodies/body.ts'
import type { Context } from './context.ts'
import { BUSY } from './load-shedding.ts'
import type { Answer } from './replies/reply.ts'
import type { AnyAuthScheme } from './rows/api.ts'
import { type AnyRow, bodyRuleOf, type Call, type Input, STAGES, type Stage, takesFields } from './rows/row.ts'
import { EVICTED } from './slots.ts'

/**
 * A request in the pipeline, with the results of its stages; also the argument of a row's functions, which see the
 * fields of `Call` alone.
 */
export interface RequestContext extends Call<unknown, unknown, unknown> {
  readonly ctx: Context
  /** The principal, from authentication on. */
  actor: unknown
  record: unknown
  /** The parsed body, null without one. */
  body: unknown
  input: Input<unknown, unknown>
  key: { readonly claim: KeyClaim; readonly state: KeyState<Answer> } | null
}

/** A result that ends the request, or null for the next stage. */
type Stop = Failure | Answer | null

/**
 * A stage that reads or checks. The pipeline itself waits for it: an asynchronous function for each stage would cost
 * more.
 */
export interface ReadStep {
  /** The field of the context for the value, if it is needed. */
  readonly into: 'actor' | 'record' | null
  readonly read: (context: RequestContext) => Promise<Either<Failure, unknown>>
}

export type Step = ReadStep | ((context: RequestContext) => Stop | Promise<Stop>)

/** Ends a reading stage: stores its value; a failure ends the request. */
export const endRead = (
  { into }: ReadStep,
  context: RequestContext,
  found: Either<Failure, unknown>,
): Failure | null => {
  if (isLeft(found)) return found.left
  if (into !== null) context[into] = found.right
  return null
}

export const throttleStep = ({ throttle }: AnyRow): Step | null =>
  throttle ? { into: null, read: (context) => throttle(context)() } : null

export const authenticateStep = (scheme: AnyAuthScheme): Step => ({
  into: 'actor',
  read: ({ request }) => scheme.authenticate(request),
})

export const readBodyStep =
  (read: ReadBody): Step =>
  async (context) => {
    const { ctx } = context
    const body = await (ctx.state.slot?.whileReading(() => read(ctx)) ?? read(ctx))
    if (body === EVICTED) {
      // Closes the connection instead of reading the rest of the body.
      ctx.res.shouldKeepAlive = false
      return BUSY
    }
    if (isLeft(body)) return body.left
    context.body = body.right
    return null
  }

interface StepDeps {
  readonly scheme: AnyAuthScheme
  readonly keys: Keys<Answer>
  /** The app in which a row's name is unique. */
  readonly app: string
  readonly isKeyed: boolean
  readonly today: () => Day
}

/** Returns the stages of a row by name; null for those that it does not need. */
export const stepsOf = (row: AnyRow, deps: StepDeps): { readonly [stage in Stage]: Step | null } => ({
  context: contextStep(deps.scheme),
  permission: permissionStep(row, deps.scheme),
  key: deps.isKeyed ? keyStep(row, deps) : null,
  accountWritable: accountWritableStep(row, deps.scheme),
  record: recordStep(row),
  precondition: preconditionStep(row),
  input: inputStep(row, deps.today),
})

const contextStep = ({ context: resolve }: AnyAuthScheme): Step | null =>
  resolve ? { into: 'actor', read: ({ actor, request }) => resolve(actor, request) } : null

const permissionStep = ({ permission }: AnyRow, scheme: AnyAuthScheme): Step | null =>
  permission === undefined ? null : (context) => scheme.permits?.(context.actor, permission) ?? null

const keyStep = (row: AnyRow, { scheme, keys, app, today }: StepDeps): Step => {
  const queryNames = namesOf(row.input.query?.fields ?? {})
  const precondition = preconditionStep(row)
  const malformedFields = malformedFieldsOf(row, today)
  const claimKey = async (context: RequestContext, key: string, keyScope: string): Promise<Stop> => {
    const { request } = context
    const scope = [app, keyScope]
    // Query parameters that the row ignores do not make another request.
    const query = Object.fromEntries(Object.entries(request.query).filter(([name]) => queryNames.has(name)))
    const claim = keys.claim(scope, key, { params: request.params, query, body: context.body })
    if ('tag' in claim) return claim
    const state = await keys.stateOf(claim)
    const answer = answerOfKey(state, keys, row)
    if (answer === null) {
      context.key = { claim, state }
      return null
    }
    if (!precondition) return answer
    // A malformed PIN is no guess.
    const malformed = malformedFields(context.body)
    if (malformed.length > 0) return invalid(malformed)
    // The PIN is checked first: a reply would reveal that the body, PIN included, equals that of the first request.
    return endRead(precondition, context, await precondition.read(context)) ?? answer
  }
  return (context) => {
    const { request, actor } = context
    const key = request.method === 'POST' ? request.header('idempotency-key') : null
    return key === null || !scheme.keyScope ? null : claimKey(context, key, scheme.keyScope(actor, request, row.name))
  }
}

/**
 * Returns the function that finds the malformed fields of a row's precondition; none for a row that checks it before
 * the input. The other fields do not count: they may have been valid on the day of the first request alone.
 */
const malformedFieldsOf = (
  { stages = STAGES, precondition, input }: AnyRow,
  today: () => Day,
): ((body: unknown) => readonly Issue[]) => {
  if (stages.indexOf('precondition') < stages.indexOf('input')) return () => []
  const names = namesOf(precondition?.fields ?? {})
  return (body) => {
    const read = input.body?.decode(body ?? {}, today())
    return read && isLeft(read) ? read.left.filter(({ path }) => names.has(path)) : []
  }
}

/** Returns the answer to a request with a used key; null if its row must run. */
const answerOfKey = (state: KeyState<Answer>, keys: Keys<Answer>, row: AnyRow): Answer | Failure | null => {
  if (state.is === 'done') return state.reply
  if (state.is === 'refused') return state.failure
  return state.is === 'running' || (state.is === 'abandoned' && !row.resume) ? keys.running : null
}

const accountWritableStep = (row: AnyRow, { accountWritable }: AnyAuthScheme): Step | null => {
  const applies = row.accountWritable ?? row.methods.some((method) => method !== 'GET')
  return applies && accountWritable ? ({ actor }) => accountWritable(actor) : null
}

export const recordStep = ({ record }: AnyRow): ReadStep | null =>
  record ? { into: 'record', read: (context) => record(context)() } : null

const preconditionStep = ({ precondition }: AnyRow): ReadStep | null =>
  precondition ? { into: null, read: (context) => precondition.pass(context, context.body)() } : null

const NO_VALUE = right(null)

const inputStep =
  ({ input }: AnyRow, today: () => Day): Step =>
  (context) => {
    const query = input.query ? input.query.decode(context.request.query, today()) : NO_VALUE
    const body = input.body ? input.body.decode(context.body ?? {}, today()) : NO_VALUE
    if (isLeft(query) || isLeft(body)) return invalid([query, body].flatMap((read) => (isLeft(read) ? read.left : [])))
    context.input = { query: query.right, body: body.right }
    return null
  }

/** The header of an answer with the names of the request's fields that no field of the row takes. */
const IGNORED_FIELDS = 'X-Ignored-Fields'
const MAX_PATHS = 10
/** Longer names are cut, so that the header stays far below the limits of clients. */
const MAX_NAME = 64
/** A name with this many digits may be a card number and is not sent back. */
const CARD_NUMBER = /(?:\p{Nd}\D{0,2}){12}/u

/** A name of a field that is read. */
interface KnownName {
  /** The aliases that precede it: a field is read from the first of its names that was sent. */
  readonly before: readonly string[]
  /** The names within it; null if everything within it is read. */
  readonly inner: KnownNames | null
}

type KnownNames = ReadonlyMap<string, KnownName>

const knownNames = (fields: Fields, side: Side): KnownNames =>
  new Map(
    Object.entries(fields).flatMap(([name, { aliases, nested }]) => {
      const inner = nested && knownNames(tableOn(nested, side).fields, side)
      const names = [name, ...aliases]
      return names.map((each, index) => [each, { before: names.slice(0, index), inner }] as const)
    }),
  )

function* ignoredPaths(value: unknown, known: KnownNames, path: readonly string[] = []): Generator<readonly string[]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* ignoredPaths(item, known, [...path, `${index}`])
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const read = known.get(name)
      if (!read || firstOwn(value, read.before) !== undefined) yield [...path, name]
      else if (read.inner !== null) yield* ignoredPaths(value[name], read.inner, [...path, name])
    }
  }
}

// A dot in a name is escaped, since dots separate levels; a lone surrogate cannot be encoded.
const encodeName = (name: string): string =>
  encodeURIComponent(name.slice(0, MAX_NAME).replace(/\p{Cs}/gu, '\ufffd')).replaceAll('.', '%2E')

/** Sets the header with the ignored fields of a body, for success and failure alike; null for rows without fields. */
export const ignoredFieldsStep = (row: AnyRow, side: Side): ((context: RequestContext) => null) | null => {
  if (!takesFields(bodyRuleOf(row))) return null
  const known = knownNames({ ...row.precondition?.fields, ...row.input.body?.fields }, side)
  return ({ ctx, body }) => {
    const paths: string[] = []
    for (const path of ignoredPaths(body, known)) {
      if (!path.some((name) => CARD_NUMBER.test(name))) paths.push(path.map(encodeName).join('.'))
      if (paths.length === MAX_PATHS) break
    }
    if (paths.length > 0) ctx.state.headers[IGNORED_FIELDS] = paths.join(',')
    return null
  }
}

import { type Failure, type Issue, invalid } from '../../core/failure.ts'
import { type Either, isLeft, left } from '../../core/fp.ts'
import type { UseCase } from '../../core/kernel/running/use-case.ts'
import type { Day } from '../../core/kernel/values/day.ts'
import { networkOf } from '../../core/kernel/values/network.ts'
import type { AbandonedKey, KeyClaim, Keys } from '../../core/office/idempotency-keys.ts'
import { bodyReader } from './bodies/body.ts'
import { setDeprecation } from './headers.ts'
import { BUSY } from './load-shedding.ts'
import { EVICTED } from './places.ts'
import { type Rates, rateLimitOf } from './rates.ts'
import type { Dialect } from './replies/dialect.ts'
import type { Faults } from './replies/faults.ts'
import type { Answer } from './replies/reply.ts'
import { send } from './replies/send.ts'
import { type Context, requestOf } from './request.ts'
import type { AnyAuthScheme } from './rows/api.ts'
import { type AnyRow, bodyRuleOf, isKeyed, type Method, STAGES } from './rows/row.ts'
import {
  authenticate,
  callOf,
  ignoredFieldsStep,
  type RequestContext,
  readBody,
  type Step,
  stepsOf,
  throttleStep,
} from './stages.ts'
import { inTurns, type RequestTurn, type Turn } from './turns.ts'

/** What every row of an API is mounted with. */
export interface RouteDeps {
  readonly app: string
  readonly core: unknown
  readonly keys: Keys<Answer>
  readonly today: () => Day
  readonly faults: Faults
  readonly rates: Rates
  readonly ratePerMinute?: number | null
  readonly requestTurn: RequestTurn
  /** Set if answers of writes name the ignored fields. */
  readonly namesIgnored: boolean
}

const WRITES: ReadonlySet<string> = new Set<Method>(['POST', 'PUT', 'PATCH', 'DELETE'])

const NO_INPUT = { query: null, body: null }

const requestContextOf = (ctx: Context, params: Readonly<Record<string, string>>): RequestContext => ({
  ctx,
  request: requestOf(ctx, params),
  principal: null,
  record: null,
  body: null,
  input: NO_INPUT,
  key: null,
})

/** Tells when whoever asked has hung up, or has their answer. */
const onceGone =
  ({ ctx: { res } }: RequestContext) =>
  (tell: () => void): void => {
    if (res.destroyed) tell()
    else res.once('close', tell)
  }

/** Whoever stood in line for the beginning of a long answer gave way to others. */
class GaveWay extends Error {}

/** Of what is long nothing is made yet while it waits for its turn: its place is one that is waited for. */
const inPlace =
  ({ ctx: { state } }: RequestContext) =>
  async (isThere: Promise<boolean>): Promise<boolean> => {
    const came = await (state.place?.whileQueued(() => isThere) ?? isThere)
    if (came === EVICTED) throw new GaveWay('others have the place')
    return came
  }

/** All that happens to a request of one row, put together once. */
export const createHandler = (row: AnyRow, scheme: AnyAuthScheme, dialect: Dialect, deps: RouteDeps) => {
  const { app, core, keys, faults, today, requestTurn: takeTurn, namesIgnored } = deps
  const steps = stepsOf(row, { core, scheme, keys, app, isKeyed: isKeyed(row, scheme), today })
  const keyed = keyedOf(row, { core, keys, dialect, record: steps.record })
  const bodyRule = bodyRuleOf(row)
  const limit = rateLimitOf(deps, row)
  const ignored = namesIgnored ? ignoredFieldsStep(row, dialect.side) : null
  const chain: readonly Step[] = [
    ...(limit ? [({ request }: RequestContext) => limit(request)] : []),
    ...(row.throttle ? [throttleStep(row, core)] : []),
    authenticate(scheme),
    ...(bodyRule ? [readBody(bodyReader(bodyRule, row.input.body?.schema))] : []),
    ...(ignored ? [ignored] : []),
    ...(row.stages ?? STAGES).flatMap((stage) => steps[stage] ?? []),
  ]

  const turnOf = ({ principal, request }: RequestContext): Turn =>
    takeTurn(principal !== null && scheme.tenant ? scheme.tenant(principal) : networkOf(request.address))

  const paced = (answer: Answer, context: RequestContext): Answer =>
    'chunks' in answer && !answer.isLive
      ? { ...answer, chunks: inTurns(answer.chunks, () => turnOf(context), onceGone(context), inPlace(context)) }
      : answer

  const answerTo = async (context: RequestContext): Promise<Failure | Answer> => {
    for (const step of chain) {
      const stopping = step(context)
      const stop = stopping instanceof Promise ? await stopping : stopping
      if (stop) return stop
      const resumed = keyed.resume(context)
      if (resumed) return resumed
    }
    const run = inRowsNames(row, row.run(callOf(core, context), context.input))
    const kept = keyed.first(context, run)
    if (kept) return kept
    const encode = (value: unknown) => row.reply.encode(value, dialect, context.request)
    if (WRITES.has(context.request.method)) return written(run, encode)
    const outcome = await run()
    return isLeft(outcome) ? outcome.left : encode(outcome.right)
  }

  return async (ctx: Context & { readonly params: Readonly<Record<string, string>> }): Promise<void> => {
    ctx.state.route = row.name
    if (row.deprecated) setDeprecation(ctx, row.deprecated)
    try {
      const context = requestContextOf(ctx, ctx.params)
      const answer = await answerTo(context)
      await send(ctx, 'tag' in answer ? faults.of(answer, dialect, row.errors) : paced(answer, context))
    } catch (error) {
      await send(ctx, error instanceof GaveWay ? faults.of(BUSY, dialect) : faults.thrown(error, dialect, ctx.state))
    }
  }
}

interface Parts {
  readonly core: unknown
  readonly keys: Keys<Answer>
  readonly dialect: Dialect
  /** The row's stage, which finds what `resume` is called with. */
  readonly record: Step | null
}

/** What a request with a key does instead of running its row alone. */
export interface Keyed {
  /** Runs the row and keeps its answer in its own commit; null for a request without a key. */
  first(context: RequestContext, run: UseCase<unknown>): Promise<Failure | Answer> | null
  /** Finishes what an earlier request has begun; null where there is nothing of the kind. */
  resume(context: RequestContext): Promise<Failure | Answer> | null
}

export const keyedOf = (row: AnyRow, { core, keys, dialect, record }: Parts): Keyed => {
  const { reply } = row
  const encoderFor = (context: RequestContext) => (value: unknown) => reply.encode(value, dialect, context.request)

  const takeUp = async (context: RequestContext, claim: KeyClaim, begun: AbandonedKey): Promise<Failure | Answer> => {
    const missing = await record?.(context)
    if (missing) return missing
    const useCase = row.resume?.(callOf(core, context), begun.intent, context.input)
    return useCase ? answerOf(keys.resume(claim, begun, useCase, encoderFor(context))) : keys.running
  }

  return {
    first(context, run) {
      if (context.key?.state.is !== 'free') return null
      const { claim, state } = context.key
      return answerOf(keys.first(claim, state.expired, row.resume ? run : atOnce(row, run), encoderFor(context)))
    },
    resume: (context) =>
      context.key?.state.is === 'abandoned' ? takeUp(context, context.key.claim, context.key.state) : null,
  }
}

/** A row that begins what others may have to finish says how: without `resume` its key could never be taken up. */
const atOnce =
  ({ name }: AnyRow, run: UseCase<unknown>): UseCase<unknown> =>
  (hooks) =>
    run(
      hooks && {
        ...hooks,
        started() {
          throw new TypeError(`row ${name} begins an operation and has no resume`)
        },
      },
    )

const answerOf = async (kept: Promise<Either<Failure, Answer>>): Promise<Failure | Answer> => {
  const outcome = await kept
  return isLeft(outcome) ? outcome.left : outcome.right
}

const nothing = () => []

/**
 * Runs what may write: its answer is made within its own commit, so that what cannot be answered is not done either, and the
 * answer of the attempt that was committed is the one that is sent. What commits nothing is answered afterwards.
 */
export const written = async (run: UseCase<unknown>, encode: (value: unknown) => Answer): Promise<Answer | Failure> => {
  let made: Answer | null = null
  const make = (value: unknown) => {
    made = encode(value)
    return []
  }
  const outcome = await run({
    completed: make,
    started: nothing,
    succeeded: make,
    refused: nothing,
    unresolved: nothing,
  })
  return isLeft(outcome) ? outcome.left : (made ?? encode(outcome.right))
}

/** A use case of a row: what it finds wrong with a field it says by the name that the row's dialect gives to it. */
export const inRowsNames = ({ input }: AnyRow, run: UseCase<unknown>): UseCase<unknown> => {
  const shape = input.body ?? input.query
  if (!shape) return run
  const named = ({ path, ...rest }: Issue): Issue => ({ ...rest, path: shape.pathOf(path) })
  return async (hooks) => {
    const outcome = await run(hooks)
    return isLeft(outcome) && outcome.left.tag === 'invalid'
      ? left(invalid(outcome.left.issues.map(named), outcome.left.code))
      : outcome
  }
}

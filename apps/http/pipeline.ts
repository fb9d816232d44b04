import { type Either, type Failure, type Issue, invalid, isLeft, left } from '../../core/failure.ts'
import type { UseCase } from '../../core/kernel/running/use-case.ts'
import type { Day } from '../../core/kernel/values/day.ts'
import { networkOf } from '../../core/kernel/values/network.ts'
import type { AbandonedKey, KeyClaim, Keys } from '../../core/office/idempotency-keys.ts'
import { bodyReader } from './bodies/body.ts'
import { type Context, requestOf } from './context.ts'
import { setDeprecation } from './headers.ts'
import { BUSY } from './load-shedding.ts'
import { type Rates, rateLimitOf } from './rates.ts'
import type { Dialect } from './replies/dialect.ts'
import type { Faults } from './replies/faults.ts'
import type { Answer } from './replies/reply.ts'
import { send } from './replies/send.ts'
import type { AnyAuthScheme } from './rows/api.ts'
import { type AnyRow, bodyRuleOf, isKeyed, type Method, STAGES } from './rows/row.ts'
import { EVICTED } from './slots.ts'
import {
  authenticateStep,
  endRead,
  ignoredFieldsStep,
  type RequestContext,
  readBodyStep,
  recordStep,
  type Step,
  stepsOf,
  throttleStep,
} from './stages.ts'
import { inTurns, type RequestTurn, type Turn } from './turns.ts'

/** The dependencies of the rows of an API. */
export interface RouteDeps {
  readonly app: string
  readonly core: unknown
  readonly keys: Keys<Answer>
  readonly today: () => Day
  readonly faults: Faults
  readonly rates: Rates
  readonly ratePerMinute?: number | null
  readonly requestTurn: RequestTurn
  /** True if answers of writes name the ignored fields. */
  readonly namesIgnored: boolean
}

const WRITES: ReadonlySet<string> = new Set<Method>(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Builds the handler of a row: all its stages, its run and its answer. */
export const createHandler = (row: AnyRow, scheme: AnyAuthScheme, dialect: Dialect, deps: RouteDeps) => {
  const { app, core, keys, faults, today, requestTurn, namesIgnored } = deps
  const steps = stepsOf(row, { scheme, keys, app, isKeyed: isKeyed(row, scheme), today })
  const withFieldNames = fieldNaming(row)
  const keyed = keyedRuns(row, { keys, dialect, withFieldNames })
  const bodyRule = bodyRuleOf(row)
  const limit = rateLimitOf(deps, row)
  const chain = [
    limit && (({ request }: RequestContext) => limit(request)),
    throttleStep(row),
    authenticateStep(scheme),
    bodyRule && readBodyStep(bodyReader(bodyRule, row.input.body?.schema)),
    namesIgnored ? ignoredFieldsStep(row, dialect.side) : null,
    ...(row.stages ?? STAGES).map((stage) => steps[stage]),
  ].filter((step): step is Step => step !== null)

  const turnOf = ({ actor, request }: RequestContext): Turn =>
    requestTurn(actor !== null && scheme.tenant ? scheme.tenant(actor) : networkOf(request.address))

  const paced = (answer: Answer, context: RequestContext): Answer =>
    'chunks' in answer && !answer.isLive
      ? { ...answer, chunks: inTurns(answer.chunks, () => turnOf(context), onceClosed(context), firstTurn(context)) }
      : answer

  const answerTo = async (context: RequestContext): Promise<Failure | Answer> => {
    for (const step of chain) {
      let stop: Failure | Answer | null
      if (typeof step === 'function') {
        const stopping = step(context)
        stop = stopping instanceof Promise ? await stopping : stopping
      } else stop = endRead(step, context, await step.read(context))
      if (stop) return stop
      const resumed = keyed.resume(context)
      if (resumed) return resumed
    }
    const run = row.run(context, context.input)
    const first = keyed.first(context, run)
    if (first) return first
    const { request } = context
    if (WRITES.has(request.method)) {
      const answer = await runWrite(run, (value) => row.reply.encode(value, dialect, request))
      return 'tag' in answer ? withFieldNames(answer) : answer
    }
    const outcome = await run()
    return isLeft(outcome) ? withFieldNames(outcome.left) : row.reply.encode(outcome.right, dialect, request)
  }

  return async (ctx: Context & { readonly params: Readonly<Record<string, string>> }): Promise<void> => {
    ctx.state.route = row.name
    if (row.deprecated) setDeprecation(ctx, row.deprecated)
    try {
      const context = contextOf(core, ctx, ctx.params)
      const answer = await answerTo(context)
      const sending = send(ctx, 'tag' in answer ? faults.of(answer, dialect, row.errors) : paced(answer, context))
      if (sending) await sending
    } catch (error) {
      await send(ctx, error instanceof Evicted ? faults.of(BUSY, dialect) : faults.thrown(error, dialect, ctx.state))
    }
  }
}

const NO_INPUT = { query: null, body: null }

const contextOf = (core: unknown, ctx: Context, params: Readonly<Record<string, string>>): RequestContext => ({
  ctx,
  core,
  request: requestOf(ctx, params),
  actor: null,
  record: null,
  body: null,
  input: NO_INPUT,
  key: null,
})

/** Calls its argument when the client has hung up or received its answer. */
const onceClosed =
  ({ ctx: { res } }: RequestContext) =>
  (closed: () => void): void => {
    if (res.destroyed) closed()
    else res.once('close', closed)
  }

/** A request was evicted while it waited for the first turn of a long answer. */
class Evicted extends Error {}

/** Waits for the first turn of a long answer. No chunk exists yet, so the request may be evicted. */
const firstTurn =
  ({ ctx: { state } }: RequestContext) =>
  async (granted: Promise<boolean>): Promise<boolean> => {
    const result = await (state.slot?.whileQueued(() => granted) ?? granted)
    if (result === EVICTED) throw new Evicted('evicted by another request')
    return result
  }

/** Returns the function that renames the fields in the issues of a use case to the names of the row's dialect. */
const fieldNaming = ({ input }: AnyRow): ((failure: Failure) => Failure) => {
  const shape = input.body ?? input.query
  if (!shape) return (failure) => failure
  const renamed = ({ path, ...rest }: Issue): Issue => ({ ...rest, path: shape.pathOf(path) })
  return (failure) => (failure.tag === 'invalid' ? invalid(failure.issues.map(renamed), failure.code) : failure)
}

const noChanges = () => []

/**
 * Runs a use case that may write. Its answer is encoded within the commit: if that throws, nothing is committed, and
 * the answer sent is that of the committed attempt. If nothing is committed, the answer is encoded afterwards.
 */
const runWrite = async (run: UseCase<unknown>, encode: (value: unknown) => Answer): Promise<Answer | Failure> => {
  let answer: Answer | null = null
  const encodeInCommit = (value: unknown) => {
    answer = encode(value)
    return []
  }
  const outcome = await run({
    completed: encodeInCommit,
    started: noChanges,
    succeeded: encodeInCommit,
    refused: noChanges,
    unresolved: noChanges,
  })
  return isLeft(outcome) ? outcome.left : (answer ?? encode(outcome.right))
}

interface KeyedDeps {
  readonly keys: Keys<Answer>
  readonly dialect: Dialect
  readonly withFieldNames: (failure: Failure) => Failure
}

/** Returns the runs of a row for requests with an idempotency key. */
const keyedRuns = (row: AnyRow, { keys, dialect, withFieldNames }: KeyedDeps) => {
  const { reply } = row
  const record = recordStep(row)
  const encoderFor = (context: RequestContext) => (value: unknown) => reply.encode(value, dialect, context.request)
  const named =
    (run: UseCase<unknown>): UseCase<unknown> =>
    async (hooks) => {
      const outcome = await run(hooks)
      return isLeft(outcome) ? left(withFieldNames(outcome.left)) : outcome
    }

  const resume = async (context: RequestContext, claim: KeyClaim, begun: AbandonedKey): Promise<Failure | Answer> => {
    const missing = record && endRead(record, context, await record.read(context))
    if (missing) return missing
    const useCase = row.resume?.(context, begun.intent, context.input)
    return useCase ? answerOf(keys.resume(claim, begun, useCase, encoderFor(context))) : keys.running
  }

  return {
    /** Runs the row and stores its answer in the same commit; null for a request without a key. */
    first(context: RequestContext, run: UseCase<unknown>): Promise<Failure | Answer> | null {
      if (context.key?.state.is !== 'free') return null
      const { claim, state } = context.key
      const complete = row.resume ? named(run) : withoutOperations(row, named(run))
      return answerOf(keys.first(claim, state.expired, complete, encoderFor(context)))
    },
    /** Completes the operation of an earlier request; null if there is none. */
    resume: (context: RequestContext): Promise<Failure | Answer> | null =>
      context.key?.state.is === 'abandoned' ? resume(context, context.key.claim, context.key.state) : null,
  }
}

/** Returns a run that throws if a row without `resume` starts an operation: its key could never be resumed. */
const withoutOperations =
  ({ name }: AnyRow, run: UseCase<unknown>): UseCase<unknown> =>
  (hooks) =>
    run(
      hooks && {
        ...hooks,
        started() {
          throw new TypeError(`row ${name} starts an operation and has no resume`)
        },
      },
    )

const answerOf = async (result: Promise<Either<Failure, Answer>>): Promise<Failure | Answer> => {
  const outcome = await result
  return isLeft(outcome) ? outcome.left : outcome.right
}

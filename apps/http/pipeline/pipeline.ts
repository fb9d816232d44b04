import type { Failure } from '../../../core/failure.ts'
import { isLeft } from '../../../core/fp.ts'
import type { Day } from '../../../core/kernel/values/day.ts'
import { networkOf } from '../../../core/kernel/values/network.ts'
import type { Keys } from '../../../core/office/idempotency-keys.ts'
import { bodyReader } from '../bodies/body.ts'
import { limitOf } from '../rates/rate-step.ts'
import type { Rates } from '../rates/rates.ts'
import type { Answer } from '../replies/answer.ts'
import type { Dialect } from '../replies/dialect.ts'
import type { Faults } from '../replies/faults.ts'
import { send } from '../replies/send.ts'
import { type Context, requestOf } from '../request/context.ts'
import { setDeprecation } from '../request/headers.ts'
import { GAVE_WAY } from '../request/places.ts'
import type { AnyAuthScheme } from '../rows/api.ts'
import { type AnyRow, type Method, STAGES } from '../rows/row.ts'
import { bodyRuleOf, isKeyed } from '../rows/row-defaults.ts'
import { ignoredFieldsStep } from './ignored-fields.ts'
import { keyedOf } from './keyed.ts'
import { BUSY } from './load-shedding.ts'
import { inRowsNames } from './row-names.ts'
import { authenticate, callOf, type RequestContext, readBody, type Step, stepsOf, throttleStep } from './stages.ts'
import { inTurns, type TakeTurn, type Turn } from './turns.ts'
import { written } from './written.ts'

/** What every row of an API is mounted with. */
export interface RouteDeps {
  readonly app: string
  readonly core: unknown
  readonly keys: Keys<Answer>
  readonly today: () => Day
  readonly faults: Faults
  readonly rates: Rates
  readonly ratePerMinute?: number | null
  readonly takeTurn: TakeTurn
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
    const came = await (state.place?.whileInLine(() => isThere) ?? isThere)
    if (came === GAVE_WAY) throw new GaveWay('others have the place')
    return came
  }

/** All that happens to a request of one row, put together once. */
export const handlerOf = (row: AnyRow, scheme: AnyAuthScheme, dialect: Dialect, deps: RouteDeps) => {
  const { app, core, keys, faults, today, takeTurn, namesIgnored } = deps
  const steps = stepsOf(row, { core, scheme, keys, app, isKeyed: isKeyed(row, scheme), today })
  const keyed = keyedOf(row, { core, keys, dialect, record: steps.record })
  const bodyRule = bodyRuleOf(row)
  const limit = limitOf(deps, row)
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

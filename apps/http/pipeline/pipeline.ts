import type { Failure } from '../../../core/failure.ts'
import { isLeft } from '../../../core/fp.ts'
import type { Day } from '../../../core/kernel/values/day.ts'
import type { Keys } from '../../../core/office/keys/keys.ts'
import { bodyReader } from '../bodies/body.ts'
import { limitOf } from '../rates/rate-step.ts'
import type { Rates } from '../rates/rates.ts'
import type { Encoded, Streamed } from '../replies/answer.ts'
import type { Dialect } from '../replies/dialect.ts'
import type { Faults } from '../replies/faults.ts'
import { send } from '../replies/send.ts'
import { setDeprecation } from '../request/headers.ts'
import { type Context, requestOf } from '../request/http-request.ts'
import type { AnyAuthScheme } from '../rows/api.ts'
import { type AnyRow, type Method, STAGES } from '../rows/row.ts'
import { bodyRuleOf, isKeyed } from '../rows/row-defaults.ts'
import { keyedOf } from './keyed.ts'
import { inRowsNames } from './row-names.ts'
import { authenticate, callOf, type RequestContext, readBody, type Step, stepsOf, throttleStep } from './stages.ts'
import { written } from './written.ts'

/** What every row of an API is mounted with. */
export interface RouteDeps {
  readonly app: string
  readonly core: unknown
  readonly keys: Keys<Encoded>
  readonly today: () => Day
  readonly faults: Faults
  readonly rates: Rates
  readonly ratePerMinute?: number | null
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

type Answer = Failure | Encoded | Streamed

/** All that happens to a request of one row, put together once. */
export const handlerOf = (row: AnyRow, scheme: AnyAuthScheme, dialect: Dialect, deps: RouteDeps) => {
  const { app, core, keys, faults, today } = deps
  const steps = stepsOf(row, { core, scheme, keys, app, isKeyed: isKeyed(row, scheme), today })
  const keyed = keyedOf(row, { core, keys, dialect, record: steps.record })
  const bodyRule = bodyRuleOf(row)
  const limit = limitOf(deps, row)
  const chain: readonly Step[] = [
    ...(limit ? [({ request }: RequestContext) => limit(request)] : []),
    ...(row.throttle ? [throttleStep(row, core)] : []),
    authenticate(scheme),
    ...(bodyRule ? [readBody(bodyReader(bodyRule, row.input.body?.schema))] : []),
    ...(row.stages ?? STAGES).flatMap((stage) => steps[stage] ?? []),
  ]

  const answerTo = async (context: RequestContext): Promise<Answer> => {
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
      const answer = await answerTo(requestContextOf(ctx, ctx.params))
      await send(ctx, 'tag' in answer ? faults.of(answer, dialect, row.errors) : answer)
    } catch (error) {
      await send(ctx, faults.thrown(error, dialect, ctx.state))
    }
  }
}

import type { Failure } from '../../../core/failure.ts'
import { type Either, isLeft } from '../../../core/fp.ts'
import type { UseCase } from '../../../core/kernel/running/use-case.ts'
import type { AbandonedKey, KeyClaim, Keys } from '../../../core/office/idempotency-keys.ts'
import type { Answer } from '../replies/answer.ts'
import type { Dialect } from '../replies/dialect.ts'
import type { AnyRow } from '../rows/row.ts'
import { callOf, type RequestContext, type Step } from './stages.ts'

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

import { invalid, issue } from '../../../core/failure.ts'
import { isLeft, left } from '../../../core/fp.ts'
import type { UseCase } from '../../../core/kernel/running/use-case.ts'

/**
 * What limits, balance and repetition say of an amount is said of `value`, whatever the row calls it: what is malformed is named
 * as it was sent, and was refused before. Source: decisions.md §11, Withdrawals.
 */
export const namedValue =
  <V, C extends string, I extends string>(run: UseCase<V, C, I>): UseCase<V, C | 'fields', I> =>
  async (hooks) => {
    const outcome = await run(hooks)
    if (!isLeft(outcome) || outcome.left.tag !== 'invalid') return outcome
    const issues = outcome.left.issues.map(({ path, code, params }) =>
      issue(path === 'valueCents' ? 'value' : path, code, params),
    )
    return left(invalid(issues))
  }

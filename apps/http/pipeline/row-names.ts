import { type Issue, invalid } from '../../../core/failure.ts'
import { isLeft, left } from '../../../core/fp.ts'
import type { UseCase } from '../../../core/kernel/running/use-case.ts'
import type { AnyRow } from '../rows/row.ts'

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

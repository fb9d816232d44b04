import type { Failure } from '../../../core/failure.ts'
import { isLeft } from '../../../core/fp.ts'
import type { UseCase } from '../../../core/kernel/running/use-case.ts'
import type { Answer } from '../replies/answer.ts'

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

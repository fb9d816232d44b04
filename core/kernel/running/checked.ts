import { type Failure, invalid } from '../../failure.ts'
import { isLeft, left } from '../../fp.ts'
import type { Clock } from '../../ports/runtime.ts'
import type { Input } from '../input/input.ts'
import { dayOf } from '../values/day.ts'
import type { UseCase } from './use-case.ts'

/**
 * A use case that checks what it was given before anything happens, whoever asks. Over HTTP it was read by the same input,
 * and stays as it is. What an earlier call has begun is checked by the day of that call: it was right then.
 * Fails: `fields` with every wrong one, and as the use case does.
 */
export const checked =
  <A, G, J extends string, V, C extends string, I extends string>(
    { clock }: { readonly clock: Pick<Clock, 'steady'> },
    input: Input<A, G, J>,
    given: G,
    run: (value: A) => UseCase<V, C, I>,
  ): UseCase<V, C | 'fields', I | J> =>
  async (hooks) => {
    const got = input.check(given, dayOf(hooks?.resumes?.begunAt ?? clock.steady()))
    if (!isLeft(got)) return run(got.right)(hooks)
    const failure: Failure<'fields', J> = invalid(got.left)
    return left(failure)
  }

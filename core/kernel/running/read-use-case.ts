import { failure } from '../../failure.ts'
import { left, right } from '../../fp.ts'
import type { UseCase } from './use-case.ts'

/** A use case that finds one thing. Fails: with the code that it is given, where there is none. */
export const readUseCase =
  <V, const C extends string>(unknown: C, find: () => Promise<V | null>): UseCase<V, C> =>
  async () => {
    const found = await find()
    return found === null ? left(failure('not-found', unknown)) : right(found)
  }

import { left } from '../../fp.ts'
import { type UseCase, unavailable } from '../../kernel/running/use-case.ts'
import { HasherBusy } from '../../ports/hasher.ts'

/**
 * A use case that has a secret hashed, by the value it gives. Fails besides: `server.busy`, where too much waits to be hashed.
 * Source: decisions.md §12, Fair shares.
 */
export const hashingUseCaseOf =
  <V>() =>
  <C extends string = never, I extends string = never>(run: UseCase<V, C, I>): UseCase<V, C | 'server.busy', I> =>
  async (hooks) => {
    try {
      return await run(hooks)
    } catch (error) {
      if (error instanceof HasherBusy) return left(unavailable('server.busy'))
      throw error
    }
  }

/**
 * A guess that was not hashed, and is known to be wrong all the same: it stays counted, or whoever hangs up in time had as many
 * as they like.
 */
export class KnownWrong extends HasherBusy {}

/**
 * Hashes something for a guess that was counted. Where it waits in vain, nobody learned whether the guess was right: it is
 * given back, so that a rush of others locks nobody out.
 */
export const hashedOrGivenBack = async <A>(hash: () => Promise<A>, giveBack: () => Promise<unknown>): Promise<A> => {
  try {
    return await hash()
  } catch (error) {
    if (error instanceof HasherBusy && !(error instanceof KnownWrong)) await giveBack()
    throw error
  }
}

import { left } from '../fp.ts'
import type { Fresh } from '../kernel/running/fresh.ts'
import { type UseCase, unavailable } from '../kernel/running/use-case.ts'
import { addSeconds } from '../kernel/values/day.ts'
import { HasherBusy } from '../ports/identity.ts'

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
 * The tries of a counter that were counted and whose comparison has not ended, each by the end of its lease: one text, which
 * guards the counter's record. A try stays here if its process dies, and is given back when its lease ends.
 */
export type OpenTries = string | null

/** How long a comparison may take, with its wait for the hasher. */
const COMPARISON_SECONDS = 15
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

const listed = (open: OpenTries): readonly string[] => open?.split(' ') ?? []
const joined = (tries: readonly string[]): OpenTries => (tries.length === 0 ? null : tries.join(' '))

/** Adds a try, whose name is `own`. */
export const openTry = (open: OpenTries, { now, text }: Pick<Fresh, 'now' | 'text'>) => {
  const own = `${addSeconds(now, COMPARISON_SECONDS)}~${text(LETTERS, 6)}`
  return { own, open: [...listed(open), own].join(' ') }
}

export const isOpenTry = (open: OpenTries, own: string): boolean => listed(open).includes(own)

/** The tries without one whose comparison has ended. */
export const closeTry = (open: OpenTries, own: string): OpenTries => joined(listed(open).filter((each) => each !== own))

/** Drops the tries whose lease has ended; `lapsed` is their number. */
export const dropLapsed = (open: OpenTries, steady: string): { readonly open: OpenTries; readonly lapsed: number } => {
  const living = listed(open).filter((each) => (each.split('~')[0] ?? '') > steady)
  return { open: joined(living), lapsed: listed(open).length - living.length }
}

/**
 * Hashes something for a guess that was counted. Where it waits in vain, nothing was learned of the guess: it is given back, so
 * that a rush of other callers locks no account. One that is known to be wrong all the same is kept.
 */
export const hashOrUncount = async <A>(
  hash: () => Promise<A>,
  giveBack: () => Promise<unknown>,
  keep: () => Promise<unknown> = async () => {},
): Promise<A> => {
  try {
    return await hash()
  } catch (error) {
    if (error instanceof KnownWrong) await keep()
    else if (error instanceof HasherBusy) await giveBack()
    throw error
  }
}

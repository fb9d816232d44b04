import { left } from '../failure.ts'
import { type Fresh, type UseCase, unavailable } from '../kernel/running/use-case.ts'
import { addSeconds } from '../kernel/values/day.ts'
import { HasherBusy } from '../ports/identity.ts'

// A guess at a password, PIN or code is counted before it is compared, so that guesses sent at once cannot exceed the limit.

/** Builds a use case that hashes a secret, with `V` as its value. Fails: `server.busy`, and as `run` does. */
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
 * The hasher is busy, but the guess is known to be wrong without it. The guess stays counted: otherwise a client that aborts
 * its requests in time would have unlimited guesses.
 */
export class KnownWrong extends HasherBusy {}

/**
 * Hashes a counted guess. If the hasher is busy, the guess was not compared and `uncount` runs, so that a burst of other
 * requests does not lock the account. If the guess is known to be wrong, `keep` runs instead.
 */
export const hashOrUncount = async <A>(
  hash: () => Promise<A>,
  uncount: () => Promise<unknown>,
  keep: () => Promise<unknown> = async () => {},
): Promise<A> => {
  try {
    return await hash()
  } catch (error) {
    if (error instanceof KnownWrong) await keep()
    else if (error instanceof HasherBusy) await uncount()
    throw error
  }
}

/**
 * The counted guesses of a counter that are still being compared, each with the end of its lease, as one text that guards the
 * counter's record. A guess whose process dies stays in the text until its lease ends, and is then no longer counted.
 */
export type OpenTries = string | null

/** The time for a comparison, including the wait for the hasher. */
const COMPARISON_SECONDS = 15
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

const listed = (open: OpenTries): readonly string[] => open?.split(' ') ?? []
const joined = (tries: readonly string[]): OpenTries => (tries.length === 0 ? null : tries.join(' '))

/** Adds a guess and returns its name as `own`. */
export const openTry = (open: OpenTries, { now, text }: Pick<Fresh, 'now' | 'text'>) => {
  const own = `${addSeconds(now, COMPARISON_SECONDS)}~${text(LETTERS, 6)}`
  return { own, open: [...listed(open), own].join(' ') }
}

export const isOpenTry = (open: OpenTries, own: string): boolean => listed(open).includes(own)

/** Removes a guess whose comparison has ended. */
export const closeTry = (open: OpenTries, own: string): OpenTries => joined(listed(open).filter((each) => each !== own))

/** Removes the guesses whose lease has ended; `lapsed` is their number. */
export const dropLapsed = (open: OpenTries, steady: string): { readonly open: OpenTries; readonly lapsed: number } => {
  const live = listed(open).filter((each) => (each.split('~')[0] ?? '') > steady)
  return { open: joined(live), lapsed: listed(open).length - live.length }
}

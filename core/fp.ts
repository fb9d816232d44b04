/**
 * The only import of fp-ts and io-ts in this project: the few words that the core speaks.
 * Both come from their package roots, since deep paths break in Node's ESM and in Deno.
 */
import { either, function as fn } from 'fp-ts'
import * as t from 'io-ts'

export type Either<E, A> = either.Either<E, A>
export const { left, right, isRight, map, mapLeft, flatMap } = either
export const { pipe } = fn
export { t }

/** Of a union of outcomes too, each with a failure of its own: fp-ts takes the first for all of them. */
export const isLeft = <M extends Either<unknown, unknown>>(
  outcome: M,
): outcome is Extract<M, { readonly _tag: 'Left' }> => outcome._tag === 'Left'

/**
 * The only import of fp-ts and io-ts in this project. Both are imported from their package roots, because deep paths fail in
 * Node's ESM and in Deno.
 */
import { either, function as fn } from 'fp-ts'

export type Either<E, A> = either.Either<E, A>
export const { left, right, isRight, map, flatMap } = either
export const { pipe } = fn

/** Narrows also a union of outcomes with different failures; fp-ts narrows to the first one. */
export const isLeft = <M extends Either<unknown, unknown>>(
  outcome: M,
): outcome is Extract<M, { readonly _tag: 'Left' }> => outcome._tag === 'Left'

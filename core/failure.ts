import * as either from 'fp-ts/lib/Either.js'

// The only imports of fp-ts, by their files: its package root loads every module, which takes a tenth of the time of a
// start.
export type Either<E, A> = either.Either<E, A>
export const { left, right, isRight, map, flatMap } = either
export { pipe } from 'fp-ts/lib/function.js'

/** Narrows also a union of outcomes with different failures; fp-ts narrows to the first one. */
export const isLeft = <M extends Either<unknown, unknown>>(
  outcome: M,
): outcome is Extract<M, { readonly _tag: 'Left' }> => outcome._tag === 'Left'

/**
 * A wrong field: its dotted path (`metadata.0.label`), the code of the broken rule, and the parameters of its message.
 */
export interface Issue<C extends string = string> {
  readonly path: string
  readonly code: C
  readonly params?: Readonly<Record<string, string | number>>
}

/** The default codes of wrong fields: any text if the failure's codes are any text, else none. */
export type IssueCode<C extends string> = string extends C ? string : never

/**
 * The failure of a use case: a tag for its kind and a stable code (`pin.wrong`) for its cause. Each app maps codes to a
 * status and to Portuguese text. `C` are its possible codes, `I` those of its wrong fields. Functions infer the codes
 * and not the object, because the compiler would widen a union of objects to a supertype.
 */
export type Failure<C extends string = string, I extends string = IssueCode<C>> =
  | { readonly tag: 'invalid'; readonly code: C; readonly issues: readonly Issue<I>[] }
  | { readonly tag: 'unauthorized'; readonly code: C }
  | { readonly tag: 'forbidden'; readonly code: C }
  | { readonly tag: 'not-found'; readonly code: C }
  | { readonly tag: 'conflict'; readonly code: C; readonly retryAfterSeconds?: number }
  | { readonly tag: 'gone'; readonly code: C }
  | { readonly tag: 'refused'; readonly code: C; readonly reason?: string; readonly retryAfterSeconds?: number }
  | { readonly tag: 'throttled'; readonly code: C; readonly retryAfterSeconds: number }
  | { readonly tag: 'unavailable'; readonly code: C; readonly retryAfterSeconds: number }

type Plain = 'unauthorized' | 'forbidden' | 'not-found' | 'conflict' | 'gone' | 'refused'

/** Makes a failure without details. */
export const failure = <const C extends string>(tag: Plain, code: C): Failure<C, never> => ({ tag, code })

/** Returns the failure of a request that contradicts the state of a record. */
export const conflict = <const C extends string>(code: C) => left(failure('conflict', code))

/** Makes the failure of a bank's refusal, with the bank's reason if any. */
export const refusal = <const C extends string>(code: C, reason: string | null): Failure<C, never> => ({
  tag: 'refused',
  code,
  ...(reason === null ? {} : { reason }),
})

export const throttled = <const C extends string>(code: C, retryAfterSeconds: number): Failure<C, never> => ({
  tag: 'throttled',
  code,
  retryAfterSeconds,
})

/** Makes the failure that lists every wrong field. A `code` other than `fields` has a message of its own. */
export const invalid = <const I extends string, const C extends string = 'fields'>(
  issues: readonly Issue<I>[],
  code: C = 'fields' as C,
): Failure<C, I> => ({ tag: 'invalid', code, issues })

export const issue = <const C extends string>(path: string, code: C, params?: Issue['params']): Issue<C> =>
  params ? { path, code, params } : { path, code }

/** A failure as an exception. Its message is the code with the wrong fields or the reason. */
export class FailureError extends Error {
  override readonly name = 'FailureError'
  /** The stable code of the failure: `pin.wrong`. */
  readonly code: string
  readonly failure: Failure

  constructor(failure: Failure) {
    super(`${failure.code}${detailOf(failure)}`)
    this.code = failure.code
    this.failure = failure
  }
}

const detailOf = (failure: Failure): string => {
  if (failure.tag === 'invalid') return ` (${failure.issues.map(({ path, code }) => `${path}: ${code}`).join(', ')})`
  return 'reason' in failure && failure.reason !== undefined ? ` (${failure.reason})` : ''
}

/**
 * Returns the value of an outcome: `unwrap(await pay.charges.issue(actor, order)())`. Throws `FailureError` for a
 * failure, and `TypeError` for a task or a promise, which a program without types passes when it forgets the call or
 * the `await`.
 */
export const unwrap = <A>(outcome: Either<Failure, A>): A => {
  if (isLeft(outcome)) throw new FailureError(outcome.left)
  if (!isRight(outcome))
    throw new TypeError('unwrap: accepts the outcome of a task, as in unwrap(await member(input)())')
  return outcome.right
}

/** The failures of a use case, or of a function that returns one. */
type FailureOf<M> = M extends (...input: never[]) => infer Given
  ? FailureOf<Given>
  : M extends Promise<infer Outcome>
    ? Outcome extends { readonly _tag: 'Left'; readonly left: infer F }
      ? F
      : never
    : never

type FailureIn<M> = M extends (...input: never[]) => unknown
  ? FailureOf<M>
  : M extends readonly unknown[]
    ? never
    : M extends object
      ? { [K in keyof M]: FailureIn<M[K]> }[keyof M]
      : never

/** The failure codes of a use case, of a function that returns one, or of all members of a module or facade. */
export type CodesOf<M> = FailureIn<M> extends infer F ? (F extends { readonly code: infer C } ? C : never) : never

/** The codes of wrong fields of the same. */
export type IssueCodesOf<M> =
  FailureIn<M> extends infer F ? (F extends { readonly issues: readonly Issue<infer C>[] } ? C : never) : never

import { either, function as fn } from 'fp-ts'

/**
 * The only import of fp-ts and io-ts in this project. Both are imported from their package roots, because deep paths fail in
 * Node's ESM and in Deno.
 */

export type Either<E, A> = either.Either<E, A>
export const { left, right, isRight, map, flatMap } = either
export const { pipe } = fn

/** Narrows also a union of outcomes with different failures; fp-ts narrows to the first one. */
export const isLeft = <M extends Either<unknown, unknown>>(
  outcome: M,
): outcome is Extract<M, { readonly _tag: 'Left' }> => outcome._tag === 'Left'

/**
 * One wrong field: its dotted path (`metadata.0.label`), the rule it breaks, and the numbers its message needs.
 * `C` are the rules that it may break.
 */
export interface Issue<C extends string = string> {
  readonly path: string
  readonly code: C
  readonly params?: Readonly<Record<string, string | number>>
}

/** The codes of wrong fields, of failures whose own codes are not told, and of those that name no field. */
export type IssueCode<C extends string> = string extends C ? string : never

/**
 * Why a use case did not do what was asked: a tag for its kind, a stable code (`pin.wrong`) for its cause.
 * No HTTP here: each app maps codes to a status and to Portuguese text. `C` are the codes that it may have, `I` those
 * of its wrong fields. The codes are what is inferred, not the object: of objects the compiler would pick a supertype.
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

/** A failure that is only its tag and code. */
export const failure = <const C extends string>(tag: Plain, code: C): Failure<C, never> => ({ tag, code })

/** A refusal by a bank, with the bank's reason if it gave one. */
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

/** Every wrong field at once. `code` names a cause with a message of its own; `fields` is the general one. */
export const invalid = <const I extends string, const C extends string = 'fields'>(
  issues: readonly Issue<I>[],
  code: C = 'fields' as C,
): Failure<C, I> => ({ tag: 'invalid', code, issues })

export const issue = <const C extends string>(path: string, code: C, params?: Issue['params']): Issue<C> =>
  params ? { path, code, params } : { path, code }

/** A failure that was thrown: its message is the code, with the wrong fields or the reason. */
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
 * Returns the value of an outcome: `unwrap(await pay.charges.issue(actor, order)())`. Throws `FailureError` for a failure, and
 * `TypeError` for a task or a promise, which a program without types passes when it forgets the call or the `await`.
 */
export const unwrap = <A>(outcome: Either<Failure, A>): A => {
  if (isLeft(outcome)) throw new FailureError(outcome.left)
  if (!isRight(outcome))
    throw new TypeError('unwrap: accepts the outcome of a task, as in unwrap(await member(input)())')
  return outcome.right
}

/** The failures of a use case, and of what gives one. */
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

/** The codes that it can fail with: of a use case, of what gives one, of every member of a module or facade. */
export type CodesOf<M> = FailureIn<M> extends infer F ? (F extends { readonly code: infer C } ? C : never) : never

/** The codes of its wrong fields. */
export type IssueCodesOf<M> =
  FailureIn<M> extends infer F ? (F extends { readonly issues: readonly Issue<infer C>[] } ? C : never) : never

/** What a field holds that a query may compare. Absent is null. */
export type Scalar = string | number | boolean | null
type Bound = string | number

/**
 * A condition on the top-level fields of a record: a small closed tree, pure data, one interpreter per store.
 * A null field makes `lt lte gt gte has contains` false, `eq null` matches it, `not` is the exact complement.
 * Texts compare by code point.
 */
export type Where<F extends string = string> =
  | { readonly all: readonly Where<F>[] }
  | { readonly any: readonly Where<F>[] }
  | { readonly not: Where<F> }
  | { readonly eq: readonly [F, Scalar] }
  | { readonly in: readonly [F, readonly Scalar[]] }
  | { readonly has: readonly [F, Bound] }
  | { readonly lt: readonly [F, Bound] }
  | { readonly lte: readonly [F, Bound] }
  | { readonly gt: readonly [F, Bound] }
  | { readonly gte: readonly [F, Bound] }
  | { readonly contains: readonly [F, string] }

export const all = <F extends string>(...parts: readonly Where<F>[]): Where<F> => ({ all: parts })
export const any = <F extends string>(...parts: readonly Where<F>[]): Where<F> => ({ any: parts })
export const not = <F extends string>(part: Where<F>): Where<F> => ({ not: part })
export const eq = <F extends string>(field: F, value: Scalar): Where<F> => ({ eq: [field, value] })
export const isIn = <F extends string>(field: F, values: readonly Scalar[]): Where<F> => ({ in: [field, values] })
/** The field is a list that holds the value. */
export const has = <F extends string>(field: F, value: Bound): Where<F> => ({ has: [field, value] })
export const lt = <F extends string>(field: F, value: Bound): Where<F> => ({ lt: [field, value] })
export const lte = <F extends string>(field: F, value: Bound): Where<F> => ({ lte: [field, value] })
export const gt = <F extends string>(field: F, value: Bound): Where<F> => ({ gt: [field, value] })
export const gte = <F extends string>(field: F, value: Bound): Where<F> => ({ gte: [field, value] })
/** The text holds these characters, literally; over a field folded beforehand. */
export const contains = <F extends string>(field: F, text: string): Where<F> => ({ contains: [field, text] })
/** Matches every record: the guard that says aloud that there is none. */
export const always: Where<never> = { all: [] }

import { type Issue, issue } from '../../failure.ts'
import type { Day } from '../values/day.ts'
import { nfc } from '../values/text.ts'
import type { RuleCode } from './field.ts'
import type { RawObject } from './table.ts'

/** A rule across the fields of an input. A check runs if all the fields that it names decoded. */
export interface Rule<A, I extends string = RuleCode> {
  readonly checks: readonly {
    readonly names: readonly (keyof A & string)[]
    readonly issues: (values: A, today: Day | null) => readonly Issue<I>[]
  }[]
  /** Checks the raw input, decoded or not; `pathOf` converts program names to those of the sender. */
  readonly sent?: (sent: RawObject, pathOf: (path: string) => string) => readonly Issue<I>[]
}

type Name<A> = keyof A & string

/** Makes a rule over the named fields. `today` is null if the decoder was called without it. */
export const rule = <A, K extends Name<A>, I extends string>(
  names: readonly K[],
  issues: (values: Pick<A, K>, today: Day | null) => readonly Issue<I>[],
): Rule<A, I> => ({ checks: [{ names, issues }] })

const isMissing = (value: unknown): boolean => value === undefined || value === null

/** Requires at least one of the fields. Fails: `required` on the first. */
export const atLeastOne = <A>(first: Name<A>, ...others: readonly Name<A>[]): Rule<A> =>
  rule([first, ...others], (values) =>
    [first, ...others].every((name) => isMissing(values[name])) ? [issue(first, 'required')] : [],
  )

/**
 * Requires exactly one of the fields. Fails: `required` on the first; `only-one` on each present one after the first.
 */
export const exactlyOne = <A>(first: Name<A>, ...others: readonly Name<A>[]): Rule<A> =>
  rule([first, ...others], (values) => {
    const [one, ...more] = [first, ...others].filter((name) => !isMissing(values[name]))
    return one === undefined ? [issue(first, 'required')] : more.map((name) => issue(name, 'only-one', { other: one }))
  })

/** Requires all of the fields or none (the two ends of a range). Fails: `required` on each missing one. */
export const allOrNone = <A>(...names: readonly Name<A>[]): Rule<A> =>
  rule(names, (values) => {
    const missing = names.filter((name) => isMissing(values[name]))
    return missing.length < names.length ? missing.map((name) => issue(name, 'required')) : []
  })

const requiredIf = <A, K extends Name<A>>(
  names: readonly Name<A>[],
  other: K,
  applies: (value: A[K]) => boolean,
): Rule<A, 'required'> => ({
  checks: names.map((name) => ({
    names: [name, other],
    issues: (values) => (applies(values[other]) && isMissing(values[name]) ? [issue(name, 'required')] : []),
  })),
})

/** Requires the fields if another one has one of these values. Fails: `required` on each missing one. */
export const requiredWhen = <A, K extends Name<A>>(
  names: readonly Name<A>[],
  other: K,
  ...values: readonly NoInfer<A[K]>[]
): Rule<A, 'required'> => requiredIf(names, other, (value) => values.includes(value))

/** Requires the fields if another one is missing. Fails: `required` on each missing one. */
export const requiredWithout = <A>(names: readonly Name<A>[], other: Name<A>): Rule<A, 'required'> =>
  requiredIf(names, other, isMissing)

/** Requires the fields if another one is present. Fails: `required` on each missing one. */
export const requiredWith = <A>(names: readonly Name<A>[], other: Name<A>): Rule<A, 'required'> =>
  requiredIf(names, other, (value) => !isMissing(value))

/** Compares texts in NFC, since systems encode typed letters in different forms. */
const isSame = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string' ? nfc(one) === nfc(other) : one === other

/**
 * Requires a repetition (`password_confirmation`) to equal its field (`password`). Fails: `same-as` on the repetition.
 */
export const sameAs = <A>(repetition: Name<A>, original: Name<A>): Rule<A> =>
  rule([repetition, original], (values) =>
    isSame(values[repetition], values[original]) ? [] : [issue(repetition, 'same-as', { other: original })],
  )

/** Refuses an end before its start (days, months or instants); a missing one passes. Fails: `not-before` on the end. */
export const notBefore = <A>(end: Name<A>, start: Name<A>): Rule<A> =>
  rule([end, start], ({ [end]: last, [start]: first }) =>
    typeof last === 'string' && typeof first === 'string' && last < first
      ? [issue(end, 'not-before', { other: start })]
      : [],
  )

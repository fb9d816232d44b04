import { type Issue, issue } from '../../failure.ts'
import type { Day } from '../values/day.ts'
import { nfc } from '../values/text.ts'
import type { RuleCode } from './field.ts'
import type { Sent } from './table.ts'

/** Rules across the fields of a body or query: each check runs if the fields that it names decoded. */
export interface Rule<A, I extends string = RuleCode> {
  readonly checks: readonly {
    readonly names: readonly (keyof A & string)[]
    readonly issues: (values: A, today: Day | null) => readonly Issue<I>[]
  }[]
  /** Reads the whole input as it was sent, before any field is read; `pathOf` names a field as the sender does. */
  readonly sent?: (sent: Sent, pathOf: (path: string) => string) => readonly Issue<I>[]
}

type Name<A> = keyof A & string

/** A rule over the fields that it names; `today` is null where who decodes does not say. */
export const rule = <A, K extends Name<A>, I extends string>(
  names: readonly K[],
  issues: (values: Pick<A, K>, today: Day | null) => readonly Issue<I>[],
): Rule<A, I> => ({ checks: [{ names, issues }] })

const isMissing = (value: unknown): boolean => value === undefined || value === null

/** At least one of the fields. Fails: `required` on the first. */
export const oneRequired = <A>(first: Name<A>, ...others: readonly Name<A>[]): Rule<A> =>
  rule([first, ...others], (values) =>
    [first, ...others].every((name) => isMissing(values[name])) ? [issue(first, 'required')] : [],
  )

/** Exactly one of the fields. Fails: `required` on the first; `only-one` on every one after the first that is there. */
export const onlyOne = <A>(first: Name<A>, ...others: readonly Name<A>[]): Rule<A> =>
  rule([first, ...others], (values) => {
    const [one, ...more] = [first, ...others].filter((name) => !isMissing(values[name]))
    return one === undefined ? [issue(first, 'required')] : more.map((name) => issue(name, 'only-one', { other: one }))
  })

/** All of the fields or none (the two ends of a range). Fails: `required` on those that are not there. */
export const together = <A>(...names: readonly Name<A>[]): Rule<A> =>
  rule(names, (values) => {
    const missing = names.filter((name) => isMissing(values[name]))
    return missing.length < names.length ? missing.map((name) => issue(name, 'required')) : []
  })

const requiredIf = <A, K extends Name<A>>(
  names: readonly Name<A>[],
  other: K,
  holds: (value: A[K]) => boolean,
): Rule<A, 'required'> => ({
  checks: names.map((name) => ({
    names: [name, other],
    issues: (values) => (holds(values[other]) && isMissing(values[name]) ? [issue(name, 'required')] : []),
  })),
})

/** The fields are required when another one is one of these values. Fails: `required` on each that is not there. */
export const requiredWhen = <A, K extends Name<A>>(
  names: readonly Name<A>[],
  other: K,
  ...values: readonly NoInfer<A[K]>[]
): Rule<A, 'required'> => requiredIf(names, other, (value) => values.includes(value))

/** The fields are required when another one is not there. Fails: `required` on each that is not there. */
export const requiredWithout = <A>(names: readonly Name<A>[], other: Name<A>): Rule<A, 'required'> =>
  requiredIf(names, other, isMissing)

/** The fields are required when another one is there. Fails: `required` on each that is not there. */
export const requiredWith = <A>(names: readonly Name<A>[], other: Name<A>): Rule<A, 'required'> =>
  requiredIf(names, other, (value) => !isMissing(value))

/** Texts in NFC: systems spell the letters that people type in different ways. */
const isSame = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string' ? nfc(one) === nfc(other) : one === other

/** The repetition of a field (`password_confirmation` of `password`). Fails: `same-as` on the repetition. */
export const sameAs = <A>(repetition: Name<A>, original: Name<A>): Rule<A> =>
  rule([repetition, original], (values) =>
    isSame(values[repetition], values[original]) ? [] : [issue(repetition, 'same-as', { other: original })],
  )

/** An end that is not before its start, as days, months or instants; absent ones pass. Fails: `not-before` on the end. */
export const notBefore = <A>(end: Name<A>, start: Name<A>): Rule<A> =>
  rule([end, start], ({ [end]: last, [start]: first }) =>
    typeof last === 'string' && typeof first === 'string' && last < first
      ? [issue(end, 'not-before', { other: start })]
      : [],
  )

import { type Issue, issue } from '../../failure.ts'
import { type Either, isLeft, left } from '../../fp.ts'
import type { Day } from '../values/day.ts'
import type { Input, Shape } from './input.ts'
import { CAMEL_CASE, perSide } from './side.ts'
import { namesOf } from './table.ts'

/** As much of a key is looked at as names a field. */
const MAX_NAME = 100

/**
 * An input that refuses operator keys (`status[$ne]`, `$where`) of a query.
 * Fails: `operator` on the key before its operator. Source: decisions.md §10.
 */
export const strict = <A, G, I extends string>(lenient: Input<A, G, I>): Input<A, G, I> => {
  const on = perSide((side) => strictShape(lenient.on(side)))
  return { ...lenient, ...on(CAMEL_CASE), on }
}

/** The same as one side speaks of it. */
export const strictShape = <A>(lenient: Shape<A>): Shape<A> => {
  const known = namesOf(lenient.fields)
  const decode = (value: unknown, today?: Day): Either<readonly Issue[], A> => {
    const got = lenient.decode(value, today)
    const operators = Object.keys(Object(value)).filter((key) => OPERATOR.test(key) && !known.has(key))
    if (operators.length === 0) return got
    const paths = new Set(operators.map((key) => NAME.exec(key.slice(0, MAX_NAME))?.[0] ?? key))
    return left([...(isLeft(got) ? got.left : []), ...Array.from(paths, (path) => issue(path, 'operator'))])
  }
  return { ...lenient, decode }
}

const OPERATOR = /[[\]$]/
const NAME = /^.[^[\].$]*/s

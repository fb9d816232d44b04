import { type Issue, issue } from '../../failure.ts'
import { type Either, isLeft, left, right } from '../../fp.ts'
import type { Day } from '../values/day.ts'
import {
  type About,
  anyField,
  CAMEL_CASE,
  type Field,
  field,
  type JsonSchema,
  nullIfAbsent,
  optional,
  PROGRAM,
  perSide,
  type Side,
  titled,
  wrong,
} from './field.ts'
import type { Rule } from './rules.ts'
import {
  type Decoded,
  encodedEntries,
  type Fields,
  type Given,
  type IssuesOf,
  isObject,
  namesOf,
  own,
  readEntries,
  tableOn,
} from './table.ts'

/** An input as one side speaks of it: every wrong field is found at once, and named as that side names it. */
export interface Shape<A> {
  /** Its fields by their names on this side. */
  readonly fields: Fields
  readonly schema: JsonSchema
  /** `today` is for the rules that ask for it. */
  decode(value: unknown, today?: Day): Either<readonly Issue[], A>
  /** The path of a field in a program (`payer.document`) as this side names it. */
  pathOf(path: string): string
}

/**
 * What a caller may say: a table of independent fields and the rules across them. Of itself it is of a wire that names
 * fields as the program does. `A` is what it decodes to, `G` what a program may give, `I` the rules that it knows.
 */
export interface Input<A, G = A, I extends string = string> extends Shape<A> {
  /** `NewCharge`: the name of its schema; null where it needs none. */
  readonly name: string | null
  /** Its fields by their names in a program. */
  readonly table: Fields
  /** The same as a side speaks of it. */
  on(side: Side): Shape<A>
  /** What a program gave, as decoding would have given it; what was checked before stays as it is. */
  check(given: G, today: Day): Either<readonly Issue<I>[], A>
}

/** What a program may give for an input. */
export type GivenFor<X extends { check(given: never, today: Day): unknown }> = Parameters<X['check']>[0]

/** What an input decodes to. */
export type Checked<X> = X extends Shape<infer A> ? A : never

/** A named input of these fields; a rule runs when the fields that it names decoded. Unknown keys fall away. */
export const input = <F extends Fields, R extends string = never>(
  name: string | null,
  fields: F,
  ...rules: readonly Rule<Decoded<NoInfer<F>>, R>[]
): Input<Decoded<F>, Given<F>, IssuesOf<F> | NoInfer<R> | 'object'> => {
  const on = perSide((side) => shapeOn<Decoded<F>>(name, fields, rules, side))
  return {
    ...on(CAMEL_CASE),
    name,
    table: fields,
    on,
    // The codes are those of its fields and rules: what reads them has lost their types.
    check: (given, today) => on(PROGRAM).decode(given, today) as Either<readonly Issue<IssuesOf<F> | R>[], Decoded<F>>,
  }
}

const shapeOn = <A>(name: string | null, fields: Fields, rules: readonly Rule<A, string>[], side: Side): Shape<A> => {
  const table = tableOn(fields, side)
  const checks = rules.flatMap((rule) => rule.checks)
  const named = ({ path, params, ...rest }: Issue): Issue => ({
    ...rest,
    path: table.pathOf(path),
    ...(params && { params: 'other' in params ? { ...params, other: table.pathOf(`${params.other}`) } : params }),
  })
  return {
    fields: table.fields,
    schema: titled(table.schema, name),
    pathOf: table.pathOf,
    decode: (value, today) => {
      if (!isObject(value)) return wrong('object')
      const { decoded, issues, failed } = readEntries(table.entries, value)
      for (const { sent } of rules)
        issues.push(
          ...(sent?.(value, table.pathOf) ?? []).filter(({ path }) => !issues.some((one) => one.path === path)),
        )
      for (const check of checks) {
        if (check.names.some((name) => failed.has(name))) continue
        // Two rules may ask for the same field: it is named once.
        const found = check.issues(decoded as A, today ?? null).map(named)
        issues.push(...found.filter((one) => !issues.some(({ path, code }) => path === one.path && code === one.code)))
      }
      return issues.length > 0 ? left(issues) : right(decoded as A)
    },
  }
}

/** Every field optional: the PUT or PATCH of a POST's fields. What is not sent has no default. */
export const allOptional = <F extends Fields>(fields: F) =>
  Object.fromEntries(Object.entries(fields).map(([key, each]) => [key, optional(each as Field<unknown>)])) as {
    readonly [K in keyof F]: F[K] extends Field<infer A, infer G, infer I>
      ? Field<A | undefined, G | undefined, I>
      : never
  }

/** An input within an input. Fails: `required`, `object`, and its fields' codes under their own paths. */
export const object = <A, G, I extends string>(inner: Input<A, G, I>, about: About = {}): Field<A, G, I | 'required'> =>
  objectOn(inner, about, CAMEL_CASE)

const objectOn = <A, G, I extends string>(
  inner: Input<A, G, I>,
  about: About,
  side: Side,
): Field<A, G, I | 'required'> => {
  const shape = inner.on(side)
  const { table } = inner
  const { entries } = tableOn(table, side)
  return field<A, G, I>(
    {
      name: 'object',
      schema: shape.schema,
      is: (value): value is A => hasFields(table, value),
      read: (value) => shape.decode(value) as Either<readonly Issue<I>[], A>,
      encode: (value) => encodedEntries(entries, value),
    },
    { ...about, within: table, on: (other) => objectOn(inner, about, other) },
  )
}

const hasFields = (table: Fields, value: unknown): boolean =>
  isObject(value) && Object.entries(table).every(([key, each]) => each.is(own(value, [key])))

/**
 * Fields that a program has in an object of their own, and the wire beside the others: a range of days. Of fields that
 * may all be left out, the object may be, too.
 */
export const group = <F extends Fields, R extends string = never>(
  fields: F,
  ...rules: readonly Rule<Decoded<NoInfer<F>>, R>[]
): Field<Decoded<F>, GroupGiven<F>, IssuesOf<F> | NoInfer<R> | 'object'> =>
  inlineField(fields, (side) => {
    const { schema, decode } = shapeOn<Decoded<F>>(null, fields, rules, side)
    const absent = Object.values(fields).every((each) => each.absent)
    return { schema, absent, read: (value) => decode(value ?? {}) }
  })

type GroupGiven<F extends Fields> = Record<never, never> extends Given<F> ? Given<F> | undefined : Given<F>

/**
 * One of two tables: the first where its first field is there, else the second. What is sent of the other beside it is
 * looked at all the same, and falls away.
 */
export const either = <F extends Fields, S extends Fields>(
  first: F,
  second: S,
): Field<Decoded<F> | Decoded<S>, Given<F> | Given<S>, IssuesOf<F> | IssuesOf<S> | 'required' | 'object'> =>
  // Neither table's fields are always there.
  inlineField(allOrNull({ ...first, ...second }), (side) => {
    const [one, other] = [tableOn(first, side), tableOn(second, side)]
    const beside = tableOn(allOrNull(second), side)
    const [{ names = [] } = {}] = one.entries
    return {
      schema: tableOn(allOrNull({ ...first, ...second }), side).schema,
      absent: false,
      read: (value) => {
        if (!isObject(value)) return wrong(value === undefined || value === null ? 'required' : 'object')
        const isFirst = (own(value, names) ?? null) !== null
        const got = readEntries(isFirst ? one.entries : other.entries, value)
        const issues = [...got.issues, ...(isFirst ? readEntries(beside.entries, value).issues : [])]
        return issues.length > 0 ? left(issues) : right(got.decoded)
      },
    }
  })

const allOrNull = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, each]) => [key, nullIfAbsent(each as Field<unknown>)]))

interface InlineParts {
  readonly schema: JsonSchema
  readonly absent: boolean
  readonly read: (value: unknown) => Either<readonly Issue[], unknown>
}

const inlineField = <A, G, I extends string>(
  table: Fields,
  partsOn: (side: Side) => InlineParts,
  side: Side = CAMEL_CASE,
): Field<A, G, I> => {
  const { schema, absent, read } = partsOn(side)
  const { entries } = tableOn(table, side)
  return anyField<A, G, I>(
    {
      name: 'group',
      schema,
      is: (value): value is A => isObject(value),
      // What reads them by their table has lost the types of its fields.
      read: read as (value: unknown) => Either<readonly Issue<I>[], A>,
      encode: (value) => encodedEntries(entries, value),
    },
    { absent, inline: true, within: table, on: (other) => inlineField(table, partsOn, other) },
  )
}

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

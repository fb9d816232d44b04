import { type Issue, issue } from '../../failure.ts'
import { type Either, isLeft, left, right } from '../../fp.ts'
import type { Day } from '../values/day.ts'
import {
  anyField,
  CAMEL_CASE,
  type Field,
  type FieldOptions,
  field,
  type JsonSchema,
  nullIfAbsent,
  optional,
  PROGRAM,
  perSide,
  reject,
  type Side,
  withTitle,
} from './field.ts'
import type { Rule } from './rules.ts'
import {
  type Decoded,
  encodeEntries,
  type FieldCodes,
  type Fields,
  type FieldsInput,
  firstOwn,
  isObject,
  namesOf,
  readEntries,
  tableOn,
} from './table.ts'

/** An input on one side. Decoding reports every wrong field, by the names of that side. */
export interface Decoder<A> {
  /** The fields by their names on this side. */
  readonly fields: Fields
  readonly schema: JsonSchema
  /** `today` is passed to the rules. */
  decode(value: unknown, today?: Day): Either<readonly Issue[], A>
  /** Converts a path of program names (`payer.document`) to the names of this side. */
  pathOf(path: string): string
}

/**
 * A table of independent fields and the rules across them. `A` is the decoded type, `G` the type that a program may
 * pass, `I` the error codes. The input itself decodes the camel-case wire format.
 */
export interface Input<A, G = A, I extends string = string> extends Decoder<A> {
  /** The name of the schema (`NewCharge`), or null for a schema written inline. */
  readonly name: string | null
  /** The fields by their names in the program. */
  readonly table: Fields
  /** Returns the decoder of one side. */
  on(side: Side): Decoder<A>
  /** Validates the values that a program passes. A value that is already decoded stays the same. */
  check(given: G, today: Day): Either<readonly Issue<I>[], A>
}

/** The type that a program may pass for an input. */
export type InputOf<X extends { check(given: never, today: Day): unknown }> = Parameters<X['check']>[0]

/** The type that an input decodes to. */
export type DecodedOf<X> = X extends Decoder<infer A> ? A : never

/** Makes an input. A rule runs if all the fields that it names decoded. Unknown keys are ignored. */
export const input = <F extends Fields, R extends string = never>(
  name: string | null,
  fields: F,
  ...rules: readonly Rule<Decoded<NoInfer<F>>, R>[]
): Input<Decoded<F>, FieldsInput<F>, FieldCodes<F> | NoInfer<R> | 'object'> => {
  const on = perSide((side) => decoderOn<Decoded<F>>(name, fields, rules, side))
  return {
    ...on(CAMEL_CASE),
    name,
    table: fields,
    on,
    // `decoderOn` works on untyped fields, so the codes are restored here.
    check: (given, today) =>
      on(PROGRAM).decode(given, today) as Either<readonly Issue<FieldCodes<F> | R>[], Decoded<F>>,
  }
}

const decoderOn = <A>(
  name: string | null,
  fields: Fields,
  rules: readonly Rule<A, string>[],
  side: Side,
): Decoder<A> => {
  const table = tableOn(fields, side)
  const checks = rules.flatMap((rule) => rule.checks)
  const renamed = ({ path, params, ...rest }: Issue): Issue => ({
    ...rest,
    path: table.pathOf(path),
    ...(params && { params: 'other' in params ? { ...params, other: table.pathOf(`${params.other}`) } : params }),
  })
  return {
    fields: table.fields,
    schema: withTitle(table.schema, name),
    pathOf: table.pathOf,
    decode: (value, today) => {
      if (!isObject(value)) return reject('object')
      const { decoded, issues, failed } = readEntries(table.entries, value)
      for (const { sent } of rules)
        issues.push(
          ...(sent?.(value, table.pathOf) ?? []).filter(({ path }) => !issues.some((one) => one.path === path)),
        )
      for (const check of checks) {
        if (check.names.some((name) => failed.has(name))) continue
        // Two rules may report the same issue: it is listed once.
        const found = check.issues(decoded as A, today ?? null).map(renamed)
        issues.push(...found.filter((one) => !issues.some(({ path, code }) => path === one.path && code === one.code)))
      }
      return issues.length > 0 ? left(issues) : right(decoded as A)
    },
  }
}

/** Makes every field optional and removes defaults: the PUT or PATCH of the fields of a POST. */
export const allOptional = <F extends Fields>(fields: F) =>
  Object.fromEntries(Object.entries(fields).map(([key, each]) => [key, optional(each as Field<unknown>)])) as {
    readonly [K in keyof F]: F[K] extends Field<infer A, infer G, infer I>
      ? Field<A | undefined, G | undefined, I>
      : never
  }

/** A field that is an input of its own. Fails: `required`, `object`, and the codes of its fields under their paths. */
export const object = <A, G, I extends string>(
  inner: Input<A, G, I>,
  about: FieldOptions = {},
): Field<A, G, I | 'required'> => objectOn(inner, about, CAMEL_CASE)

const objectOn = <A, G, I extends string>(
  inner: Input<A, G, I>,
  about: FieldOptions,
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
      encode: (value) => encodeEntries(entries, value),
    },
    { ...about, nested: table, on: (other) => objectOn(inner, about, other) },
  )
}

const hasFields = (table: Fields, value: unknown): boolean =>
  isObject(value) && Object.entries(table).every(([key, each]) => each.is(firstOwn(value, [key])))

/**
 * Fields that are an object in the program and stand directly in the parent on the wire, such as the two ends of a
 * range. The object is optional if all of its fields are.
 */
export const group = <F extends Fields, R extends string = never>(
  fields: F,
  ...rules: readonly Rule<Decoded<NoInfer<F>>, R>[]
): Field<Decoded<F>, GroupInput<F>, FieldCodes<F> | NoInfer<R> | 'object'> =>
  inlineField(fields, (side) => {
    const { schema, decode } = decoderOn<Decoded<F>>(null, fields, rules, side)
    const isOptional = Object.values(fields).every((each) => each.isOptional)
    return { schema, isOptional, read: (value) => decode(value ?? {}) }
  })

type GroupInput<F extends Fields> =
  Record<never, never> extends FieldsInput<F> ? FieldsInput<F> | undefined : FieldsInput<F>

/**
 * One of two tables: the first if its first field is present, else the second. When the first is chosen, fields of the
 * second are validated and then dropped.
 */
export const either = <F extends Fields, S extends Fields>(
  first: F,
  second: S,
): Field<
  Decoded<F> | Decoded<S>,
  FieldsInput<F> | FieldsInput<S>,
  FieldCodes<F> | FieldCodes<S> | 'required' | 'object'
> =>
  // The wire has the fields of one table only, so all of them may be missing.
  inlineField(allOrNull({ ...first, ...second }), (side) => {
    const [one, other] = [tableOn(first, side), tableOn(second, side)]
    const unusedSecond = tableOn(allOrNull(second), side)
    const [{ names = [] } = {}] = one.entries
    return {
      schema: tableOn(allOrNull({ ...first, ...second }), side).schema,
      isOptional: false,
      read: (value) => {
        if (!isObject(value)) return reject(value === undefined || value === null ? 'required' : 'object')
        const isFirst = (firstOwn(value, names) ?? null) !== null
        const got = readEntries(isFirst ? one.entries : other.entries, value)
        const issues = [...got.issues, ...(isFirst ? readEntries(unusedSecond.entries, value).issues : [])]
        return issues.length > 0 ? left(issues) : right(got.decoded)
      },
    }
  })

const allOrNull = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, each]) => [key, nullIfAbsent(each as Field<unknown>)]))

interface InlineParts {
  readonly schema: JsonSchema
  readonly isOptional: boolean
  readonly read: (value: unknown) => Either<readonly Issue[], unknown>
}

const inlineField = <A, G, I extends string>(
  table: Fields,
  partsOn: (side: Side) => InlineParts,
  side: Side = CAMEL_CASE,
): Field<A, G, I> => {
  const { schema, isOptional, read } = partsOn(side)
  const { entries } = tableOn(table, side)
  return anyField<A, G, I>(
    {
      name: 'group',
      schema,
      is: (value): value is A => isObject(value),
      // `readEntries` works on untyped fields, so the codes are restored here.
      read: read as (value: unknown) => Either<readonly Issue<I>[], A>,
      encode: (value) => encodeEntries(entries, value),
    },
    { isOptional, isInline: true, nested: table, on: (other) => inlineField(table, partsOn, other) },
  )
}

/** The part of an operator key that an issue can name. */
const MAX_NAME = 100

/**
 * Makes a decoder refuse operator keys of a query (`status[$ne]`, `$where`).
 * Fails: `operator` on the key without its operator.
 */
export const refuseOperators = <A>(decoder: Decoder<A>): Decoder<A> => {
  const known = namesOf(decoder.fields)
  const decode = (value: unknown, today?: Day): Either<readonly Issue[], A> => {
    const got = decoder.decode(value, today)
    const operators = Object.keys(Object(value)).filter((key) => OPERATOR.test(key) && !known.has(key))
    if (operators.length === 0) return got
    const paths = new Set(operators.map((key) => NAME.exec(key.slice(0, MAX_NAME))?.[0] ?? key))
    return left([...(isLeft(got) ? got.left : []), ...Array.from(paths, (path) => issue(path, 'operator'))])
  }
  return { ...decoder, decode }
}

const OPERATOR = /[[\]$]/
const NAME = /^.[^[\].$]*/s

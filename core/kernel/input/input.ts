import { type Either, type Issue, isLeft, issue, left, right } from '../../failure.ts'
import { type t, ValueType } from '../records/record.ts'
import type { Day } from '../values/day.ts'
import { nfc } from '../values/text.ts'
import {
  type AnyField,
  anyField,
  CAMEL_CASE,
  type Field,
  type FieldOptions,
  field,
  type JsonSchema,
  nullIfAbsent,
  objectSchema,
  optional,
  PROGRAM,
  perSide,
  type RuleCode,
  reject,
  type Side,
  underKey,
  withTitle,
} from './field.ts'

/** An input on one side (program or wire). Decoding reports every wrong field, by the names of that side. */
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
    // The fields of `decoderOn` are untyped: the cast restores the codes.
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
  const sentRules = rules.flatMap(({ sent }) => sent ?? [])
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
      for (const sent of sentRules)
        issues.push(...sent(value, table.pathOf).filter(({ path }) => !issues.some((one) => one.path === path)))
      for (const check of checks) {
        if (check.names.some((name) => failed.includes(name))) continue
        const found = check.issues(decoded as A, today ?? null)
        if (found.length === 0) continue
        // Two rules may report the same issue: it is listed once.
        const isNew = (one: Issue): boolean => !issues.some(({ path, code }) => path === one.path && code === one.code)
        issues.push(...found.map(renamed).filter(isNew))
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
      encode: encoderOf(entries),
    },
    { ...about, nested: table, on: (other) => objectOn(inner, about, other) },
  )
}

const hasFields = (table: Fields, value: unknown): boolean =>
  isObject(value) && Object.entries(table).every(([key, each]) => each.is(firstOwn(value, [key])))

/**
 * Fields that are an object in the program and are part of the parent object on the wire, such as the two ends of a
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
        const chosen = readEntries(isFirst ? one.entries : other.entries, value)
        const issues = [...chosen.issues, ...(isFirst ? readEntries(unusedSecond.entries, value).issues : [])]
        return issues.length > 0 ? left(issues) : right(chosen.decoded)
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
      // The fields of `readEntries` are untyped: the cast restores the codes.
      read: read as (value: unknown) => Either<readonly Issue<I>[], A>,
      encode: encoderOf(entries),
    },
    { isOptional, isInline: true, nested: table, on: (other) => inlineField(table, partsOn, other) },
  )
}

const MAX_NAME = 100

/** Makes a decoder refuse operator keys (`status[$ne]`, `$where`). Fails: `operator` on the key without operator. */
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

const foldedName = (name: string): string => name.replace(/[-_]/g, '').toLowerCase()

/**
 * Refuses another spelling of these fields (`dryrun`): without its flag, a trial run would be a real one. Fails:
 * `misspelt` on the sent key.
 */
export const exactNames = <A>(...names: readonly Name<A>[]): Rule<A, 'misspelt'> => ({
  checks: [],
  sent: (sent, pathOf) =>
    names.map(pathOf).flatMap((name) =>
      Object.keys(sent)
        .filter((key) => key !== name && foldedName(key) === foldedName(name))
        .map((key) => issue(key, 'misspelt', { other: name })),
    ),
})

/** Refuses an end before its start (days, months or instants); a missing one passes. Fails: `not-before` on the end. */
export const notBefore = <A>(end: Name<A>, start: Name<A>): Rule<A> =>
  rule([end, start], ({ [end]: last, [start]: first }) =>
    typeof last === 'string' && typeof first === 'string' && last < first
      ? [issue(end, 'not-before', { other: start })]
      : [],
  )

/** Fields by their names in the program. */
export type Fields = Readonly<Record<string, AnyField>>

type Flat<A> = { [K in keyof A]: A[K] }

type OptionalKeys<F extends Fields> = { [K in keyof F]: undefined extends t.TypeOf<F[K]> ? K : never }[keyof F]

/** The decoded values of fields. An omitted field has no key, so that the result can be spread over a record. */
export type Decoded<F extends Fields> = Flat<
  { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: t.TypeOf<F[K]> } & {
    readonly [K in OptionalKeys<F>]?: Exclude<t.TypeOf<F[K]>, undefined>
  }
>

type OptionalInputKeys<F extends Fields> = { [K in keyof F]: undefined extends F[K]['_G'] ? K : never }[keyof F]

/** The values that a program passes for fields; those of optional fields may be omitted. */
export type FieldsInput<F extends Fields> = Flat<
  { readonly [K in Exclude<keyof F, OptionalInputKeys<F>>]: F[K]['_G'] } & {
    readonly [K in OptionalInputKeys<F>]?: F[K]['_G']
  }
>

/** The error codes of the fields of a table. */
export type FieldCodes<F extends Fields> = {
  [K in keyof F]: F[K] extends Field<infer _A, infer _G, infer I> ? I : string
}[keyof F]

/** Returns the object with these fields alone. */
export const pick = <F extends object, K extends keyof F & string>(fields: F, ...keys: readonly K[]): Pick<F, K> =>
  Object.fromEntries(keys.map((key) => [key, fields[key]])) as Pick<F, K>

/** Returns every name that the fields accept, aliases included. */
export const namesOf = (fields: Fields): ReadonlySet<string> =>
  new Set(Object.entries(fields).flatMap(([key, { aliases }]) => [key, ...aliases]))

/** A field of a table on one side. */
interface Entry {
  readonly key: string
  /** The names that the field accepts, its own first; empty if its nested fields are in the parent object. */
  readonly names: readonly string[]
  readonly field: AnyField
}

/** A table of fields on one side. */
interface Table {
  readonly entries: readonly Entry[]
  /** The fields by their names on this side, those of inline groups included. */
  readonly fields: Fields
  readonly schema: JsonSchema
  /** Converts a path of program names (`payer.document`) to the names of this side. */
  pathOf(path: string): string
}

export type RawObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is RawObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the value of the first name that the object has as its own property. */
export const firstOwn = (sent: RawObject, names: readonly string[]): unknown => {
  for (const name of names) if (Object.hasOwn(sent, name) && sent[name] !== undefined) return sent[name]
  return undefined
}

const isFlat = (field: AnyField, side: Side): boolean => field.isInline && side.is === 'wire'

const nameOn = (key: string, field: AnyField, side: Side): string =>
  side.is === 'program' ? key : (field.wire ?? side.nameOf(key))

const entryOf = (key: string, field: AnyField, side: Side): Entry => ({
  key,
  names: isFlat(field, side) ? [] : [nameOn(key, field, side), ...(side.is === 'program' ? [] : field.aliases)],
  field: field.on(side),
})

const tables = new WeakMap<Fields, (side: Side) => Table>()

/**
 * Returns the table with the names, fields and schema of one side. It is made once: many inputs nest the same fields.
 */
export const tableOn = (fields: Fields, side: Side): Table => {
  const known = tables.get(fields) ?? perSide((each) => makeTable(fields, each))
  tables.set(fields, known)
  return known(side)
}

const makeTable = (fields: Fields, side: Side): Table => {
  const entries = Object.entries(fields).map(([key, field]) => entryOf(key, field, side))
  return {
    entries,
    fields: Object.fromEntries(entries.flatMap((entry) => namedFields(entry, side))),
    schema: schemaOfEntries(entries),
    pathOf: (path) => (side.is === 'program' ? path : pathOn(fields, path.split('.'), side).join('.')),
  }
}

const namedFields = ({ names: [name], field }: Entry, side: Side): readonly (readonly [string, AnyField])[] =>
  name === undefined ? Object.entries(tableOn(field.nested ?? {}, side).fields) : [[name, field]]

const pathOn = (fields: Fields | null, [key, ...rest]: readonly string[], side: Side): readonly string[] => {
  if (key === undefined) return []
  const field = fields && Object.hasOwn(fields, key) ? fields[key] : undefined
  // An index of a list is kept; the next part names a field of the item.
  if (!field) return [/^\d+$/.test(key) ? key : side.nameOf(key), ...pathOn(fields, rest, side)]
  return [...(isFlat(field, side) ? [] : [nameOn(key, field, side)]), ...pathOn(field.nested, rest, side)]
}

/** Decodes each field of an object. `failed` has the keys of the fields with issues. */
const readEntries = (entries: readonly Entry[], sent: RawObject) => {
  const decoded: Record<string, unknown> = {}
  const issues: Issue[] = []
  const failed: string[] = []
  for (const { key, names, field } of entries) {
    const [name] = names
    const got: Either<readonly Issue[], unknown> = field.read(name === undefined ? sent : firstOwn(sent, names))
    if (isLeft(got)) {
      failed.push(key)
      issues.push(...(name === undefined ? got.left : got.left.map((each) => underKey(name, each))))
    } else if (got.right !== undefined) decoded[key] = got.right
  }
  return { decoded, issues, failed }
}

/** Returns the encoder of the values of fields for one side; undefined values are omitted. */
export const encoderOf = (entries: readonly Entry[]): ((value: unknown) => RawObject) => {
  // A copy of an object with all names is faster than adding them one by one, which reallocates the object.
  const blank: RawObject = Object.fromEntries(
    entries.flatMap(({ names: [name] }) => (name === undefined ? [] : [[name]])),
  )
  const isFlat = Object.keys(blank).length === entries.length
  return (value) => {
    if (!isObject(value)) return {}
    const sent: Record<string, unknown> = isFlat ? { ...blank } : {}
    let hasGaps = false
    for (const { key, names, field } of entries) {
      const name = names[0]
      const part = field.encode(Object.hasOwn(value, key) ? value[key] : undefined)
      if (name === undefined) Object.assign(sent, part)
      else if (part !== undefined) sent[name] = part
      else hasGaps = true
    }
    return hasGaps && isFlat ? withoutUndefined(sent) : sent
  }
}

// By a loop: `Object.entries` would allocate an array for each field.
const withoutUndefined = (sent: RawObject): RawObject => {
  const defined: Record<string, unknown> = {}
  for (const name in sent) if (sent[name] !== undefined) defined[name] = sent[name]
  return defined
}

/** Returns the schema of a field with its description. */
export const describedSchema = ({ schema, about }: AnyField): JsonSchema => {
  if (about === null) return schema
  return { ...schema, description: schema.description === undefined ? about : `${about}. ${schema.description}` }
}

const propertiesOf = ({ names, field }: Entry): readonly (readonly [string, JsonSchema])[] => {
  if (names.length > 0) return names.map((name) => [name, describedSchema(field)] as const)
  return Object.entries((field.schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>)
}

const requiredOf = ({ names: [name, ...others], field }: Entry): readonly string[] => {
  if (name === undefined) return (field.schema.required ?? []) as readonly string[]
  return field.isOptional || others.length > 0 ? [] : [name]
}

const conditionsOf = ({ names, field }: Entry): readonly JsonSchema[] => {
  if (names.length === 0) return Array.isArray(field.schema.allOf) ? (field.schema.allOf as readonly JsonSchema[]) : []
  return field.isOptional || names.length === 1 ? [] : [{ anyOf: names.map((name) => ({ required: [name] })) }]
}

const schemaOfEntries = (entries: readonly Entry[]): JsonSchema => {
  const conditions = entries.flatMap(conditionsOf)
  return {
    ...objectSchema(Object.fromEntries(entries.flatMap(propertiesOf)), entries.flatMap(requiredOf)),
    ...(conditions.length > 0 && { allOf: conditions }),
  }
}

/**
 * The io-ts types of stored fields, in the program's format. Only the type of a value is checked: the rules of a field
 * may have changed since the record was written.
 */
export const storedTypes = <F extends Fields>(fields: F): { readonly [K in keyof F]: t.Type<t.TypeOf<F[K]>> } =>
  Object.fromEntries(Object.entries(fields).map(([key, each]) => [key, storedType(each)])) as {
    readonly [K in keyof F]: t.Type<t.TypeOf<F[K]>>
  }

const storedType = ({ name, is }: AnyField): t.Mixed => new ValueType(name, is)

import { type Issue, issue } from '../../failure.ts'
import { type Either, isLeft, left, right, t } from '../../fp.ts'
import type { Json } from '../records/collection.ts'

/** What reading an input gives: every issue it has, with paths that begin at the value itself (`''`). */
export type Read<A, I extends string = InputCode> = Either<readonly Issue<I>[], A>

/** What is said of a field where it is declared. */
export interface About {
  /** What it is, in Portuguese: its description in the documentation. */
  readonly about?: string
  /** Its name on the wire, where it is not what the dialect makes of its name in the program. */
  readonly wire?: string
  /** Further names under which it may be sent; its issues are named by its own. */
  readonly also?: readonly string[]
}

interface FieldFacts {
  readonly schema: JsonSchema
  /** Whether it may be left out of its object. */
  readonly absent: boolean
  readonly also: readonly string[]
  readonly wire: string | null
  readonly about: string | null
  /** The fields within it, where it is an object or a list of objects. */
  readonly within: Readonly<Record<string, AnyField>> | null
  /** Its fields stand in its parent on the wire. */
  readonly inline: boolean
}

/**
 * An io-ts type for an input: it knows its JSON Schema, and its issues are stable codes with their numbers. `A` is what
 * it reads, `G` what a program may give for it, `I` the rules that it knows. As declared it is of a wire that names fields as the program does.
 */
export interface Field<A, G = A, I extends string = InputCode> extends t.Type<A, unknown, unknown>, FieldFacts {
  /** Of types alone. */
  readonly _G: G
  /** Reads what was sent; undefined is what was not. */
  read(value: unknown): Read<A, I>
  /** The same field as one side speaks of it: reais on the wire, cents in a program. */
  on(side: Side): Field<A, G, I>
}

/** Fields of every type side by side. */
export interface AnyField extends t.Mixed, FieldFacts {
  readonly _G: unknown
  read(value: unknown): Read<unknown, string>
  on(side: Side): AnyField
}

/** What makes a field: how it reads a value that is there and not null, and how it would be sent again. */
export interface FieldSpec<A, I extends string = InputCode> {
  readonly name: string
  readonly schema: JsonSchema
  readonly is: (value: unknown) => value is A
  readonly read: (value: unknown) => Read<A, I>
  readonly encode?: (value: A) => unknown
}

/** A value that breaks one rule. */
export const wrong = <const C extends string>(code: C, params?: Issue['params']): Either<readonly Issue<C>[], never> =>
  left([issue('', code, params)])

/** The same issue, seen from one level up. */
export const under = <I extends string>(key: string | number, { path, ...rest }: Issue<I>): Issue<I> => ({
  ...rest,
  path: path === '' ? `${key}` : `${key}.${path}`,
})

const PLAIN = { absent: false, also: [], wire: null, about: null, within: null, inline: false } as const

/** What makes a field, beside how it reads. */
export interface Making<A, G, I extends string> extends Partial<Omit<FieldFacts, 'schema'>> {
  /** Where the sides differ; a field that says nothing is the same on each. */
  readonly on?: (side: Side) => Field<A, G, I>
}

/** A field that takes whatever it is sent, absence and null included. */
export const anyField = <A, G = A, I extends string = InputCode>(
  spec: FieldSpec<A, I>,
  { on, ...facts }: Making<A, G, I> = {},
): Field<A, G, I> => {
  const validate = (value: unknown, context: t.Context): t.Validation<A> => {
    const got = spec.read(value)
    if (!isLeft(got)) return got
    return left(
      got.left.map(({ path, code }) => ({
        value,
        context: path === '' ? context : t.appendContext(context, path, type),
        message: code,
      })),
    )
  }
  const type = new t.Type<A, unknown, unknown>(spec.name, spec.is, validate, spec.encode ?? t.identity)
  const { schema, read } = spec
  const made: Field<A, G, I> = Object.assign(type, {
    schema,
    ...PLAIN,
    ...facts,
    read,
    on: on ?? (() => made),
    ...TYPES,
  })
  return made
}

const TYPES = { _G: undefined as never }

/** A field that must be there. Fails: `required` when it is absent or null. */
export const field = <A, G = A, I extends string = never>(
  spec: FieldSpec<A, I | 'required'>,
  making: Making<A, G, I | 'required'> = {},
): Field<A, G, I | 'required'> =>
  anyField(
    { ...spec, read: (value) => (value === undefined || value === null ? wrong('required') : spec.read(value)) },
    making,
  )

/** What a field made of another one is called as well, and has within. */
const factsOf = ({ also, wire, about, within, inline }: AnyField) => ({ also, wire, about, within, inline })

/** The same made of a field on each side. */
const lifted = <A, G, I extends string, O>(inner: Field<A, G, I>, make: (inner: Field<A, G, I>) => O) => ({
  on: (side: Side): O => make(inner.on(side)),
})

/** May be left out; null and blank texts are still refused, since they would clear what cannot be empty. */
export const optional = <A, G, I extends string>(inner: Field<A, G, I>): Field<A | undefined, G | undefined, I> =>
  anyField<A | undefined, G | undefined, I>(
    {
      name: `optional ${inner.name}`,
      schema: inner.schema,
      is: (value): value is A | undefined => value === undefined || inner.is(value),
      read: (value) => (value === undefined ? right(undefined) : inner.read(value)),
      encode: (value) => (value === undefined ? undefined : inner.encode(value)),
    },
    { ...factsOf(inner), absent: true, ...lifted(inner, optional) },
  )

/** Must be there and may be null; a blank text is null too. */
export const nullable = <A, G, I extends string>(inner: Field<A, G, I>): Field<A | null, G | null, I> =>
  anyField<A | null, G | null, I>(
    {
      name: `nullable ${inner.name}`,
      schema: withNull(inner.schema),
      is: (value): value is A | null => value === null || inner.is(value),
      read: (value) => {
        if (value === null) return right(null)
        const got = inner.read(value)
        return value !== undefined && isLeft(got) && isMissing(got.left) ? right(null) : got
      },
      encode: (value) => (value === null ? null : inner.encode(value)),
    },
    { ...factsOf(inner), absent: inner.absent, ...lifted(inner, nullable) },
  )

const isMissing = (issues: readonly Issue[]): boolean => issues[0]?.code === 'required' && issues[0].path === ''

/** May be left out (undefined: as it was) or be null or blank (null: cleared): a clearable field of a PUT. */
export const orNull = <A, G, I extends string>(
  inner: Field<A, G, I>,
): Field<A | null | undefined, G | null | undefined, I> => optional(nullable(inner))

const isThere = <A>(value: A): value is Exclude<A, undefined> => value !== undefined

/** Must be there, though the inner field may be left out (a filter of a query). Fails: `required`. */
export const required = <A, G, I extends string>(
  inner: Field<A, G, I>,
): Field<Exclude<A, undefined>, Exclude<G, undefined>, I | 'required'> =>
  there<A, G, Exclude<G, undefined>, I | 'required'>(inner, () => wrong('required'), inner.schema, {
    absent: false,
    ...lifted(inner, required),
  })

/** May be left out: `value` stands for it then. */
export const withDefault = <A, G, I extends string>(
  inner: Field<A, G, I>,
  value: Exclude<A, undefined>,
): Field<Exclude<A, undefined>, G | undefined, I> =>
  there<A | undefined, G | undefined, G | undefined, I>(
    optional(inner),
    () => right(value),
    { ...inner.schema, default: usualOf(inner, value) },
    { absent: true, on: (side) => withDefault(inner.on(side), value) },
  )

/** A query says its numbers and flags in texts; a schema has them as they are. */
const usualOf = <A, G, I extends string>(inner: Field<A, G, I>, value: A): Json => {
  const said: unknown = inner.encode(value)
  return (typeof said === 'string' && typeof value !== 'string' ? value : said) as Json
}

const there = <A, G, H, I extends string>(
  inner: Field<A, G, I>,
  otherwise: () => Read<Exclude<A, undefined>, I>,
  schema: JsonSchema,
  making: Making<Exclude<A, undefined>, H, I>,
): Field<Exclude<A, undefined>, H, I> =>
  anyField<Exclude<A, undefined>, H, I>(
    {
      name: inner.name,
      schema,
      is: (value): value is Exclude<A, undefined> => value !== undefined && inner.is(value),
      read: (sent) => {
        const got = inner.read(sent)
        if (isLeft(got)) return got
        return isThere(got.right) ? right(got.right) : otherwise()
      },
      encode: inner.encode,
    },
    { ...factsOf(inner), ...making },
  )

/** Null when it is left out, null or blank: an optional field of a POST, or of a PUT that replaces everything. */
export const nullIfAbsent = <A, G, I extends string>(
  inner: Field<A, G, I>,
): Field<A | null, G | null | undefined, I> => {
  const orNothing = nullable(inner)
  const read = (value: unknown) => (value === undefined ? right(null) : orNothing.read(value))
  return anyField<A | null, G | null | undefined, I>(
    { ...orNothing, read },
    { ...factsOf(inner), absent: true, ...lifted(inner, nullIfAbsent) },
  )
}

/** May also be sent under other names (`{ value: alsoAs(reais({…}), 'amount') }`); the first one sent counts. */
export const alsoAs = <A, G, I extends string>(inner: Field<A, G, I>, ...names: readonly string[]): Field<A, G, I> =>
  anyField<A, G, I>(inner, {
    ...factsOf(inner),
    absent: inner.absent,
    also: names,
    on: (side) => alsoAs(inner.on(side), ...names),
  })

type ListCode = 'required' | 'list' | 'list.min' | 'list.max'

/** A list of at most `max` items. Fails: `list`, `list.min`, `list.max`, and those of its items (`2.label`). */
export const list = <A, G, I extends string>(
  item: Field<A, G, I>,
  { min = 0, max, ...about }: { readonly min?: number; readonly max: number } & About,
): Field<readonly A[], readonly G[], I | ListCode> =>
  anyField<readonly A[], readonly G[], I | ListCode>(
    {
      name: `list of ${item.name}`,
      schema: { type: 'array', items: item.schema, minItems: min, maxItems: max },
      is: (value): value is readonly A[] => Array.isArray(value) && value.every(item.is),
      read: (value) => {
        if (value === undefined || value === null) return wrong('required')
        if (!Array.isArray(value)) return wrong('list')
        if (value.length < min) return wrong('list.min', { min })
        if (value.length > max) return wrong('list.max', { max })
        const reads = Array.from(value, (sent) => item.read(sent))
        const issues = reads.flatMap((got, index) => (isLeft(got) ? got.left.map((each) => under(index, each)) : []))
        return issues.length > 0 ? left(issues) : right(reads.flatMap((got) => (isLeft(got) ? [] : [got.right])))
      },
      encode: (items) => items.map(item.encode),
    },
    { ...about, within: item.within, on: (side) => list(item.on(side), { min, max, ...about }) },
  )

/** The rules of the kernel's own fields: whoever words issues names them all. */
export type InputCode =
  | 'required'
  | 'repeated'
  | 'operator'
  | 'object'
  | 'list'
  | 'list.min'
  | 'list.max'
  | 'flag'
  | 'one-of'
  | 'integer'
  | 'integer.min'
  | 'integer.max'
  | 'number'
  | 'number.min'
  | 'number.max'
  | 'number.decimals'
  | 'money'
  | 'money.min'
  | 'money.max'
  | 'money.decimals'
  | 'text'
  | 'text.malformed'
  | 'text.line'
  | 'text.direction'
  | 'text.invisible'
  | 'text.min'
  | 'text.max'
  | 'digits'
  | 'email'
  | 'url'
  | 'document'
  | 'guid'
  | 'day'
  | 'month'
  | 'instant'
  | 'json'
  | 'json.depth'
  | 'json.bytes'
  | 'json.number'
  | 'json.key'

/** The rules across the fields of an input. */
export type RuleCode = 'required' | 'only-one' | 'same-as' | 'not-before'

/** By whose names and in whose values a field is spoken of: those of a program, or those of the wire of an API. */
export interface Side {
  readonly is: 'program' | 'wire'
  /** What this side calls a field that has no wire name of its own. */
  readonly nameOf: (key: string) => string
}

const asItStands = (key: string): string => key

/** What embedders write and records keep: `valueCents`, integer cents. */
export const PROGRAM: Side = { is: 'program', nameOf: asItStands }

/** A wire that names its fields as the program does. */
export const CAMEL_CASE: Side = { is: 'wire', nameOf: asItStands }

/** A wire of `due_date`. */
export const SNAKE_CASE: Side = {
  is: 'wire',
  nameOf: (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
}

/** One thing made for each side, when it is first asked for. */
export const perSide = <A>(make: (side: Side) => A): ((side: Side) => A) => {
  const made = new Map<Side, A>()
  return (side) => {
    const known = made.get(side)
    if (known !== undefined) return known
    const fresh = make(side)
    made.set(side, fresh)
    return fresh
  }
}

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = { readonly [keyword: string]: Json }

/** The schema of a value that may also be null. */
export const withNull = (schema: JsonSchema): JsonSchema => {
  const { type, enum: values } = schema
  if (Object.keys(schema).length === 0) return schema
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] }
  return {
    ...schema,
    type: [...new Set([type, 'null'].flat())],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  }
}

/** The schema of an object with these properties. */
export const objectSchema = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema => ({ type: 'object', properties, ...(required.length > 0 ? { required } : {}) })

/** The schema of a closed list of values, all of one type or of several. */
export const enumSchema = (values: readonly (string | number | boolean)[]): JsonSchema => {
  const [type, ...others] = new Set(values.map((value) => (Number.isInteger(value) ? 'integer' : typeof value)))
  return type && others.length === 0 ? { type, enum: values } : { enum: values }
}

/** A schema with the name that its document says it by; without one it stands wherever it is. */
export const titled = (schema: JsonSchema, name: string | null): JsonSchema =>
  name === null ? schema : { title: name, ...schema }

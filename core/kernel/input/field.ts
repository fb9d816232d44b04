import { type Either, type Issue, isLeft, issue, left, right } from '../../failure.ts'
import { type Json, t } from '../records/record.ts'

/** The decoded value, or every issue found, with its path from the value that was read (`''` is the value itself). */
export type ReadResult<A, I extends string = InputCode> = Either<readonly Issue<I>[], A>

/** Documentation and wire names of a field, set where it is declared. */
export interface FieldOptions {
  /** The description in the API documentation, in Portuguese. */
  readonly about?: string
  /** The wire name, if it differs from the one that the wire format derives from the program's name. */
  readonly wire?: string
  /** Other wire names that are accepted. Issues carry the field's own name. */
  readonly aliases?: readonly string[]
}

interface FieldFacts {
  readonly schema: JsonSchema
  /** True if the object may omit the field. */
  readonly isOptional: boolean
  readonly aliases: readonly string[]
  readonly wire: string | null
  readonly about: string | null
  /** The fields of an object, or of the objects in a list. */
  readonly nested: Readonly<Record<string, AnyField>> | null
  /** True if the wire format has the nested fields directly in the parent object. */
  readonly isInline: boolean
}

/**
 * An io-ts type with a JSON Schema, whose issues are stable error codes with parameters. `A` is the decoded type, `G`
 * the type that a program may pass, `I` the error codes. A field is declared in the camel-case wire format; `on`
 * converts it.
 */
export interface Field<A, G = A, I extends string = InputCode> extends t.Type<A, unknown, unknown>, FieldFacts {
  /** Exists only in the types: carries `G`. */
  readonly _G: G
  /** Decodes a value; undefined means that it was not sent. */
  read(value: unknown): ReadResult<A, I>
  /** Returns the field in the format of one side: money is reais on the wire and cents in a program. */
  on(side: Side): Field<A, G, I>
}

export interface AnyField extends t.Mixed, FieldFacts {
  readonly _G: unknown
  read(value: unknown): ReadResult<unknown, string>
  on(side: Side): AnyField
}

/** The decoder of values that are present and not null, and the encoder of decoded values. */
export interface FieldSpec<A, I extends string = InputCode> {
  readonly name: string
  readonly schema: JsonSchema
  readonly is: (value: unknown) => value is A
  readonly read: (value: unknown) => ReadResult<A, I>
  readonly encode?: (value: A) => unknown
}

/** Fails with one issue on the value itself. */
export const reject = <const C extends string>(code: C, params?: Issue['params']): Either<readonly Issue<C>[], never> =>
  left([issue('', code, params)])

/** Returns the issue with its path prefixed by a key. */
export const underKey = <I extends string>(key: string | number, { path, ...rest }: Issue<I>): Issue<I> => ({
  ...rest,
  path: path === '' ? `${key}` : `${key}.${path}`,
})

const DEFAULT_FACTS = {
  isOptional: false,
  aliases: [],
  wire: null,
  about: null,
  nested: null,
  isInline: false,
} as const

/** The properties of a field other than its decoding. */
export interface FieldExtras<A, G, I extends string> extends Partial<Omit<FieldFacts, 'schema'>> {
  /** The field on each side; without it, the field is the same on both. */
  readonly on?: (side: Side) => Field<A, G, I>
}

/** Makes a field whose `read` also receives undefined and null. */
export const anyField = <A, G = A, I extends string = InputCode>(
  spec: FieldSpec<A, I>,
  { on, ...facts }: FieldExtras<A, G, I> = {},
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
    ...DEFAULT_FACTS,
    ...facts,
    read,
    on: on ?? (() => made),
    _G: undefined as never,
  })
  return made
}

/** Makes a required field. Fails: `required` if the value is undefined or null. */
export const field = <A, G = A, I extends string = never>(
  spec: FieldSpec<A, I | 'required'>,
  extras: FieldExtras<A, G, I | 'required'> = {},
): Field<A, G, I | 'required'> =>
  anyField(
    { ...spec, read: (value) => (value === undefined || value === null ? reject('required') : spec.read(value)) },
    extras,
  )

/**
 * Makes a field of a text that is converted after its own checks. Fails: as `inner` does, and `code` if `convert`
 * returns null.
 */
export const convertedText = <I extends string>(
  name: string,
  { schema, is, read }: Field<string>,
  convert: (text: string) => string | null,
  code: I,
  about: FieldOptions,
): Field<string, string, InputCode | I> =>
  field<string, string, InputCode | I>(
    {
      name,
      schema,
      is,
      read: (sent) => {
        const text = read(sent)
        if (isLeft(text)) return text
        const converted = convert(text.right)
        return converted === null ? reject<InputCode | I>(code) : right(converted)
      },
    },
    about,
  )

const inheritedFacts = ({ aliases, wire, about, nested, isInline }: AnyField) => ({
  aliases,
  wire,
  about,
  nested,
  isInline,
})

const onEachSide = <A, G, I extends string, O>(inner: Field<A, G, I>, make: (inner: Field<A, G, I>) => O) => ({
  on: (side: Side): O => make(inner.on(side)),
})

/** Makes a field optional. Null and blank texts are still refused: they would clear a field that cannot be empty. */
export const optional = <A, G, I extends string>(inner: Field<A, G, I>): Field<A | undefined, G | undefined, I> =>
  anyField<A | undefined, G | undefined, I>(
    {
      name: `optional ${inner.name}`,
      schema: inner.schema,
      is: (value): value is A | undefined => value === undefined || inner.is(value),
      read: (value) => (value === undefined ? ABSENT : inner.read(value)),
      encode: (value) => (value === undefined ? undefined : inner.encode(value)),
    },
    { isOptional: true, ...inheritedFacts(inner), ...onEachSide(inner, optional) },
  )

/** Makes a required field accept null; a blank text decodes to null. */
export const nullable = <A, G, I extends string>(inner: Field<A, G, I>): Field<A | null, G | null, I> =>
  anyField<A | null, G | null, I>(
    {
      name: `nullable ${inner.name}`,
      schema: nullableSchema(inner.schema),
      is: (value): value is A | null => value === null || inner.is(value),
      read: (value) => {
        if (value === null) return NULL
        const got = inner.read(value)
        return value !== undefined && isLeft(got) && isMissing(got.left) ? NULL : got
      },
      encode: (value) => (value === null ? null : inner.encode(value)),
    },
    { isOptional: inner.isOptional, ...inheritedFacts(inner), ...onEachSide(inner, nullable) },
  )

/** The results without a value: most fields of an input are absent. */
export const ABSENT = right(undefined)
const NULL = right(null)

const isMissing = (issues: readonly Issue[]): boolean => issues[0]?.code === 'required' && issues[0].path === ''

/** Makes a field optional and nullable: undefined keeps the stored value, null or a blank text clears it. */
export const clearable = <A, G, I extends string>(
  inner: Field<A, G, I>,
): Field<A | null | undefined, G | null | undefined, I> => optional(nullable(inner))

const isPresent = <A>(got: { readonly right: A }): got is { readonly right: Exclude<A, undefined> } =>
  got.right !== undefined

/** Makes an optional field required, such as a filter of a query. Fails: `required`. */
export const required = <A, G, I extends string>(
  inner: Field<A, G, I>,
): Field<Exclude<A, undefined>, Exclude<G, undefined>, I | 'required'> =>
  withoutUndefined<A, G, Exclude<G, undefined>, I | 'required'>(inner, () => reject('required'), inner.schema, {
    isOptional: false,
    ...onEachSide(inner, required),
  })

/** Makes a field optional with a default value. */
export const withDefault = <A, G, I extends string>(
  inner: Field<A, G, I>,
  value: Exclude<A, undefined>,
): Field<Exclude<A, undefined>, G | undefined, I> =>
  withoutUndefined<A | undefined, G | undefined, G | undefined, I>(
    optional(inner),
    () => right(value),
    { ...inner.schema, default: schemaDefault(inner, value) },
    { isOptional: true, on: (side) => withDefault(inner.on(side), value) },
  )

/** A query encodes numbers and booleans as texts; the default in its schema is the number or boolean. */
const schemaDefault = <A, G, I extends string>(inner: Field<A, G, I>, value: A): Json => {
  const encoded: unknown = inner.encode(value)
  return (typeof encoded === 'string' && typeof value !== 'string' ? value : encoded) as Json
}

const withoutUndefined = <A, G, H, I extends string>(
  inner: Field<A, G, I>,
  otherwise: () => ReadResult<Exclude<A, undefined>, I>,
  schema: JsonSchema,
  extras: FieldExtras<Exclude<A, undefined>, H, I>,
): Field<Exclude<A, undefined>, H, I> =>
  anyField<Exclude<A, undefined>, H, I>(
    {
      name: inner.name,
      schema,
      is: (value): value is Exclude<A, undefined> => value !== undefined && inner.is(value),
      read: (sent) => {
        const got = inner.read(sent)
        if (isLeft(got)) return got
        return isPresent(got) ? got : otherwise()
      },
      encode: inner.encode,
    },
    { ...inheritedFacts(inner), ...extras },
  )

/** Decodes a missing field, null and a blank text to null: for a POST, or a PUT that replaces the whole record. */
export const nullIfAbsent = <A, G, I extends string>(
  inner: Field<A, G, I>,
): Field<A | null, G | null | undefined, I> => {
  const orNull = nullable(inner)
  const read = (value: unknown) => (value === undefined ? NULL : orNull.read(value))
  return anyField<A | null, G | null | undefined, I>(
    { ...orNull, read },
    { isOptional: true, ...inheritedFacts(inner), ...onEachSide(inner, nullIfAbsent) },
  )
}

type ListCode = 'required' | 'list' | 'list.min' | 'list.max'

/**
 * A list of at most `max` items. Fails: `list`, `list.min`, `list.max`, and the codes of its items (path `2.label`).
 */
export const list = <A, G, I extends string>(
  item: Field<A, G, I>,
  { min = 0, max, ...about }: { readonly min?: number; readonly max: number } & FieldOptions,
): Field<readonly A[], readonly G[], I | ListCode> =>
  anyField<readonly A[], readonly G[], I | ListCode>(
    {
      name: `list of ${item.name}`,
      schema: { type: 'array', items: item.schema, minItems: min, maxItems: max },
      is: (value): value is readonly A[] => Array.isArray(value) && value.every(item.is),
      read: (value) => {
        if (value === undefined || value === null) return reject('required')
        if (!Array.isArray(value)) return reject('list')
        if (value.length < min) return reject('list.min', { min })
        if (value.length > max) return reject('list.max', { max })
        const reads = Array.from(value, (sent) => item.read(sent))
        const issues = reads.flatMap((got, index) => (isLeft(got) ? got.left.map((each) => underKey(index, each)) : []))
        return issues.length > 0 ? left(issues) : right(reads.flatMap((got) => (isLeft(got) ? [] : [got.right])))
      },
      encode: (items) => items.map(item.encode),
    },
    { ...about, nested: item.nested, on: (side) => list(item.on(side), { min, max, ...about }) },
  )

/** The error codes of the fields in this folder. */
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

/** The error codes of the rules across several fields. */
export type RuleCode = 'required' | 'only-one' | 'same-as' | 'not-before'

/**
 * One side of the boundary between the program and an API's wire format: it decides the names and formats of fields.
 */
export interface Side {
  readonly is: 'program' | 'wire'
  /** Returns the name of a field that declares no wire name. */
  readonly nameOf: (key: string) => string
}

const sameName = (key: string): string => key

/** Names and values of embedders and stored records: `valueCents`, integer cents. */
export const PROGRAM: Side = { is: 'program', nameOf: sameName }

/** A wire format with camel-case names: `dueDate`. */
export const CAMEL_CASE: Side = { is: 'wire', nameOf: sameName }

/** A wire format with snake-case names: `due_date`. */
export const SNAKE_CASE: Side = {
  is: 'wire',
  nameOf: (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
}

/** Chooses a field by side. */
export const bySide =
  <F>(program: () => F, wire: () => F) =>
  ({ is }: Side): F =>
    is === 'program' ? program() : wire()

/** Calls `make` once for each side, on first use. */
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

/** A JSON Schema of draft 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = { readonly [keyword: string]: Json }

const nullableSchema = (schema: JsonSchema): JsonSchema => {
  const { type, enum: values } = schema
  if (Object.keys(schema).length === 0) return schema
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] }
  return {
    ...schema,
    type: [...new Set([type, 'null'].flat())],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  }
}

export const objectSchema = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema => ({ type: 'object', properties, ...(required.length > 0 ? { required } : {}) })

/** Returns the schema of a closed list of values, of one type or of several. */
export const enumSchema = (values: readonly (string | number | boolean)[]): JsonSchema => {
  const [type, ...others] = new Set(values.map((value) => (Number.isInteger(value) ? 'integer' : typeof value)))
  return type && others.length === 0 ? { type, enum: values } : { enum: values }
}

/** Returns the schema with its name in the OpenAPI document; an unnamed schema is written inline. */
export const withTitle = (schema: JsonSchema, name: string | null): JsonSchema =>
  name === null ? schema : { title: name, ...schema }

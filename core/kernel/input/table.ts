import type { Issue } from '../../failure.ts'
import { type Either, isLeft } from '../../fp.ts'
import { t } from '../records/record.ts'
import { type AnyField, type Field, type JsonSchema, objectSchema, type Side, underKey } from './field.ts'

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

/** Returns the table with these fields alone. */
export const pick = <F extends Fields, K extends keyof F & string>(fields: F, ...keys: readonly K[]): Pick<F, K> =>
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

/** Returns the table with the names, fields and schema of one side. */
export const tableOn = (fields: Fields, side: Side): Table => {
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
export const readEntries = (entries: readonly Entry[], sent: RawObject) => {
  const decoded: Record<string, unknown> = {}
  const issues: Issue[] = []
  const failed = new Set<string>()
  for (const { key, names, field } of entries) {
    const [name] = names
    const got: Either<readonly Issue[], unknown> = field.read(name === undefined ? sent : firstOwn(sent, names))
    if (isLeft(got)) {
      failed.add(key)
      issues.push(...(name === undefined ? got.left : got.left.map((each) => underKey(name, each))))
    } else if (got.right !== undefined) decoded[key] = got.right
  }
  return { decoded, issues, failed }
}

/** Encodes the values of fields for one side; undefined values are omitted. */
export const encodeEntries = (entries: readonly Entry[], value: unknown): RawObject => {
  const sent: Record<string, unknown> = {}
  for (const {
    key,
    names: [name],
    field,
  } of entries) {
    const part = isObject(value) ? field.encode(firstOwn(value, [key])) : undefined
    if (name === undefined) Object.assign(sent, part)
    else if (part !== undefined) sent[name] = part
  }
  return sent
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

const storedType = ({ name, is }: AnyField): t.Mixed =>
  new t.Type(name, is, (value, context) => (is(value) ? t.success(value) : t.failure(value, context)), t.identity)

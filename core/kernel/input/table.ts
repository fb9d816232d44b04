import type { Issue } from '../../failure.ts'
import { type Either, isLeft, t } from '../../fp.ts'
import { type AnyField, type Field, type JsonSchema, objectSchema, type Side, under } from './field.ts'

/** A table of fields, by their names in a program. */
export type Fields = Readonly<Record<string, AnyField>>

type Flat<A> = { [K in keyof A]: A[K] }

type LeftOut<F extends Fields> = { [K in keyof F]: undefined extends t.TypeOf<F[K]> ? K : never }[keyof F]

/** What fields decode to. What was left out is left out of it too, so that it can be spread over a record. */
export type Decoded<F extends Fields> = Flat<
  { readonly [K in Exclude<keyof F, LeftOut<F>>]: t.TypeOf<F[K]> } & {
    readonly [K in LeftOut<F>]?: Exclude<t.TypeOf<F[K]>, undefined>
  }
>

type MayBeAbsent<F extends Fields> = { [K in keyof F]: undefined extends F[K]['_G'] ? K : never }[keyof F]

/** What a program gives for fields: what has a meaning when it is left out may be left out. */
export type Given<F extends Fields> = Flat<
  { readonly [K in Exclude<keyof F, MayBeAbsent<F>>]: F[K]['_G'] } & {
    readonly [K in MayBeAbsent<F>]?: F[K]['_G']
  }
>

/** The rules that the fields of a table know. */
export type IssuesOf<F extends Fields> = {
  [K in keyof F]: F[K] extends Field<infer _A, infer _G, infer I> ? I : string
}[keyof F]

/** Some fields of a table. */
export const pick = <F extends Fields, K extends keyof F & string>(fields: F, ...keys: readonly K[]): Pick<F, K> =>
  Object.fromEntries(keys.map((key) => [key, fields[key]])) as Pick<F, K>

/** Every name under which one of these fields may be sent. */
export const namesOf = (fields: Fields): ReadonlySet<string> =>
  new Set(Object.entries(fields).flatMap(([key, { also }]) => [key, ...also]))

/** A field of a table as one side sees it. */
interface Entry {
  readonly key: string
  /** All the names under which it may be sent, its own first; none where its fields stand in the parent. */
  readonly names: readonly string[]
  readonly field: AnyField
}

/** A table as one side sees it. */
interface Table {
  readonly entries: readonly Entry[]
  /** Its fields by the names of the side, those of inline groups among them. */
  readonly fields: Fields
  readonly schema: JsonSchema
  /** A path of the program's names by the side's. */
  pathOf(path: string): string
}

export type Sent = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Sent =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The first of the names that was sent; what an object inherits was not. */
export const own = (sent: Sent, names: readonly string[]): unknown => {
  for (const name of names) if (Object.hasOwn(sent, name) && sent[name] !== undefined) return sent[name]
  return undefined
}

const isFlat = (field: AnyField, side: Side): boolean => field.inline && side.is === 'wire'

const nameOn = (key: string, field: AnyField, side: Side): string =>
  side.is === 'program' ? key : (field.wire ?? side.nameOf(key))

const entryOf = (key: string, field: AnyField, side: Side): Entry => ({
  key,
  names: isFlat(field, side) ? [] : [nameOn(key, field, side), ...(side.is === 'program' ? [] : field.also)],
  field: field.on(side),
})

/** The table of a side: what it reads, by which names, and how it is documented. */
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
  name === undefined ? Object.entries(tableOn(field.within ?? {}, side).fields) : [[name, field]]

const pathOn = (fields: Fields | null, [key, ...rest]: readonly string[], side: Side): readonly string[] => {
  if (key === undefined) return []
  const field = fields && Object.hasOwn(fields, key) ? fields[key] : undefined
  // The place in a list is no name: the item's fields follow.
  if (!field) return [/^\d+$/.test(key) ? key : side.nameOf(key), ...pathOn(fields, rest, side)]
  return [...(isFlat(field, side) ? [] : [nameOn(key, field, side)]), ...pathOn(field.within, rest, side)]
}

/** What an object has for each field, and every issue. */
export const readEntries = (entries: readonly Entry[], sent: Sent) => {
  const decoded: Record<string, unknown> = {}
  const issues: Issue[] = []
  const failed = new Set<string>()
  for (const { key, names, field } of entries) {
    const [name] = names
    const got: Either<readonly Issue[], unknown> = field.read(name === undefined ? sent : own(sent, names))
    if (isLeft(got)) {
      failed.add(key)
      issues.push(...(name === undefined ? got.left : got.left.map((each) => under(name, each))))
    } else if (got.right !== undefined) decoded[key] = got.right
  }
  return { decoded, issues, failed }
}

/** What a program has for fields, as a side is told of it; what is undefined is left out. */
export const encodedEntries = (entries: readonly Entry[], value: unknown): Sent => {
  const sent: Record<string, unknown> = {}
  for (const {
    key,
    names: [name],
    field,
  } of entries) {
    const part = isObject(value) ? field.encode(own(value, [key])) : undefined
    if (name === undefined) Object.assign(sent, part)
    else if (part !== undefined) sent[name] = part
  }
  return sent
}

/** The schema of a field with what is said of it. */
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
  return field.absent || others.length > 0 ? [] : [name]
}

const conditionsOf = ({ names, field }: Entry): readonly JsonSchema[] => {
  if (names.length === 0) return Array.isArray(field.schema.allOf) ? (field.schema.allOf as readonly JsonSchema[]) : []
  return field.absent || names.length === 1 ? [] : [{ anyOf: names.map((name) => ({ required: [name] })) }]
}

const schemaOfEntries = (entries: readonly Entry[]): JsonSchema => {
  const conditions = entries.flatMap(conditionsOf)
  return {
    ...objectSchema(Object.fromEntries(entries.flatMap(propertiesOf)), entries.flatMap(requiredOf)),
    ...(conditions.length > 0 && { allOf: conditions }),
  }
}

/**
 * The fields of a table as a record keeps them: as a program has them. Only their kind is checked, since their rules may
 * have been others when a record was written.
 */
export const stored = <F extends Fields>(fields: F): { readonly [K in keyof F]: t.Type<t.TypeOf<F[K]>> } =>
  Object.fromEntries(Object.entries(fields).map(([key, each]) => [key, storedField(each)])) as {
    readonly [K in keyof F]: t.Type<t.TypeOf<F[K]>>
  }

const storedField = ({ name, is }: AnyField): t.Mixed =>
  new t.Type(name, is, (value, context) => (is(value) ? t.success(value) : t.failure(value, context)), t.identity)

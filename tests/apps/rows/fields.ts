import type { AnyRow } from '../../../apps/http/rows/row.ts'
import type { AnyField, JsonSchema } from '../../../core/kernel/input/field.ts'

/** A field of a body or query, or one within an object of it. */
export interface Leaf {
  readonly path: readonly string[]
  /** Its path as failures name it: `payer.document`. */
  readonly name: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
  /** Of the field itself, or of the one of the body that it is within. */
  readonly root: AnyField
  /** Only of a field that stands by itself. */
  readonly codec: AnyField | null
}

type Properties = Readonly<Record<string, JsonSchema>>

const within = (root: AnyField, schema: JsonSchema, path: readonly string[]): readonly Leaf[] => {
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries((schema.properties ?? {}) as Properties).flatMap(([key, inner]) => {
    const own = [...path, key]
    const isRequired = required.includes(key)
    return [
      { path: own, name: own.join('.'), schema: inner, isRequired, root, codec: null },
      ...within(root, inner, own),
    ]
  })
}

const leavesOf = (fields: Readonly<Record<string, AnyField>> = {}): readonly Leaf[] =>
  Object.entries(fields).flatMap(([key, codec]) => [
    { path: [key], name: key, schema: codec.schema, isRequired: !codec.isOptional, root: codec, codec },
    ...within(codec, codec.schema, [key]),
  ])

export const bodyLeaves = ({ input }: AnyRow): readonly Leaf[] => leavesOf(input.body?.fields)
export const queryLeaves = ({ input }: AnyRow): readonly Leaf[] => leavesOf(input.query?.fields)

/** The JSON types that a schema lets through, integers as numbers; empty where it lets everything through. */
export const typesOf = ({ type, anyOf }: JsonSchema): readonly string[] => {
  if (Array.isArray(anyOf)) return anyOf.flatMap((each) => typesOf(each as JsonSchema))
  return [type].flat().flatMap((each) => (typeof each === 'string' ? [each === 'integer' ? 'number' : each] : []))
}

/** A body with another value at a path; objects on the way are made. */
export const withAt = (
  body: Readonly<Record<string, unknown>>,
  [key = '', ...rest]: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> => {
  const inner = body[key]
  const below = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? { ...inner } : {}
  return { ...body, [key]: rest.length === 0 ? value : withAt(below, rest, value) }
}

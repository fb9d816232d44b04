import type { AnyRow } from '../../../apps/http/rows/row.ts'
import type { AnyField, JsonSchema } from '../../../core/kernel/input/field.ts'

/** A field of a body or query, or of an object in it. */
export interface Leaf {
  readonly path: readonly string[]
  /** The path in failures: `payer.document`. */
  readonly name: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
  /** The field of the body or query that contains it, or the field itself. */
  readonly root: AnyField
  /** Null for a field of an object. */
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

/** Returns the JSON types that a schema accepts, with integers as numbers; empty if it accepts all. */
export const typesOf = ({ type, anyOf }: JsonSchema): readonly string[] => {
  if (Array.isArray(anyOf)) return anyOf.flatMap((each) => typesOf(each as JsonSchema))
  return [type].flat().flatMap((each) => (typeof each === 'string' ? [each === 'integer' ? 'number' : each] : []))
}

/** Returns a body with another value at a path; missing objects are created. */
export const withAt = (
  body: Readonly<Record<string, unknown>>,
  [key = '', ...rest]: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> => {
  const inner = body[key]
  const below = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? { ...inner } : {}
  return { ...body, [key]: rest.length === 0 ? value : withAt(below, rest, value) }
}

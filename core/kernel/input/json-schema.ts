import type { t } from '../../fp.ts'
import type { Json } from '../records/collection.ts'

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = { readonly [keyword: string]: Json }

/** The schema of a value that may also be null. */
export const withNull = (schema: JsonSchema): JsonSchema => {
  const { type, enum: values } = schema
  if (Object.keys(schema).length === 0 || (Array.isArray(type) && type.includes('null'))) return schema
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) }
}

/** The schema of an object with these properties. */
export const objectSchema = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema => ({ type: 'object', properties, ...(required.length > 0 ? { required } : {}) })

/**
 * The JSON Schema of a codec: its own `schema` where it has one, else what its io-ts tags say, walked at run time.
 * Throws on a codec that has neither, so that a route without documentation never starts.
 */
export const schemaOf = (codec: t.Mixed): JsonSchema => {
  if ('schema' in codec) return codec.schema as JsonSchema
  // Each io-ts class says by `_tag` which one it is; the classes are not told apart in their common type.
  const tagged = codec as Tagged
  switch (tagged._tag) {
    case 'StringType':
      return { type: 'string' }
    case 'NumberType':
      return { type: 'number' }
    case 'BooleanType':
      return { type: 'boolean' }
    case 'NullType':
      return { type: 'null' }
    case 'UnknownType':
      return {}
    case 'LiteralType':
      return enumSchema([tagged.value])
    case 'KeyofType':
      return enumSchema(Object.keys(tagged.keys))
    case 'ArrayType':
    case 'ReadonlyArrayType':
      return { type: 'array', items: schemaOf(tagged.type) }
    case 'TupleType':
      return tupleSchema(tagged.types.map(schemaOf))
    case 'DictionaryType':
      return { type: 'object', additionalProperties: schemaOf(tagged.codomain) }
    case 'AnyDictionaryType':
      return { type: 'object' }
    case 'InterfaceType':
      return interfaceSchema(tagged.props)
    case 'PartialType':
      return objectSchema(propertiesOf(tagged.props), [])
    case 'ExactType':
      return { ...schemaOf(tagged.type), additionalProperties: false }
    case 'IntersectionType':
      return tagged.types.map(schemaOf).reduce(merge)
    case 'UnionType':
      return unionSchema(tagged.types)
    case 'RefinementType':
      return tagged.name === 'Int' ? { type: 'integer' } : schemaOf(tagged.type)
    case 'ReadonlyType':
      return schemaOf(tagged.type)
    default:
      throw new TypeError(`no JSON Schema for the codec ${codec.name}`)
  }
}

type Tagged =
  | t.StringType
  | t.NumberType
  | t.BooleanType
  | t.NullType
  | t.UndefinedType
  | t.UnknownType
  | t.LiteralType<string | number | boolean>
  | t.KeyofType<Record<string, unknown>>
  | t.ArrayType<t.Mixed>
  | t.ReadonlyArrayType<t.Mixed>
  | t.TupleType<t.Mixed[]>
  | t.DictionaryType<t.Mixed, t.Mixed>
  | t.AnyDictionaryType
  | t.InterfaceType<t.Props>
  | t.PartialType<t.Props>
  | t.ExactType<t.HasProps>
  | t.IntersectionType<t.Mixed[]>
  | t.UnionType<t.Mixed[]>
  | t.RefinementType<t.Mixed>
  | t.ReadonlyType<t.Mixed>

const tagOf = (codec: t.Mixed): string => (codec as Tagged)._tag

/** The schema of a closed list of values, all of one type or of several. */
export const enumSchema = (values: readonly (string | number | boolean)[]): JsonSchema => {
  const [type, ...others] = new Set(values.map((value) => (Number.isInteger(value) ? 'integer' : typeof value)))
  return type && others.length === 0 ? { type, enum: values } : { enum: values }
}

const tupleSchema = (items: readonly JsonSchema[]): JsonSchema => ({
  type: 'array',
  prefixItems: items,
  minItems: items.length,
  maxItems: items.length,
})

const isUndefined = (codec: t.Mixed): boolean => tagOf(codec) === 'UndefinedType'

const partsOf = (codec: t.Mixed): readonly t.Mixed[] =>
  tagOf(codec) === 'UnionType' ? (codec as t.UnionType<t.Mixed[]>).types : [codec]

const mayBeAbsent = (codec: t.Mixed): boolean =>
  ('absent' in codec && codec.absent === true) || partsOf(codec).some(isUndefined)

const propertiesOf = (props: t.Props): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(props).map(([name, codec]) => [name, schemaOf(codec)]))

const interfaceSchema = (props: t.Props): JsonSchema =>
  objectSchema(
    propertiesOf(props),
    Object.entries(props)
      .filter(([, codec]) => !mayBeAbsent(codec))
      .map(([name]) => name),
  )

const unionSchema = (types: readonly t.Mixed[]): JsonSchema => {
  const parts = types.flatMap(partsOf).filter((part) => !isUndefined(part))
  const schemas = parts.filter((part) => tagOf(part) !== 'NullType').map(schemaOf)
  const values = schemas.map((schema) => schema.enum)
  const [first = { type: 'null' }] = schemas
  const whole = schemas.length < 2 ? first : values.every(isValues) ? enumSchema(values.flat()) : { anyOf: schemas }
  return schemas.length < parts.length && schemas.length > 0 ? withNull(whole) : whole
}

const isValues = (values: Json | undefined): values is string[] => Array.isArray(values) && !values.includes(null)

// Objects become one object, since two closed halves under `allOf` would each refuse what the other has.
const merge = (a: JsonSchema, b: JsonSchema): JsonSchema => {
  if (a.type !== 'object' || b.type !== 'object') return { allOf: [a, b] }
  const { additionalProperties: _, ...open } = { ...a, ...b }
  const required = [...new Set([a.required ?? [], b.required ?? []].flat())]
  return {
    ...open,
    properties: { ...(a.properties as JsonSchema), ...(b.properties as JsonSchema) },
    ...(required.length > 0 && { required }),
    ...(a.additionalProperties === false && b.additionalProperties === false && { additionalProperties: false }),
  }
}

import type { Json } from '../records/collection.ts'

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

import type { JsonSchema } from '../../../core/kernel/input/mod.ts'
import type { Json } from '../../../core/kernel/records/record.ts'

type JsonObject = { readonly [key: string]: Json }
type Kind = 'schemas' | 'responses' | 'headers' | 'parameters'

/** The named parts of a document. Each method adds a part and returns a reference to it. */
export interface Components {
  /** Replaces titled schemas by references. `suffix` is appended to their names in a dialect with other field names. */
  schema(schema: JsonSchema, suffix?: string): JsonSchema
  response(name: string, response: JsonObject): JsonObject
  header(name: string, header: JsonObject): JsonObject
  parameter(name: string, parameter: JsonObject): JsonObject
  all(): Readonly<Partial<Record<Kind, JsonObject>>>
}

/** Keywords whose values contain no schemas. */
const PLAIN = new Set(['default', 'enum', 'required', 'example', 'examples'])

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Throws if two different parts of one kind have the same name. */
export const componentsOf = (): Components => {
  const known: Record<Kind, Record<string, Json>> = { schemas: {}, responses: {}, parameters: {}, headers: {} }
  const pointer = (kind: Kind, name: string, part: Json): JsonObject => {
    const same = known[kind][name]
    if (same !== undefined && JSON.stringify(same) !== JSON.stringify(part))
      throw new Error(`two different ${kind} are named ${name}`)
    known[kind][name] = part
    return { $ref: `#/components/${kind}/${name}` }
  }

  const inner = (value: Json, suffix: string): Json => {
    if (Array.isArray(value)) return value.map((each) => inner(each, suffix))
    return isObject(value) ? schema(value, suffix) : value
  }

  const properties = (values: JsonObject, suffix: string): JsonObject =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, inner(value, suffix)]))

  const schema = (value: JsonSchema, suffix = ''): JsonSchema => {
    const plain = value.allOf === undefined ? value : withAlternativesDescribed(value)
    const { title, description, default: initial, type, ...shape } = plain
    if (typeof title !== 'string') {
      return Object.fromEntries(
        Object.entries(plain).map(([keyword, part]) => {
          if (keyword === 'properties' && isObject(part)) return [keyword, properties(part, suffix)]
          return [keyword, PLAIN.has(keyword) ? part : inner(part, suffix)]
        }),
      )
    }
    const types = [type ?? []].flat()
    const others = types.filter((each) => each !== 'null')
    const [only = null] = others
    const own = schema({ ...(others.length > 0 && { type: others.length === 1 ? only : others }), ...shape }, suffix)
    const at = pointer('schemas', title + suffix, own)
    return {
      ...(types.includes('null') ? { anyOf: [at, { type: 'null' }] } : at),
      // These describe the reference, not the shared schema.
      ...(description !== undefined && { description }),
      ...(initial !== undefined && { default: initial }),
    }
  }

  return {
    schema,
    response: (name, response) => pointer('responses', name, response),
    header: (name, header) => pointer('headers', name, header),
    parameter: (name, parameter) => pointer('parameters', name, parameter),
    all: () => Object.fromEntries(Object.entries(known).filter(([, parts]) => Object.keys(parts).length > 0)),
  }
}

type Schemas = Readonly<Record<string, JsonSchema>>

/** Returns the names if the condition is only that one of them is required; else null. */
const namesOf = ({ anyOf, ...others }: JsonSchema): readonly string[] | null => {
  if (!Array.isArray(anyOf) || Object.keys(others).length > 0) return null
  const names = (anyOf as readonly JsonSchema[]).flatMap(({ required }) => (Array.isArray(required) ? required : []))
  const isPlain = (anyOf as readonly JsonSchema[]).every((each) => Object.keys(each).join() === 'required')
  return isPlain && names.length === anyOf.length ? names.map(String) : null
}

const withDescription = (schema: JsonSchema | undefined, more: string): JsonSchema => ({
  ...schema,
  description: typeof schema?.description === 'string' ? `${schema.description.replace(/\.$/, '')}. ${more}` : more,
})

/**
 * Moves the condition that one of several fields is required into the descriptions of these fields: documentation pages
 * show an object with conditions as a choice between empty objects, and generated clients have no type for it.
 */
export const withAlternativesDescribed = ({ allOf, properties = {}, ...schema }: JsonSchema): JsonSchema => {
  const conditions = Array.isArray(allOf) ? (allOf as readonly JsonSchema[]) : []
  const alternatives = conditions.flatMap((each) => {
    const names = namesOf(each)
    return names === null ? [] : [names]
  })
  if (alternatives.length === 0) return { ...schema, ...(allOf !== undefined && { allOf }), properties }
  const fields: Record<string, JsonSchema> = { ...(properties as Schemas) }
  for (const names of alternatives)
    for (const name of names) {
      const others = names.filter((each) => each !== name).map((each) => `\`${each}\``)
      fields[name] = withDescription(fields[name], `Obrigatório, este ou ${others.join(' ou ')}`)
    }
  const left = conditions.filter((each) => namesOf(each) === null)
  return { ...schema, properties: fields, ...(left.length > 0 && { allOf: left }) }
}

import type { JsonSchema } from '../../../core/kernel/input/field.ts'
import type { Json } from '../../../core/kernel/records/record.ts'

type JsonObject = { readonly [key: string]: Json }
type Kind = 'schemas' | 'responses' | 'headers' | 'parameters'

/** What a document says once, under a name, and points at wherever else it stands. */
export interface Components {
  /** A schema with what has a name in it pointed at; `of` ends the names of a wire that is not the API's usual one. */
  schema(schema: JsonSchema, of?: string): JsonSchema
  /** An answer that many operations have. */
  response(name: string, response: JsonObject): JsonObject
  /** A header of answers. */
  header(name: string, header: JsonObject): JsonObject
  /** A parameter that many operations have. */
  parameter(name: string, parameter: JsonObject): JsonObject
  /** All that was pointed at. */
  all(): Readonly<Partial<Record<Kind, JsonObject>>>
}

/** Values that are no schemas, whatever their keys are called. */
const PLAIN = new Set(['default', 'enum', 'required', 'example', 'examples'])

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Throws where two parts of one kind have the same name and are not the same. */
export const componentsOf = (): Components => {
  const known: Record<Kind, Record<string, Json>> = { schemas: {}, responses: {}, parameters: {}, headers: {} }
  const pointer = (kind: Kind, name: string, part: Json): JsonObject => {
    const same = known[kind][name]
    if (same !== undefined && JSON.stringify(same) !== JSON.stringify(part))
      throw new Error(`two ${kind} are called ${name}`)
    known[kind][name] = part
    return { $ref: `#/components/${kind}/${name}` }
  }

  const inner = (value: Json, of: string): Json => {
    if (Array.isArray(value)) return value.map((each) => inner(each, of))
    return isObject(value) ? schema(value, of) : value
  }

  const eachOf = (properties: JsonObject, of: string): JsonObject =>
    Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, inner(value, of)]))

  const schema = (value: JsonSchema, of = ''): JsonSchema => {
    const told = value.allOf === undefined ? value : withAlternativesDescribed(value)
    const { title, description, default: usual, type, ...shape } = told
    if (typeof title !== 'string') {
      return Object.fromEntries(
        Object.entries(told).map(([keyword, part]) => {
          if (keyword === 'properties' && isObject(part)) return [keyword, eachOf(part, of)]
          return [keyword, PLAIN.has(keyword) ? part : inner(part, of)]
        }),
      )
    }
    const types = [type ?? []].flat()
    const others = types.filter((each) => each !== 'null')
    const [only = null] = others
    const own = schema({ ...(others.length > 0 && { type: others.length === 1 ? only : others }), ...shape }, of)
    const at = pointer('schemas', title + of, own)
    return {
      ...(types.includes('null') ? { anyOf: [at, { type: 'null' }] } : at),
      // What is said of it here is said of this place.
      ...(description !== undefined && { description }),
      ...(usual !== undefined && { default: usual }),
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

/** The names of which one is needed, where a condition says that and nothing else. */
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
 * A schema that says in the descriptions of its fields of which names one is needed, in place of a condition: pages show an
 * object with conditions as a choice between empty ones, and generated clients have no type for it.
 */
export const withAlternativesDescribed = ({ allOf, properties = {}, ...schema }: JsonSchema): JsonSchema => {
  const conditions = Array.isArray(allOf) ? (allOf as readonly JsonSchema[]) : []
  const told = conditions.flatMap((each) => {
    const names = namesOf(each)
    return names === null ? [] : [names]
  })
  if (told.length === 0) return { ...schema, ...(allOf !== undefined && { allOf }), properties }
  const fields: Record<string, JsonSchema> = { ...(properties as Schemas) }
  for (const names of told)
    for (const name of names) {
      const others = names.filter((each) => each !== name).map((each) => `\`${each}\``)
      fields[name] = withDescription(fields[name], `Obrigatório, este ou ${others.join(' ou ')}`)
    }
  const left = conditions.filter((each) => namesOf(each) === null)
  return { ...schema, properties: fields, ...(left.length > 0 && { allOf: left }) }
}

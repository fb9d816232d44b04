import type { JsonSchema } from '../../../core/kernel/input/field.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

/** The names of which one is needed, where a condition says that and nothing else. */
const namesOf = ({ anyOf, ...others }: JsonSchema): readonly string[] | null => {
  if (!Array.isArray(anyOf) || Object.keys(others).length > 0) return null
  const names = (anyOf as readonly JsonSchema[]).flatMap(({ required }) => (Array.isArray(required) ? required : []))
  const isPlain = (anyOf as readonly JsonSchema[]).every((each) => Object.keys(each).join() === 'required')
  return isPlain && names.length === anyOf.length ? names.map(String) : null
}

const saying = (schema: JsonSchema | undefined, more: string): JsonSchema => ({
  ...schema,
  description: typeof schema?.description === 'string' ? `${schema.description.replace(/\.$/, '')}. ${more}` : more,
})

/**
 * A schema that says in the descriptions of its fields of which names one is needed, in place of a condition: pages show an
 * object with conditions as a choice between empty ones, and generated clients have no type for it.
 */
export const withAlternativesTold = ({ allOf, properties = {}, ...schema }: JsonSchema): JsonSchema => {
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
      fields[name] = saying(fields[name], `Obrigatório, este ou ${others.join(' ou ')}`)
    }
  const left = conditions.filter((each) => namesOf(each) === null)
  return { ...schema, properties: fields, ...(left.length > 0 && { allOf: left }) }
}

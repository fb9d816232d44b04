import type { JsonSchema } from '../../../core/kernel/input/field.ts'
import { describedSchema, type Fields } from '../../../core/kernel/input/table.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import { MEDIA } from '../bodies/body.ts'
import type { ApiConfig } from '../rows/api.ts'
import type { ApiTypes } from '../rows/row.ts'
import { bodyRuleOf } from '../rows/row-defaults.ts'
import type { Components } from './components.ts'
import { parametersOf } from './parameters.ts'
import { type Place, responsesOf } from './responses.ts'

type JsonObject = { readonly [key: string]: Json }

/** One operation of the document. */
export const operationOf = (
  place: Place,
  operationId: string,
  setup: ApiConfig<ApiTypes>,
  components: Components,
): JsonObject => {
  const { row, scheme } = place
  return {
    operationId,
    tags: [row.area],
    summary: row.summary,
    description: descriptionOf(place),
    ...(row.deprecated ? { deprecated: true } : {}),
    parameters: parametersOf(place, setup, components),
    ...requestOf(place, components),
    responses: responsesOf(place, setup, components),
    security: scheme.security ? Object.keys(scheme.security).map((name) => ({ [name]: [] })) : [],
  }
}

const descriptionOf = ({ row: { permission, deprecated }, scheme }: Place): string =>
  [
    scheme.about,
    ...(permission === undefined ? [] : [`Pede a permissão \`${permission}\`.`]),
    ...(deprecated ? [replacedBy(deprecated.use)] : []),
  ].join('\n\n')

const replacedBy = (use: string | null): string =>
  use === null ? 'Obsoleta; nenhuma outra a substitui.' : `Obsoleta: use \`${use}\`.`

const requestOf = ({ row, method, common }: Place, components: Components): { readonly requestBody?: JsonObject } => {
  const rule = bodyRuleOf(row)
  if (!row.input.body || !rule || method === 'GET' || method === 'DELETE') return {}
  const { schema } = row.input.body
  const asked = askedFirst(row.precondition?.fields)
  const own = components.schema(asked ? { allOf: [schema, asked] } : schema, common.suffix)
  const sent = row.example.request?.body
  const content = { schema: own, ...(sent === undefined ? {} : { example: sent }) }
  return {
    requestBody: {
      // A text that is a body has something to say.
      required:
        schema.type === 'string' ||
        [schema, asked].some((each) => Array.isArray(each?.required) && each.required.length > 0),
      content: Object.fromEntries(rule.kinds.map((kind) => [MEDIA[kind], content])),
    },
  }
}

/** What a precondition looks at is asked as aloud as the rest. */
const askedFirst = (fields: Fields = {}): JsonSchema | null => {
  const names = Object.keys(fields)
  if (names.length === 0) return null
  const properties = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, describedSchema(field)]))
  return { type: 'object', properties, required: names }
}

import type { JsonSchema } from '../../../core/kernel/input/field.ts'
import type { Json } from '../../../core/kernel/records/record.ts'
import { MAX_KEY_CHARS } from '../../../core/office/idempotency-keys.ts'
import { PARAMETERS } from '../routing/path-parameters.ts'
import type { ApiConfig } from '../rows/api.ts'
import type { ApiTypes } from '../rows/row.ts'
import { isKeyed } from '../rows/row-defaults.ts'
import type { Components } from './components.ts'
import type { Place } from './responses.ts'

type JsonObject = { readonly [key: string]: Json }

const NOT_TEXTS = new Set<Json | undefined>(['integer', 'number', 'boolean'])

/** An example as its schema has it: in a request all of them are texts. */
const exampleOf = (examples: Readonly<Record<string, string>>, name: string, { type }: JsonSchema) => {
  const sent = examples[name]
  return sent === undefined ? {} : { example: NOT_TEXTS.has(type) ? JSON.parse(sent) : sent }
}

const IDEMPOTENCY_KEY = {
  in: 'header',
  name: 'Idempotency-Key',
  description:
    'Torna seguro repetir a requisição: por 24 horas a mesma chave (`pedido-17`) com o mesmo corpo recebe a primeira resposta de sucesso.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_CHARS },
} as const

/** What an operation takes beside its body: of its path, of its query, and the headers that its row and scheme read. */
export const parametersOf = (
  place: Place,
  setup: ApiConfig<ApiTypes>,
  components: Components,
): readonly JsonObject[] => {
  const { row, method, scheme } = place
  return [
    ...inPath(place, setup),
    ...inQuery(place),
    ...(scheme.headers ?? []).map(({ name, ...header }) =>
      components.parameter(name, { in: 'header', name, ...header }),
    ),
    ...(method === 'POST' && isKeyed(row, scheme) ? [components.parameter('Idempotency-Key', IDEMPOTENCY_KEY)] : []),
  ]
}

const inPath = ({ row, path }: Place, { docs: { parameters = {} } = {} }: ApiConfig<ApiTypes>): readonly JsonObject[] =>
  [...path.matchAll(PARAMETERS)].map(([, name = '']) => {
    const description = row.parameters?.[name] ?? parameters[name]
    const schema = { type: 'string' }
    return {
      in: 'path',
      name,
      ...(description !== undefined && { description }),
      required: true,
      schema,
      ...exampleOf(row.example.request?.params ?? {}, name, schema),
    }
  })

const inQuery = ({ row }: Place): readonly JsonObject[] => {
  const { properties = {}, required = [] } = row.input.query?.schema ?? {}
  return Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(
    ([name, { description, ...schema }]) => ({
      in: 'query',
      name,
      ...(description !== undefined && { description }),
      required: Array.isArray(required) && required.includes(name),
      schema,
      ...exampleOf(row.example.request?.query ?? {}, name, schema),
    }),
  )
}

import type { Json } from '../../../core/kernel/records/record.ts'
import type { ApiConfig } from '../rows/api.ts'
import type { ApiTypes } from '../rows/row.ts'
import type { Components } from './components.ts'
import { camelCase } from './operation-id.ts'

const SIGNED = [
  {
    name: 'webhook-id',
    description: 'Identifica o aviso: é o mesmo em cada tentativa, para descartar repetições.',
    schema: { type: 'string', pattern: '^msg_' },
  },
  {
    name: 'webhook-timestamp',
    description: 'Quando esta tentativa foi enviada, em segundos desde 1970. Recuse o que é antigo.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  {
    name: 'webhook-signature',
    description:
      '`v1,` e o HMAC-SHA256 em base64 de `{webhook-id}.{webhook-timestamp}.{corpo}`, com o segredo da conta (o que vem depois de `whsec_`, em base64). Compare em tempo constante antes de ler o corpo.',
    schema: { type: 'string', pattern: '^v1,' },
  },
] as const

/** What becomes of a receiver's answer. Source: decisions.md §3, Events. */
const ANSWERS = {
  '2XX': { description: 'Recebido: o aviso não é repetido.' },
  '410': { description: 'Não é mais desejado: o aviso termina como falho.' },
  default: { description: 'Tentado de novo, até dez vezes em três dias; respeita um `Retry-After` mais longo.' },
} as const

/** The `webhooks` of a document; null for an API that sends none. */
export const webhooksOf = (
  { docs: { webhooks = [] } = {}, dialects, defaultDialect }: ApiConfig<ApiTypes>,
  components: Components,
): { readonly [event: string]: Json } | null => {
  const side = dialects[defaultDialect]?.side
  if (webhooks.length === 0 || !side) return null
  return Object.fromEntries(
    webhooks.map(({ event, area, summary, payload, example }) => {
      const own = components.schema(payload.on(side).schema)
      const only = { type: 'object', properties: { type: { enum: [event] } } }
      const post = {
        operationId: camelCase(`webhooks.${event}`),
        tags: [area],
        summary,
        description: `${summary}.`,
        parameters: SIGNED.map((header) =>
          components.parameter(header.name, { in: 'header', required: true, ...header }),
        ),
        requestBody: { required: true, content: { 'application/json': { schema: { allOf: [own, only] }, example } } },
        responses: ANSWERS,
        security: [],
      }
      return [event, { post }]
    }),
  )
}

import type { JsonSchema } from '../../../core/kernel/input/field.ts'
import type { Json } from '../../../core/kernel/records/record.ts'

type Header = { readonly [key: string]: Json } & { readonly description: string; readonly schema: JsonSchema }

/** A header that is a text. */
export const textHeader = (description: string, more: Record<string, Json> = {}): Header => ({
  description,
  schema: { type: 'string', ...more },
})

/** The headers of answers, by what sends them. Source: decisions.md §2. */
export const HEADERS = {
  'X-Request-Id': textHeader(
    'Identifica a requisição nos registros do servidor; repete o que foi enviado com este nome.',
  ),
  'Retry-After': { description: 'Em quantos segundos tentar de novo.', schema: { type: 'integer', minimum: 0 } },
  'WWW-Authenticate': textHeader('Como se autenticar.', { enum: ['Bearer'] }),
  'Idempotent-Replayed': textHeader(
    'Presente quando a resposta é a da primeira requisição com a mesma `Idempotency-Key`.',
    {
      enum: ['true'],
    },
  ),
  Deprecation: textHeader('A rota é obsoleta.', { enum: ['true'] }),
  Link: textHeader('A rota que substitui esta, com `rel="successor-version"`.'),
  'X-Ignored-Fields': textHeader(
    'Os campos do corpo que a rota não conhece e ignorou, até dez: caminhos separados por vírgula, codificados como em URLs. Em produção, só onde o servidor o pede.',
  ),
  'Content-Disposition': textHeader('O nome do arquivo.'),
} as const satisfies Readonly<Record<string, Header>>

export type HeaderName = keyof typeof HEADERS

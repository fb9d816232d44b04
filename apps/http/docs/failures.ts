import type { KeyCode } from '../../../core/office/idempotency-keys.ts'
import type { Told } from '../replies/messages.ts'
import type { ServerCode } from '../replies/server-messages.ts'
import type { AnyAuthScheme, ApiConfig } from '../rows/api.ts'
import type { AnyRow, ApiTypes, Method } from '../rows/row.ts'
import { bodyRuleOf, isKeyed } from '../rows/row-defaults.ts'

/** What any request may be told. */
const ALWAYS: readonly ServerCode[] = ['internal', 'server.busy', 'store.busy', 'store.unavailable']
const OF_BODIES: readonly ServerCode[] = ['body.too-large', 'body.unsupported', 'body.compressed']
const MALFORMED = {
  json: 'json.malformed',
  multipart: 'form.malformed',
  form: 'form.malformed',
  csv: 'csv.malformed',
} as const
const OF_KEYS: readonly (KeyCode & ServerCode)[] = ['key.malformed', 'key.reused', 'key.running']

const ofBody = (row: AnyRow): readonly ServerCode[] => {
  const rule = bodyRuleOf(row)
  return rule ? [...OF_BODIES, ...rule.kinds.map((kind) => MALFORMED[kind])] : []
}

const ofScheme = (row: AnyRow, method: Method, { fails = {}, ...scheme }: AnyAuthScheme): readonly string[] => {
  const writes = row.accountWritable ?? method !== 'GET'
  const stages = new Set([
    'authenticate',
    ...(scheme.context ? ['context'] : []),
    ...(row.permission === undefined ? [] : ['permits']),
    ...(writes ? ['accountWritable'] : []),
  ])
  return Object.entries(fails).flatMap(([code, stage]) => (stage !== null && stages.has(stage) ? [code] : []))
}

/** All that an operation can fail with: what its stages are told, and what its row's use cases fail with. */
export const failuresOf = (
  row: AnyRow,
  method: Method,
  scheme: AnyAuthScheme,
  { messages, ratePerMinute }: ApiConfig<ApiTypes>,
): readonly Told[] => {
  const hasInput = row.input.body !== undefined || row.input.query !== undefined
  const codes = new Set([
    ...(row.rate || ratePerMinute ? ['rate.limited'] : []),
    ...ofScheme(row, method, scheme),
    ...ofBody(row),
    ...(method === 'POST' && isKeyed(row, scheme) ? OF_KEYS : []),
    ...(hasInput ? ['fields'] : []),
    ...Object.keys(row.errors ?? {}),
    ...(row.reply.doc.codes ?? []),
    ...ALWAYS,
  ])
  return [...codes].map((code) => messages.told(code, row.errors))
}

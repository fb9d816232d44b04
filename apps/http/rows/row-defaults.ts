import type { BodyRule } from '../bodies/body-rule.ts'
import type { AnyAuthScheme } from './api.ts'
import type { AnyRow } from './row.ts'

/** Whether POSTs of a row honour `Idempotency-Key`. */
export const isKeyed = (row: AnyRow, scheme: AnyAuthScheme): boolean =>
  row.key !== false && row.methods.includes('POST') && scheme.security !== null && scheme.keyScope !== undefined

const JSON_BODY: BodyRule = { kinds: ['json'] }

/** Which body a row takes, null for none. */
export const bodyRuleOf = (row: AnyRow): BodyRule | null =>
  row.body ?? (row.methods.some((method) => method !== 'GET' && method !== 'DELETE') ? JSON_BODY : null)

/** Reports whether a body consists of named fields: a CSV is one text. */
export const takesFields = (rule: BodyRule | null): boolean => rule !== null && !rule.kinds.includes('csv')

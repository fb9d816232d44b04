import type { KeptForm } from '../../../core/office/keys/keys.ts'
import type { Encoded } from './answer.ts'

/** An answer as its key's record holds it: sent again byte for byte, and marked as such. Source: decisions.md §2. */
export const keptAnswer: KeptForm<Encoded> = {
  write: ({ status, type, body, headers }) => ({ status, type, text: body, headers: JSON.stringify(headers) }),
  read: ({ status, type, text, headers }) => ({
    status: status ?? 200,
    type,
    body: text,
    headers: { ...(JSON.parse(headers ?? '{}') as Encoded['headers']), 'Idempotent-Replayed': 'true' },
  }),
}

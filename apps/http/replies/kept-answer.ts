import type { ReplyCodec } from '../../../core/office/idempotency-keys.ts'
import type { Answer } from './answer.ts'

/** An answer as its key's record holds it: sent again byte for byte, and marked as such. Source: decisions.md §2. */
export const keptAnswer: ReplyCodec<Answer> = {
  write: (answer) => {
    // The mount lets no row have keys that commits something and streams what came of it.
    if ('chunks' in answer) throw new TypeError('a streamed answer cannot be kept for its key')
    const { status, type, body, headers } = answer
    return { status, type, text: body, headers: JSON.stringify(headers) }
  },
  read: ({ status, type, text, headers }) => ({
    status: status ?? 200,
    type,
    body: text,
    headers: { ...(JSON.parse(headers ?? '{}') as Answer['headers']), 'Idempotent-Replayed': 'true' },
  }),
}

import { t } from '../../fp.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { record } from '../../kernel/records/record.ts'

const leg = record({
  /** `7:main` for a merchant's book; `7:clearing`, `7:fees`, `7:receivable` for what it stands against. */
  book: t.string,
  /** Positive is credit. */
  cents: t.number,
})
export type Leg = t.TypeOf<typeof leg>

const journal = record({
  id: t.string,
  accountId: t.number,
  /** What happened outside, once: `pix-in:E123…`. No two journals have the same. */
  cause: t.string,
  /** They add up to zero. */
  legs: t.array(leg),
  createdAt: t.string,
})

/** A money movement, whole and for ever: nothing of it is updated or deleted; a reversal is another one. */
export type Journal = t.TypeOf<typeof journal>

export const journals: Collection<Journal> = {
  name: 'payments.journals',
  ids: 'text',
  codec: journal,
  owner: 'accountId',
  keys: { cause: ({ accountId, cause }) => causeKey(accountId, cause) },
}

export const causeKey = (accountId: number, cause: string): string => `${accountId}|${cause}`

import { failure } from '../../failure.ts'
import { t } from '../../fp.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'

const transfer = record({
  /** Our own id at the bank, and the txid of its lines on both accounts. */
  id: t.string,
  /** Whose money leaves. */
  accountId: t.number,
  toAccountId: t.number,
  /** Who asked for it. */
  userId: t.number,
  valueCents: t.number,
  description: orNull(t.string),
  status: word('pending', 'completed', 'failed'),
  /** Null until the bank has paid it. */
  endToEndId: orNull(t.string),
  /** Why it failed: the bank's own reason, or `unavailable`. */
  failure: orNull(t.string),
  /** The sums of the limits in which it counts, while it does: of its day, and of its night. */
  sumId: orNull(t.string),
  nightSumId: orNull(t.string),
  createdAt: t.string,
  updatedAt: t.string,
})

/** Money that goes by Pix from one account of the platform to another. Source: 02-billing.md, Internal transfer. */
export type Transfer = t.TypeOf<typeof transfer>

export const transfers: Collection<Transfer> = {
  name: 'payments.transfers',
  ids: 'text',
  codec: transfer,
  owner: 'accountId',
}

export const NO_TRANSFER = failure('not-found', 'transfer.unknown')

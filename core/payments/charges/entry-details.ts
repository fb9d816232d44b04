import type { EntryDetails } from '../ledger/post.ts'
import type { Charge } from './charge.ts'

/** What a statement line of a charge tells: its description, or which charge it is; and what else is known of the movement. */
export const entryDetails = (
  { id, description }: Pick<Charge, 'id' | 'description'>,
  known: Partial<EntryDetails> = {},
): EntryDetails => ({
  description: description ?? `Cobrança ${id}`,
  chargeId: id,
  txid: null,
  endToEnd: null,
  payer: null,
  receiver: null,
  ...known,
})

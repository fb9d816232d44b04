import { failure } from '../../failure.ts'
import { money, oneOf, output, view } from '../../kernel/input/mod.ts'
import { type Collection, eq, orNull, record, t, word } from '../../kernel/records/record.ts'
import { type List, listOf } from '../../ports/store.ts'
import { duplicateWindow } from '../withdrawals/duplicates.ts'

const transfer = record({
  /** Our own id at the bank, and the txid of its entries in both statements. */
  id: t.string,
  /** The paying account. */
  accountId: t.number,
  toAccountId: t.number,
  userId: t.number,
  valueCents: t.number,
  description: orNull(t.string),
  status: word('pending', 'completed', 'failed'),
  /** Null until the bank has paid the transfer. */
  endToEndId: orNull(t.string),
  /** The reason of the failure: the bank's own, or `unavailable`. */
  failure: orNull(t.string),
  /** The sums of the daily and the nightly limit in which it counts; null when it does not count. */
  sumId: orNull(t.string),
  nightSumId: orNull(t.string),
  createdAt: t.string,
  updatedAt: t.string,
})

/** A payment by Pix from one account of the platform to another. */
export type Transfer = t.TypeOf<typeof transfer>

export const transfers: Collection<Transfer> = {
  name: 'payments.transfers',
  ids: 'text',
  codec: transfer,
  owner: 'accountId',
  conditions: { pending: eq('status', 'pending') },
  // Finds the transfers on their way to an account.
  indexes: [{ eq: 'toAccountId', sort: 'createdAt', when: 'pending', acrossOwners: true }],
}

/** Returns the query of the oldest transfers on their way to an account. */
export const incomingTransfers = (toAccountId: number, limit: number): List<Transfer> =>
  listOf(transfers, {
    where: eq('toAccountId', toAccountId),
    when: 'pending',
    sort: { by: 'createdAt', dir: 'asc' },
    limit,
  })

export const NO_TRANSFER = failure('not-found', 'transfer.unknown')

/** The fields that identify a transfer and its duplicates. */
type DuplicateKey = Pick<Transfer, 'id' | 'accountId' | 'toAccountId' | 'valueCents'>

/** The time after a transfer in which the same value to the same account is refused as a repeat. */
const REPEAT_SECONDS = 30 * 60

export const sentId = ({ accountId, toAccountId, valueCents }: Omit<DuplicateKey, 'id'>): string =>
  `${accountId}|${toAccountId}|${valueCents}`

/** Allows one transfer of a value between two accounts within `REPEAT_SECONDS`. */
export const sentTransfers = duplicateWindow<DuplicateKey>('payments.sent-transfers', REPEAT_SECONDS, sentId)

const STATUS_WORDS = { pending: 'PENDING', completed: 'REALIZED', failed: 'FAILED' } as const

export const transferView = view(
  'Transfer',
  {
    txid: output.text({ about: 'Identificador da transferência, igual nos extratos das duas contas' }),
    valueCents: money({ wire: 'amount', about: 'Valor' }),
    status: oneOf(Object.values(STATUS_WORDS), { about: 'Situação' }),
  },
  ({ id: txid, valueCents, status }: Transfer) => ({ txid, valueCents, status: STATUS_WORDS[status] }),
)

import { failure } from '../../failure.ts'
import { t } from '../../fp.ts'
import { money, oneOf } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'
import { duplicateWindow } from '../duplicate-window.ts'

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

/** What makes a transfer the same as another. */
type Same = Pick<Transfer, 'id' | 'accountId' | 'toAccountId' | 'valueCents'>

/** How long the same again is a mistake. Source: 02-billing.md, Limits. */
const REPEAT_SECONDS = 30 * 60

export const sentId = ({ accountId, toAccountId, valueCents }: Omit<Same, 'id'>): string =>
  `${accountId}|${toAccountId}|${valueCents}`

/** Transfers of a value between two accounts, each once in half an hour. */
export const sentTransfers = duplicateWindow<Same>('payments.sent-transfers', REPEAT_SECONDS, sentId)

const STATUS_WORDS = { pending: 'PENDING', completed: 'REALIZED', failed: 'FAILED' } as const

/** A transfer as the API shows it. */
export const transferView = view(
  'Transfer',
  {
    txid: output.text({ about: 'Identificador da transferência, igual nos extratos das duas contas' }),
    valueCents: money({ wire: 'amount', about: 'Valor' }),
    status: oneOf(Object.values(STATUS_WORDS), { about: 'Situação' }),
  },
  ({ id: txid, valueCents, status }: Transfer) => ({ txid, valueCents, status: STATUS_WORDS[status] }),
)

import { withOffset } from '../../kernel/values/day.ts'
import { reaisFromCents } from '../../kernel/values/money.ts'
import type { Entry } from '../ledger/entry.ts'
import { transactionType } from '../ledger/transaction-type.ts'

/** Source: 02-billing.md, Transaction and statement items. */
const STATUS_TITLES: Readonly<Record<number, string>> = { 1: 'Confirmado', 2: 'Pendente', 4: 'Estornado', 5: 'Cartão' }

/**
 * A line of a statement as the API shows it: signed reais, and the balance after it.
 * Source: 02-billing.md, Transaction and statement items; decisions.md §4 and §11.
 */
export const transactionView = (entry: Entry) => {
  const { txid, endToEnd: endtoend, payer, receiver } = entry
  return {
    id: entry.id,
    datetime: withOffset(entry.datetime),
    description: entry.description,
    value: reaisFromCents(entry.valueCents),
    balance: reaisFromCents(entry.balanceCents),
    type: typeView(entry.typeId),
    status: { id: entry.status, title: STATUS_TITLES[entry.status] ?? '' },
    txid,
    endtoend,
    payer,
    receiver,
    metadata: { txid, endtoend, payer, receiver },
  }
}

const typeView = (typeId: number) => {
  const type = transactionType(typeId)
  return type ? { id: type.id, slug: type.slug, name: type.name } : null
}

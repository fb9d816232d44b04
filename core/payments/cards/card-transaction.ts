import { t } from '../../fp.ts'
import { type Change, insert, patch } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { at, record } from '../../kernel/records/record.ts'
import { always } from '../../kernel/records/where.ts'
import { ledgerAccountId, ledgerAccounts } from '../ledger/ledger.ts'

const cardTransaction = record({
  /** That of its charge, of which it is the one sale. */
  id: t.number,
  accountId: t.number,
  /** Its place among the account's card transactions, without gaps, from 1. Taken at the moment of commit, like sum and day. */
  place: t.number,
  /** What it and all before it came to, net: it counts as withdrawn once as much was withdrawn. */
  settledCents: t.number,
  grossCents: t.number,
  feeCents: t.number,
  netCents: t.number,
  /** That of its entry: it does not run backwards. */
  paymentDate: t.string,
})

/** A sale by card that was settled: what was paid, what it cost, and what is left of it. Source: 02-billing.md, Card transaction. */
export type CardTransaction = t.TypeOf<typeof cardTransaction>

export const cardTransactions: Collection<CardTransaction> = {
  name: 'payments.card-transactions',
  ids: 'integer',
  codec: cardTransaction,
  owner: 'accountId',
  indexes: [{ sort: 'place' }, { sort: 'settledCents' }],
  tallies: [{ by: ['accountId', 'paymentDate'], sum: ['grossCents', 'feeCents', 'netCents'] }],
}

/**
 * What keeps a sale, after its settlement was posted in the same commit. Of one whose fee leaves nothing there is no settlement,
 * and nothing to withdraw.
 */
export const newCardTransaction = (
  sale: Pick<CardTransaction, 'accountId' | 'grossCents' | 'feeCents' | 'netCents'> & { readonly chargeId: number },
): readonly Change[] => {
  const { chargeId, ...amounts } = sale
  const { accountId, netCents } = amounts
  if (netCents === 0) return []
  const [main, card] = [ledgerAccountId(accountId, 'main'), ledgerAccountId(accountId, 'card')]
  const counted = patch(ledgerAccounts, card, { add: { settlements: 1, settledCents: netCents }, when: always })
  const taken = { ...amounts, id: chargeId, place: 0, settledCents: 0, paymentDate: '' }
  const kept = insert(cardTransactions, taken, {
    place: [at(ledgerAccounts, card), 'settlements'],
    settledCents: [at(ledgerAccounts, card), 'settledCents'],
    paymentDate: [at(ledgerAccounts, main), 'lastDay'],
  })
  return [counted, kept]
}

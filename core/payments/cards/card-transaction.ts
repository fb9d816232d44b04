import { always, at, type Change, type Collection, insert, patch, record, t } from '../../kernel/records/record.ts'
import { ledgerAccountId, ledgerAccounts } from '../ledger/ledger.ts'

const cardTransaction = record({
  /** The id of its charge. */
  id: t.number,
  accountId: t.number,
  /** The number of the sale in its account, without gaps, from 1. Set at commit, like sum and day. */
  place: t.number,
  /** The cumulative net sum up to this sale, which is withdrawn once this amount was withdrawn. */
  settledCents: t.number,
  grossCents: t.number,
  feeCents: t.number,
  netCents: t.number,
  /** The day of its entry. */
  paymentDate: t.string,
})

/** A settled card sale: its gross value, fee and net value. */
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
 * The changes that store a card sale, for the commit of its settlement's posting. A sale with a net value of zero has no
 * settlement and is not stored.
 */
export const newCardTransaction = (
  sale: Pick<CardTransaction, 'accountId' | 'grossCents' | 'feeCents' | 'netCents'> & { readonly chargeId: number },
): readonly Change[] => {
  const { chargeId, ...amounts } = sale
  const { accountId, netCents } = amounts
  if (netCents === 0) return []
  const [main, card] = [ledgerAccountId(accountId, 'main'), ledgerAccountId(accountId, 'card')]
  const counted = patch(ledgerAccounts, card, { add: { settlements: 1, settledCents: netCents }, when: always })
  const newSale = { ...amounts, id: chargeId, place: 0, settledCents: 0, paymentDate: '' }
  const stored = insert(cardTransactions, newSale, {
    place: [at(ledgerAccounts, card), 'settlements'],
    settledCents: [at(ledgerAccounts, card), 'settledCents'],
    paymentDate: [at(ledgerAccounts, main), 'lastDay'],
  })
  return [counted, stored]
}

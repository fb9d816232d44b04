import { BOLEPIX_FEE, BOLETO_FEE, PAYMENT_TYPE_IDS, PIX_IN_FEE } from '../../../core/payments/ledger/ledger.ts'
import {
  ACCOUNT_START,
  checkEntry,
  checkLedgerAccounts,
  journalFaults,
  linesOf,
} from '../../../core/payments/ledger/verify-ledger.ts'
import { reversedCents } from '../../../core/payments/splits/reversal.ts'
import { groupBy, type Invariant, repeated, sumOf, unless } from './judged.ts'

/** Each journal balances, and its lines are those of its statement entries, in any order. */
export const journalsBalance: Invariant = ({ held }) => {
  const lines = groupBy(held.entries, ({ journalId }) => journalId)
  const known = new Set(held.journals.map(({ id }) => id))
  return [
    ...held.journals.flatMap((journal) => {
      const { id, accountId } = journal
      const own = lines.get(id) ?? []
      const ofEntries = own.map(({ book, valueCents }) => `${book} ${valueCents}`)
      return [
        ...journalFaults(journal),
        ...unless([
          [
            String(linesOf(journal).toSorted()) === String(ofEntries.toSorted()),
            `journal ${id} has other lines than its statement`,
          ],
          [
            own.every((entry) => entry.accountId === accountId || entry.book === `${entry.accountId}:main`),
            `journal ${id} has a line of another account`,
          ],
        ]),
      ]
    }),
    ...held.entries.filter(({ journalId }) => !known.has(journalId)).map(({ id }) => `entry ${id} has no journal`),
    ...repeated(held.journals.map(({ accountId, cause }) => `${accountId} ${cause}`)).map((it) => `${it} came twice`),
  ]
}

/**
 * The balance of each ledger account is the sum of its entries, numbered without gaps. The available balance is less by
 * the reserved boleto fees, by held shares, and by pending withdrawals, transfers and refunds.
 */
export const booksFold: Invariant = ({ held }) => {
  const lines = groupBy(held.entries, ({ accountId }) => accountId)
  const owing = groupBy(
    held.charges.filter(({ issueFee }) => issueFee?.state === 'reserved'),
    ({ accountId }) => `${accountId}:main`,
  )
  const leaving = groupBy(
    [...held.withdrawals, ...held.transfers, ...held.refunds].filter(({ status }) => status === 'pending'),
    ({ accountId }) => `${accountId}:main`,
  )
  const sharing = groupBy(held.splitShares, ({ accountId }) => `${accountId}:main`)
  const folded = [...groupBy(held.books, ({ accountId }) => accountId)].flatMap(([accountId, books]) => {
    const own = (lines.get(accountId) ?? []).toSorted((a, b) => a.seq - b.seq)
    return checkLedgerAccounts(books, own.reduce(checkEntry, ACCOUNT_START))
  })
  const reserved = held.books.flatMap(({ id, balanceCents, availableCents }) => {
    const fees = sumOf((owing.get(id) ?? []).map(({ issueFee }) => issueFee?.cents ?? 0))
    const out = sumOf((leaving.get(id) ?? []).map(totalOf))
    const shared = sumOf((sharing.get(id) ?? []).map(({ heldCents, reservedCents }) => heldCents + reservedCents))
    return unless([[availableCents === balanceCents - fees - out - shared, `${id} has ${availableCents} to spend`]])
  })
  return [...folded, ...reserved]
}

interface Leaving {
  readonly valueCents: number | null
  readonly feeCents?: number
  readonly shares?: Parameters<typeof reversedCents>[0]
}

/** Returns the reserved amount: only a withdrawal has a fee, and of a refund the receivers of shares reserve theirs. */
const totalOf = ({ valueCents, feeCents = 0, shares = null }: Leaving) =>
  (valueCents ?? 0) + feeCents - reversedCents(shares)

const FEES = [PIX_IN_FEE, BOLETO_FEE, BOLEPIX_FEE].map(({ id }) => id)

/** Each posted payment is one payment of the bank, less a fee that was in force; each accepted notice was posted. */
export const postedAsPaid: Invariant = ({ held, bank, cast }) => {
  const paid = new Map(bank.payments.map((payment) => [payment.endToEndId, payment]))
  const gross = held.entries.filter(({ typeId }) => PAYMENT_TYPE_IDS.includes(typeId))
  const fees = new Map(held.entries.filter(({ typeId }) => FEES.includes(typeId)).map((fee) => [fee.endToEnd, fee]))
  const posted = new Set(gross.map(({ endToEnd }) => endToEnd))
  return [
    ...repeated(gross.map(({ endToEnd }) => `${endToEnd}`)).map((it) => `${it} posted twice`),
    ...gross.flatMap(({ id, endToEnd, valueCents, txid, accountId }) => {
      const payment = paid.get(endToEnd ?? '')
      const feeCents = -(fees.get(endToEnd)?.valueCents ?? 0)
      const known = [...(cast.fees.get(accountId) ?? [])].map((fee) => Math.min(fee, valueCents))
      return unless([
        [payment?.valueCents === valueCents && payment.txid === txid, `entry ${id} is no payment of the bank`],
        [known.includes(feeCents), `entry ${id} has a fee of ${feeCents}`],
      ])
    }),
    ...bank.payments
      .filter(({ endToEndId, told }) => told && !posted.has(endToEndId))
      .map(({ endToEndId }) => `${endToEndId} was accepted and is not posted`),
  ]
}

import type { Entry } from '../../../core/payments/ledger/entry.ts'
import type { LedgerAccount } from '../../../core/payments/ledger/ledger-account.ts'
import { PIX_IN, PIX_IN_FEE } from '../../../core/payments/ledger/transaction-type.ts'
import {
  BOOK_START,
  closeLedgerAccount,
  followEntry,
  journalFaults,
  linesOf,
} from '../../../core/payments/ledger/verify-ledger.ts'
import { groupBy, type Invariant, repeated, unless } from './judged.ts'

/** Every movement adds up to nothing, and its lines are those of the statements. */
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
          [String(linesOf(journal)) === String(ofEntries), `journal ${id} has other lines than its statement`],
          [own.every((entry) => entry.accountId === accountId), `journal ${id} has a line of another account`],
        ]),
      ]
    }),
    ...held.entries.filter(({ journalId }) => !known.has(journalId)).map(({ id }) => `entry ${id} has no journal`),
    ...repeated(held.journals.map(({ accountId, cause }) => `${accountId} ${cause}`)).map((it) => `${it} came twice`),
  ]
}

/** A book is what its lines say, counted without gaps; nothing is reserved in this environment. */
export const booksFold: Invariant = ({ held }) => {
  const lines = groupBy(held.entries, ({ book }) => book)
  return held.books.flatMap((book) => folded(book, lines.get(book.id) ?? []))
}

const folded = (book: LedgerAccount, lines: readonly Entry[]): readonly string[] => [
  ...closeLedgerAccount(book, lines.toSorted((a, b) => a.seq - b.seq).reduce(followEntry, BOOK_START)),
  ...unless([[book.availableCents === book.balanceCents, `${book.id} has ${book.availableCents} to spend`]]),
]

/** What was posted is what the bank holds, once, less a fee that was in force; and what it was told of was posted. */
export const postedAsPaid: Invariant = ({ held, bank, cast }) => {
  const paid = new Map(bank.payments.map((payment) => [payment.endToEndId, payment]))
  const gross = held.entries.filter(({ typeId }) => typeId === PIX_IN.id)
  const fees = new Map(held.entries.filter(({ typeId }) => typeId === PIX_IN_FEE.id).map((fee) => [fee.endToEnd, fee]))
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
      .map(({ endToEndId }) => `${endToEndId} was told and is not posted`),
  ]
}

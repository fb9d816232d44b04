import { dayOf } from '../../../core/kernel/day.ts'
import type { Book } from '../../../core/payments/ledger/book.ts'
import type { Entry } from '../../../core/payments/ledger/entry.ts'
import { PIX_IN, PIX_IN_FEE } from '../../../core/payments/ledger/transaction-type.ts'
import { groupBy, type Invariant, repeated, sumOf, unless } from './judged.ts'

/** Every movement adds up to nothing, and its lines are those of the statements. */
export const journalsBalance: Invariant = ({ held }) => {
  const lines = groupBy(held.entries, ({ journalId }) => journalId)
  const known = new Set(held.journals.map(({ id }) => id))
  return [
    ...held.journals.flatMap(({ id, accountId, legs }) => {
      const own = lines.get(id) ?? []
      const mains = legs.filter(({ book }) => book === `${accountId}:main`)
      return unless([
        [sumOf(legs.map(({ cents }) => cents)) === 0, `journal ${id} does not add up to zero`],
        [legs.every(({ book }) => book.startsWith(`${accountId}:`)), `journal ${id} has a leg of another account`],
        [
          String(mains.map(({ cents }) => cents)) === String(own.map(({ valueCents }) => valueCents)),
          `journal ${id} has other lines than its statement`,
        ],
        [own.every((entry) => entry.accountId === accountId), `journal ${id} has a line of another account`],
      ])
    }),
    ...held.entries.filter(({ journalId }) => !known.has(journalId)).map(({ id }) => `entry ${id} has no journal`),
    ...repeated(held.journals.map(({ accountId, cause }) => `${accountId} ${cause}`)).map((it) => `${it} came twice`),
  ]
}

/** A book is what its lines say, counted without gaps; nothing is reserved in this world. */
export const booksFold: Invariant = ({ held }) => {
  const lines = groupBy(held.entries, ({ book }) => book)
  return held.books.flatMap((book) => folded(book, lines.get(book.id) ?? []))
}

const folded = (book: Book, lines: readonly Entry[]): readonly string[] => {
  let balanceCents = 0
  let last = ''
  const wrong: string[] = []
  for (const [index, entry] of lines.toSorted((a, b) => a.seq - b.seq).entries()) {
    balanceCents += entry.valueCents
    const at = `entry ${entry.id} of ${book.id}`
    wrong.push(
      ...unless([
        [entry.seq === index + 1, `${at} has place ${entry.seq} and not ${index + 1}`],
        [entry.balanceCents === balanceCents, `${at} has balance ${entry.balanceCents} and not ${balanceCents}`],
        [entry.datetime >= last && entry.day === dayOf(entry.datetime), `${at} runs backwards`],
        [entry.accountId === book.accountId, `${at} is of account ${entry.accountId}`],
        [entry.direction === (entry.valueCents < 0 ? 'out' : 'in'), `${at} goes ${entry.direction}`],
      ]),
    )
    last = entry.datetime
  }
  return [
    ...wrong,
    ...unless([
      [book.balanceCents === balanceCents, `${book.id} has ${book.balanceCents} and its lines ${balanceCents}`],
      [book.availableCents === book.balanceCents, `${book.id} has ${book.availableCents} to spend`],
      [book.seq === lines.length, `${book.id} counts ${book.seq} lines of ${lines.length}`],
    ]),
  ]
}

/** What was posted is what the bank holds, once, less a fee that was in force; and what it was told of was posted. */
export const postedAsPaid: Invariant = ({ held, bank, cast }) => {
  const paid = new Map(bank.payments.map((payment) => [payment.endToEndId, payment]))
  const gross = held.entries.filter(({ typeId }) => typeId === PIX_IN.id)
  const fees = new Map(held.entries.filter(({ typeId }) => typeId === PIX_IN_FEE.id).map((fee) => [fee.endToEnd, fee]))
  const posted = new Set(gross.map(({ endToEnd }) => endToEnd))
  return [
    ...repeated(gross.map(({ accountId, endToEnd }) => `${accountId} ${endToEnd}`)).map((it) => `${it} posted twice`),
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

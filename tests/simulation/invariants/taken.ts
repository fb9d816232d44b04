import { PAYMENT_TYPE_IDS } from '../../../core/payments/charges/payment.ts'
import type { Journal } from '../../../core/payments/ledger/ledger.ts'
import type { Snapshot } from '../environment/snapshot.ts'
import { groupBy, sumOf } from './judged.ts'

const OF_CARD = 'card:'

/** A sale by card, as it was posted. */
interface CardSale {
  /** The charge's, by which the acquirer knows it too. */
  readonly code: string
  readonly journal: Journal
  readonly grossCents: number
}

export const cardSales = ({ journals }: Pick<Snapshot, 'journals'>): readonly CardSale[] =>
  journals
    .filter(({ cause }) => cause.startsWith(OF_CARD))
    .map((journal) => {
      const receivable = journal.legs.filter(({ book }) => book === `${journal.accountId}:receivable`)
      const grossCents = 0 - sumOf(receivable.map(({ cents }) => cents))
      return { code: journal.cause.slice(OF_CARD.length), journal, grossCents }
    })

/** What was posted for each charge, payment by payment: what came in for its titles, or what its card was charged. */
export const takenFor = (held: Snapshot): ReadonlyMap<number, readonly number[]> => {
  const ids = new Map(held.charges.map(({ code, id }) => [code, id]))
  const ofTitles = groupBy(
    held.entries.filter(({ typeId }) => PAYMENT_TYPE_IDS.includes(typeId)),
    ({ chargeId }) => chargeId,
  )
  const ofCards = groupBy(cardSales(held), ({ code }) => ids.get(code) ?? 0)
  return new Map(
    held.charges.map(({ id }) => [
      id,
      [
        ...(ofTitles.get(id) ?? []).toSorted((a, b) => a.seq - b.seq).map(({ valueCents }) => valueCents),
        ...(ofCards.get(id) ?? []).map(({ grossCents }) => grossCents),
      ],
    ]),
  )
}

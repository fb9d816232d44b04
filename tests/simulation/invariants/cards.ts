import { always } from '../../../core/kernel/records/record.ts'
import type { Charge } from '../../../core/payments/charges/charge.ts'
import {
  CARD_SETTLEMENT,
  CARD_WITHDRAWAL,
  type Entry,
  type Journal,
  PAYMENT_TYPE_IDS,
} from '../../../core/payments/ledger/ledger.ts'
import { paymentsCollections } from '../../../core/payments/payments.ts'
import { listOf } from '../../../core/ports/store.ts'
import { CARD_NUMBERS, CVV } from '../actors/payers.ts'
import type { Environment } from '../environment/environment.ts'
import type { Snapshot } from '../environment/store.ts'
import { groupBy, type Invariant, passedCents, sumOf, unless } from './judged.ts'

const legOf = ({ accountId, legs }: Journal, book: string): number =>
  sumOf(legs.filter((leg) => leg.book === `${accountId}:${book}`).map(({ cents }) => cents))

const holdsOf = (held: Snapshot): ReadonlyMap<string, Charge> => new Map(held.charges.map((each) => [each.code, each]))

/** Each posted card was approved with that value; its net is on the card book, less a fee that was in force. */
export const postedAsTaken: Invariant = ({ held, acquirer, cast }) => {
  const taken = new Map(acquirer.cards.map((card) => [card.id, card]))
  const charges = holdsOf(held)
  const lines = groupBy(
    held.entries.filter(({ typeId }) => typeId === CARD_SETTLEMENT.id),
    ({ journalId }) => journalId,
  )
  return cardSales(held).flatMap(({ code, journal, grossCents }) => {
    const sold = taken.get(code)
    const card = charges.get(code)?.card
    const [ownCents, feeCents] = [legOf(journal, 'card'), legOf(journal, 'fees')]
    const netCents = ownCents + passedCents(journal)
    const known = [...(cast.fees.get(journal.accountId) ?? [])].map((percent) => feeOf(grossCents, percent))
    return unless([
      [sold?.status === 'approved' && sold.valueCents === grossCents, `card ${code} is posted and ${sold?.status}`],
      [card?.valueCents === grossCents && card.netCents === netCents, `card ${code} has ${netCents} of ${grossCents}`],
      [card?.feeCents === feeCents && known.includes(feeCents), `card ${code} has a fee of ${feeCents}`],
      [isOnCardBook(journal, lines.get(journal.id) ?? [], ownCents), `card ${code} has other lines than its net`],
    ])
  })
}

/** Returns the fee: the net is rounded half up, and the rest is the fee. */
const feeOf = (cents: number, hundredths: number): number =>
  cents - Math.floor((cents * (10_000 - hundredths) + 5_000) / 10_000)

/** A withdrawal of card sales moves one amount from the card book to the main book in one journal. */
export const salesWithdrawn: Invariant = ({ held }) => {
  const lines = groupBy(
    held.entries.filter(({ typeId }) => typeId === CARD_WITHDRAWAL.id),
    ({ journalId }) => journalId,
  )
  const withdrawn = held.journals.filter(({ cause }) => cause.startsWith('card-withdrawal:'))
  return [
    ...withdrawn.flatMap((journal) => {
      const [fromCents, toCents] = [legOf(journal, 'card'), legOf(journal, 'main')]
      const shown = (lines.get(journal.id) ?? []).map(({ book, valueCents }) => `${book} ${valueCents}`)
      const expected = [`${journal.accountId}:card ${fromCents}`, `${journal.accountId}:main ${toCents}`]
      return unless([
        [fromCents < 0 && fromCents + toCents === 0, `journal ${journal.id} takes ${fromCents} and brings ${toCents}`],
        [String(shown.toSorted()) === String(expected), `journal ${journal.id} is shown as ${shown}`],
      ])
    }),
    ...unless([
      [lines.size === withdrawn.length, `${lines.size} withdrawals of cards are shown, ${withdrawn.length} made`],
    ]),
  ]
}

const isOnCardBook = ({ accountId }: Journal, lines: readonly Entry[], netCents: number): boolean =>
  sumOf(lines.map(({ valueCents }) => valueCents)) === netCents &&
  lines.length === (netCents === 0 ? 0 : 1) &&
  lines.every(({ book, status }) => book === `${accountId}:card` && status === 5)

/** A card charge has a running operation, or else a token or a failure. */
export const cardsAnswered: Invariant = ({ held, acquirer }) => {
  const asking = new Set(held.operations.filter(({ dueAt }) => dueAt !== null).map(({ id }) => id))
  const taken = new Map(acquirer.cards.map((card) => [card.id, card]))
  return held.charges.flatMap(({ id, code, card, operationId, status, failure, paymentDate }) => {
    if (card === null) return []
    const isAsked = operationId === code
    return unless([
      [operationId === null || asking.has(operationId), `charge ${id}: operation ${operationId} is not due`],
      [!isAsked || (card.token === null && failure === null), `charge ${id} is asked for and answered`],
      [(status === 'failed') === (failure !== null) || status === 'DELETED', `charge ${id} failed without a reason`],
      [(paymentDate !== null) === (card.netCents !== null), `charge ${id} has ${card.netCents} and ${paymentDate}`],
      [card.token === null || taken.get(code)?.token === card.token, `charge ${id} has the card of another`],
    ])
  })
}

/** A link is paid no more often than its maximum uses. */
export const linksKept: Invariant = ({ held }) => {
  const paid = groupBy(
    held.charges.filter(({ linkId, paymentDate }) => linkId !== null && paymentDate !== null),
    ({ linkId }) => linkId,
  )
  return held.links.flatMap(({ id, maxUses }) => {
    const uses = paid.get(id)?.length ?? 0
    return unless([[maxUses === null || uses <= maxUses, `link ${id} was paid ${uses} times of ${maxUses}`]])
  })
}

/** Each approved card is posted, no card is undecided, and no card charge is pending. */
export const cardsReconciled: Invariant = ({ held, acquirer }) => {
  const posted = new Set(cardSales(held).map(({ code }) => code))
  return [
    ...acquirer.cards
      .filter(({ id, status }) => status === 'approved' && !posted.has(id))
      .map(({ id }) => `card ${id} was charged and is not posted`),
    ...acquirer.cards.filter(({ status }) => status === 'pending').map(({ id }) => `card ${id} is still undecided`),
    ...held.charges
      .filter(({ card, status }) => card !== null && status === 'pending')
      .map(({ id }) => `charge ${id} still waits for its card`),
    ...unless([[acquirer.untold === 0, `the acquirer has ${acquirer.untold} notices not accepted`]]),
  ]
}

const SECRET = new RegExp(`${CARD_NUMBERS.join('|')}|"${CVV}\\\\*"`)
const ALL = { where: always, limit: 1_000_000 } as const

/** Returns the stored records that contain the number or the code of a card. */
export const writtenCards = async ({ store }: Environment): Promise<readonly string[]> => {
  const found = paymentsCollections.map(async (collection) => {
    const { records } = await store.list(listOf(collection, ALL))
    return records
      .filter((record) => SECRET.test(JSON.stringify(record)))
      .map(({ id }) => `${collection.name} ${id} holds a card's number or code`)
  })
  return (await Promise.all(found)).flat()
}

const OF_CARD = 'card:'

interface CardSale {
  /** The code of the charge, which is also the order id at the acquirer. */
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

/** Returns the posted amounts of each charge: the payments of its titles, and the gross value of its card. */
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

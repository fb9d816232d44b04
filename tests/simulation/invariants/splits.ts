import type { Charge } from '../../../core/payments/charges/charge.ts'
import { PAYMENT_TYPE_IDS } from '../../../core/payments/charges/payment.ts'
import type { Journal } from '../../../core/payments/ledger/ledger.ts'
import type { SplitShare } from '../../../core/payments/splits/share.ts'
import { groupBy, type Invariant, sumOf, unless } from './judged.ts'

/** Returns the cents that a journal moves to the books of other accounts. */
export const passedCents = ({ accountId, legs }: Journal): number =>
  sumOf(legs.filter(({ book }) => !book.startsWith(`${accountId}:`)).map(({ cents }) => cents))

/** Returns the gross amount of a payment's journal, and its fees. */
const paidIn = ({ accountId, legs }: Journal) => {
  const of = (kind: string) =>
    sumOf(legs.filter(({ book }) => book === `${accountId}:${kind}`).map(({ cents }) => cents))
  return { grossCents: 0 - of('clearing') - of('receivable'), feeCents: of('fees') }
}

/**
 * Each share is credited by the journal of its payment, and the shares of a payment and its fees do not exceed it. A receiver of a
 * percentage has it to the cent, less its part of the fees, unless the fees left less to share.
 */
export const sharesAsPaid: Invariant = ({ held }) => {
  const journals = new Map(held.journals.map((each) => [each.id, each]))
  const charges = new Map(held.charges.map((each) => [each.id, each]))
  const entryOf = groupBy(held.entries, ({ journalId }) => journalId)
  const shares = groupBy(held.splitShares, ({ journalId }) => journalId)
  const paid = held.journals.filter(({ cause }) => /^(pix-in|boleto-in|card):/.test(cause))
  return [
    ...[...shares].flatMap(([journalId, own]) => {
      const journal = journals.get(journalId)
      const charge = charges.get(own[0]?.chargeId ?? 0)
      return journal && charge ? ofPayment(journal, charge, own) : [`shares of ${journalId} have no payment`]
    }),
    ...paid.flatMap((journal) => {
      const chargeId = (entryOf.get(journal.id) ?? []).find(({ typeId }) => PAYMENT_TYPE_IDS.includes(typeId))?.chargeId
      const isShared = (charges.get(chargeId ?? 0)?.splits ?? []).some(
        ({ percentHundredths }) => percentHundredths === 10_000,
      )
      const { grossCents, feeCents } = paidIn(journal)
      const sum = sumOf((shares.get(journal.id) ?? []).map(({ creditedCents }) => creditedCents))
      return unless([
        [passedCents(journal) === sum, `journal ${journal.id} passes ${passedCents(journal)} and has shares of ${sum}`],
        [!isShared || sum > 0 || grossCents === feeCents, `journal ${journal.id} shares nothing of ${grossCents}`],
      ])
    }),
  ]
}

const ofPayment = (journal: Journal, charge: Charge, own: readonly SplitShare[]): readonly string[] => {
  const { grossCents, feeCents } = paidIn(journal)
  const sum = sumOf(own.map(({ creditedCents }) => creditedCents))
  const isWhole = sum === grossCents - feeCents
  const asPromised = own.every(({ accountId, creditedCents, feeCents: borne }) => {
    const percent = charge.splits?.find((split) => split.accountId === accountId)?.percentHundredths ?? null
    return percent === null || Math.abs((creditedCents + borne) * 10_000 - grossCents * percent) < 10_000
  })
  return unless([
    [sum <= grossCents - feeCents, `the shares of ${journal.id} are ${sum} of ${grossCents} less ${feeCents}`],
    [isWhole || asPromised, `the shares of ${journal.id} are not those of charge ${charge.id}`],
    [new Set(own.map(({ accountId }) => accountId)).size === own.length, `${journal.id} pays an account twice`],
  ])
}

/** Refunds take back of a share at most what was credited; their debits are what the refund says. */
export const sharesTakenBack: Invariant = ({ held }) => {
  const byShare = groupBy(
    held.refunds.flatMap(({ status, shares }) =>
      status === 'failed' ? [] : (shares ?? []).map((call) => ({ ...call, status })),
    ),
    ({ shareId }) => shareId,
  )
  return held.splitShares.flatMap(({ id, creditedCents, calledCents, heldCents, reservedCents }) => {
    const calls = byShare.get(id) ?? []
    const called = sumOf(calls.map(({ cents, lackCents }) => cents + lackCents))
    const pending = sumOf(calls.filter(({ status }) => status === 'pending').map(({ cents }) => cents))
    return unless([
      [
        calledCents === called && called <= creditedCents,
        `share ${id} of ${creditedCents} is called for ${calledCents}`,
      ],
      [reservedCents === pending, `share ${id} reserves ${reservedCents} of ${pending}`],
      [heldCents >= 0 && heldCents + reservedCents <= creditedCents, `share ${id} holds ${heldCents}`],
    ])
  })
}

/** No share of an account that accepts writes is held at the end. */
export const sharesReleased: Invariant = ({ held }) => {
  const open = new Set(
    held.accounts.filter(({ status }) => status === 'ACTIVE' || status === 'INACTIVE').map(({ id }) => id),
  )
  return held.splitShares
    .filter(({ accountId, heldCents }) => heldCents > 0 && open.has(accountId))
    .map(({ id }) => `share ${id} is still held`)
}

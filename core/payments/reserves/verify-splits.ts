import { all, isIn } from '../../kernel/records/record.ts'
import { type Finding, firstOf, scanSlices, verifyTwice } from '../../kernel/running/verify.ts'
import { byId, type Store, sumOf } from '../../ports/store.ts'
import { charges, isOpen, isPaid, ofCharge } from '../charges/charge.ts'
import { receivedCents } from '../charges/detail.ts'
import { valuePaid } from '../charges/partial.ts'
import { failedRefundCause, refundCause, refunds } from '../charges/refund-records.ts'
import { entries, type Journal, journals, ledgerAccountId, PAYMENT_TYPE_IDS, PIX_REFUND } from '../ledger/ledger.ts'
import { reversedCents } from '../splits/reversal.ts'
import { readShares, returnCause, type SplitShare, splitShares } from '../splits/share.ts'

/**
 * Compares the shares of payments with the ledger: each share is credited by its journal, a journal credits no other, and refunds
 * reverse no more than was credited. Concurrent writes cause no faults. Reports the first fault of each kind and the number of
 * others.
 */
export const verifySplits = async (store: Store): Promise<Finding> => {
  const wrong: string[] = []
  const unknown: string[] = []
  const figures = { shares: 0, 'shared journals': 0 }
  for await (const slice of scanSlices(store, splitShares)) {
    figures.shares += slice.length
    for (const share of slice) wrong.push(...(await faultsOf(store, share)))
  }
  for await (const slice of scanSlices(store, journals))
    for (const journal of slice.filter(isShared)) {
      figures['shared journals'] += 1
      const known = (await returnedBy(store, journal)) ?? (await creditedBy(store, journal))
      if (known !== sharedCents(journal))
        unknown.push(
          `journal ${journal.id} credits ${sharedCents(journal)} to other accounts, and its shares are ${known}`,
        )
    }
  return { area: 'splits', figures, faults: [...firstOf(wrong), ...firstOf(unknown)] }
}

const faultsOf = async (store: Store, share: SplitShare): Promise<readonly string[]> => {
  const { id, accountId, journalId, creditedCents, heldCents, calledCents: called, reservedCents } = share
  const mostCents = creditedCents + (share.restoredCents ?? 0)
  const journal = await store.find(byId(journals, journalId))
  const book = ledgerAccountId(accountId, 'main')
  const isCredited = journal?.legs.some((leg) => leg.book === book && leg.cents === creditedCents)
  const returnedCents = share.returnedCents ?? 0
  const isWithin = [heldCents, called, reservedCents, returnedCents].every((cents) => cents >= 0 && cents <= mostCents)
  return [
    ...(isCredited ? [] : [`share ${id} of ${creditedCents} is not credited by journal ${journalId}`]),
    ...(isWithin && heldCents + reservedCents + returnedCents <= mostCents
      ? []
      : [`share ${id} has more held, reversed, reserved or returned than its ${mostCents}`]),
  ]
}

const legsOfOthers = ({ accountId, legs }: Journal) => legs.filter(({ book }) => !book.startsWith(`${accountId}:`))

const isShared = (journal: Journal): boolean => legsOfOthers(journal).length > 0

/** Returns the sum that a journal credits to other accounts; negative if it debits them. */
const sharedCents = (journal: Journal): number => legsOfOthers(journal).reduce((sum, { cents }) => sum + cents, 0)

const creditedBy = async (store: Store, { id: journalId }: Journal): Promise<number> =>
  (await readShares(store, { journalId })).reduce((sum, { creditedCents }) => sum + creditedCents, 0)

/**
 * Returns the sum that the journal of a refund, or of a returned share, credits to the receivers, negative for a debit; null for
 * any other journal.
 */
const returnedBy = async (store: Store, { cause }: Journal): Promise<number | null> => {
  if (cause.startsWith(returnCause(''))) {
    const share = await store.find(byId(splitShares, Number(cause.slice(returnCause('').length))))
    return 0 - (share?.returnedCents ?? 0)
  }
  for (const [causeOf, reversals] of [
    [refundCause, 'shares'],
    [failedRefundCause, 'corrections'],
  ] as const) {
    if (!cause.startsWith(causeOf(''))) continue
    const refund = await store.find(byId(refunds, cause.slice(causeOf('').length)))
    return 0 - reversedCents(refund?.[reversals] ?? null)
  }
  return null
}

/**
 * Checks every charge that was paid in part or in excess. Its paid and refunded amounts are those of its entries. The parts of an
 * open charge add up to the paid amount less its refunds, and have paid the stored part of its value. The over-payment does not
 * exceed the paid amount less its refunds. Concurrent writes cause no faults.
 */
export const verifyParts = async (store: Store): Promise<Finding> => {
  const faults: string[] = []
  const figures = { 'in parts': 0, overpaid: 0 }
  for await (const slice of scanSlices(store, charges))
    for (const { id, received, overpaidCents } of slice) {
      if (received === null && overpaidCents === null) continue
      figures[received === null ? 'overpaid' : 'in parts'] += 1
      faults.push(...(await verifyTwice(() => checkCharge(store, id))).faults)
    }
  return { area: 'parts', figures, faults: firstOf(faults) }
}

const checkCharge = async (store: Store, id: number) => {
  const charge = await store.find(byId(charges, id))
  if (!charge) return { faults: [`charge ${id} does not exist`] }
  const { amountPaidCents, refundedCents, overpaidCents, received, valuePaidCents } = charge
  const ofTypes = (typeIds: readonly number[]) => all(ofCharge(charge), isIn('typeId', typeIds))
  const [postedCents, returnedCents] = await Promise.all([
    sumOf(store, entries, 'valueCents', ofTypes(PAYMENT_TYPE_IDS)),
    sumOf(store, entries, 'valueCents', ofTypes([PIX_REFUND.id])),
  ])
  const [paidCents, refundedSum] = [amountPaidCents ?? 0, refundedCents ?? 0]
  const netCents = Math.max(0, paidCents - refundedSum)
  // Releases before 0.22.0 did not count a payment of a charge that accepted none; the worker counts it.
  const isCounted = isOpen(charge) || isPaid(charge)
  const wrong: readonly (readonly [boolean, string])[] = [
    [isCounted ? paidCents !== postedCents : paidCents > postedCents, `${paidCents} paid, and ${postedCents} posted`],
    [refundedSum !== -returnedCents, `${refundedSum} refunded, and ${-returnedCents} posted`],
    [
      received !== null && isOpen(charge) && receivedCents(charge) !== netCents,
      `parts that do not add up to ${netCents}`,
    ],
    [
      isOpen(charge) && valuePaidCents !== null && valuePaidCents !== valuePaid(charge).valuePaidCents,
      `${valuePaidCents} of its value paid`,
    ],
    [(overpaidCents ?? 0) > netCents, `${overpaidCents} over-paid, and ${netCents} not refunded`],
  ]
  return { faults: wrong.flatMap(([isWrong, words]) => (isWrong ? [`charge ${id} has ${words}`] : [])) }
}

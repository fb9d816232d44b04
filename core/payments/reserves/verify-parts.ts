import { type Finding, scanSlices, verifyTwice } from '../../kernel/running/verify.ts'
import { byId, type Store } from '../../ports/store.ts'
import { charges, countsPayments, isOpen } from '../charges/charge.ts'
import { receivedCents, sumOfEntries } from '../charges/detail.ts'
import { PAYMENT_TYPE_IDS } from '../charges/payment.ts'
import { PIX_REFUND } from '../ledger/ledger.ts'
import { firstOf } from './verify-money-out.ts'

/**
 * Checks every charge that was paid in part or in excess: its amounts are those of its entries, the parts of an open one are what
 * was received and not returned, and no more is over than that. Concurrent writes are no fault.
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
  if (!charge) return { faults: [`charge ${id} is gone`] }
  const { amountPaidCents, refundedCents, overpaidCents, received } = charge
  const [postedCents, returnedCents] = await Promise.all([
    sumOfEntries(store, charge, PAYMENT_TYPE_IDS),
    sumOfEntries(store, charge, [PIX_REFUND.id]),
  ])
  const [paidCents, backCents] = [amountPaidCents ?? 0, refundedCents ?? 0]
  const keptCents = paidCents - backCents
  const isCounted = countsPayments(charge)
  const wrong: readonly (readonly [boolean, string])[] = [
    [isCounted ? paidCents !== postedCents : paidCents > postedCents, `${paidCents} paid, and ${postedCents} posted`],
    [backCents !== -returnedCents, `${backCents} refunded, and ${-returnedCents} posted`],
    [received !== null && isOpen(charge) && receivedCents(charge) !== keptCents, `parts of other than ${keptCents}`],
    [(overpaidCents ?? 0) > Math.max(0, keptCents), `${overpaidCents} over, and kept ${keptCents}`],
  ]
  return { faults: wrong.flatMap(([isWrong, words]) => (isWrong ? [`charge ${id} has ${words}`] : [])) }
}

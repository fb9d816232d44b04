import { all, isIn } from '../../kernel/records/record.ts'
import { type Finding, faultsIn, firstOf, scanSlices, verifyTwice } from '../../kernel/running/verify.ts'
import { byId, type Store, sumOf } from '../../ports/store.ts'
import { charges, isOpen, isPaid, ofCharge } from '../charges/charge.ts'
import { receivedCents } from '../charges/detail.ts'
import { valuePaid } from '../charges/partial.ts'
import { entries, PAYMENT_TYPE_IDS, PIX_REFUND } from '../ledger/ledger.ts'

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
  const faults = faultsIn([
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
  ])
  return { faults: faults.map((words) => `charge ${id} has ${words}`) }
}

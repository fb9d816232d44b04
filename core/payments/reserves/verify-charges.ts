import { type Finding, faultsIn, firstOf, scanSlices, verifyTwice } from '../../kernel/running/verify.ts'
import { byId, groupOf, type Store } from '../../ports/store.ts'
import { charges, isOpen, isPaid, ofCharge } from '../charges/charge.ts'
import { receivedCents } from '../charges/detail.ts'
import { valuePaid } from '../charges/partial.ts'
import { entries, PAYMENT_TYPE_IDS, PIX_REFUND } from '../ledger/ledger.ts'

/**
 * Compares the charges with the ledger: the paid and refunded amounts of each, cards aside, are those of its entries.
 * The parts of an open charge add up to the paid amount less its refunds, and have paid the stored part of its value.
 * The over-payment does not exceed the paid amount less its refunds. Concurrent writes cause no faults.
 */
export const verifyCharges = async (store: Store): Promise<Finding> => {
  const faults: string[] = []
  const figures = { charges: 0, 'in parts': 0, overpaid: 0 }
  for await (const slice of scanSlices(store, charges)) {
    figures.charges += slice.length
    figures['in parts'] += slice.filter(({ received }) => received !== null).length
    figures.overpaid += slice.filter(({ overpaidCents }) => overpaidCents !== null).length
    const found = await Promise.all(slice.map(({ id }) => verifyTwice(() => checkCharge(store, id))))
    faults.push(...found.flatMap((each) => each.faults))
  }
  return { area: 'charges', figures, faults: firstOf(faults) }
}

const checkCharge = async (store: Store, id: number) => {
  const charge = await store.find(byId(charges, id))
  if (!charge) return { faults: [`charge ${id} does not exist`] }
  const { amountPaidCents, refundedCents, overpaidCents, received, valuePaidCents, paymentMethod } = charge
  const posted = groupOf(entries, { where: ofCharge(charge), by: ['typeId'], sum: ['valueCents'] })
  const sums = new Map((await store.group(posted)).map(({ by, sums }) => [by.typeId, sums.valueCents ?? 0]))
  const postedCents = PAYMENT_TYPE_IDS.reduce((sum, typeId) => sum + (sums.get(typeId) ?? 0), 0)
  const returnedCents = sums.get(PIX_REFUND.id) ?? 0
  const [paidCents, refundedSum] = [amountPaidCents ?? 0, refundedCents ?? 0]
  const netCents = Math.max(0, paidCents - refundedSum)
  // A card sale is posted when it is settled, less the fee: the card books are compared with the sales.
  const isByCard = paymentMethod === 'CREDIT_CARD'
  // Releases before 0.22.0 did not count a payment of a charge that accepted none; the worker counts it.
  const isCounted = isOpen(charge) || isPaid(charge)
  const faults = faultsIn([
    [
      !isByCard && (isCounted ? paidCents !== postedCents : paidCents > postedCents),
      `${paidCents} paid, and ${postedCents} posted`,
    ],
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

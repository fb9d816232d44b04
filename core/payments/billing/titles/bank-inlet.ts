import { dayOf } from '../../../kernel/values/day.ts'
import type { BankInlet } from '../../../ports/bank-inlet.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import type { Charge } from '../charge.ts'
import { dueOn } from '../charge-view.ts'
import { confirmPayment } from '../confirm-payment.ts'
import { cancelByBank } from '../end-open-charge.ts'
import { findCharge } from '../find-charge.ts'

/** Where the bank tells payments what happened to its titles. */
export const bankInlet = (ports: PaymentsPorts): BankInlet => ({
  paid: (notice) => confirmPayment(ports)(notice)(),
  cancelled: (txid) => cancelByBank(ports)(txid)(),
  amountDue: async (txid) => {
    const detail = await findCharge(ports, { txid })
    return detail && dueOn(detail.charge, dayOf(ports.clock.now()))
  },
})

/**
 * Asks the bank what became of a title and takes it over: payments that were not told yet, and a cancellation.
 * A bank that does not answer changes nothing.
 */
export const syncTitle =
  (ports: PaymentsPorts) =>
  async ({ txid, operation }: Charge): Promise<void> => {
    if (txid === null || operation !== null) return
    const known = await ports.bank.findPix(txid)
    if (known.outcome !== 'done' || !known.value) return
    for (const payment of known.value.payments) await confirmPayment(ports)(payment)()
    if (known.value.cancelled) await cancelByBank(ports)(txid)()
  }

import type { PaymentsPorts } from '../payments-ports.ts'
import type { Charge } from './charge.ts'
import { confirmPayment } from './confirm-payment.ts'
import { cancelByBank } from './end-open-charge.ts'

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

import { dayOf } from '../../kernel/day.ts'
import type { BankInlet } from '../../ports/bank-inlet.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { dueOn } from './charge-view.ts'
import { confirmPayment } from './confirm-payment.ts'
import { cancelByBank } from './end-open-charge.ts'
import { findCharge } from './find-charge.ts'

/** Where the bank tells payments what happened to its titles. */
export const bankInlet = (ports: PaymentsPorts): BankInlet => ({
  paid: (notice) => confirmPayment(ports)(notice)(),
  cancelled: (txid) => cancelByBank(ports)(txid)(),
  amountDue: async (txid) => {
    const detail = await findCharge(ports, { txid })
    return detail && dueOn(detail.charge, dayOf(ports.clock.now()))
  },
})

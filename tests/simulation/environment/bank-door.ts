import type { Bank, PayOuts, Refunds } from '../../../core/ports/bank.ts'
import { doorOf } from './door.ts'
import type { Ground } from './environment.ts'
import type { Life } from './life.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** The way of one process to the bank. */
export const bankDoor = (ground: Ground, life: Life, bank: Bank): Bank => {
  const { call, orders, asks } = doorOf(ground, life, { name: 'bank', latestMs: [MINUTE_MS, 2 * HOUR_MS] })
  const { payOuts, refunds } = bank
  const out: PayOuts | null = payOuts
    ? {
        findKey: (key) => call('look up', key, () => asks(() => payOuts.findKey(key))),
        payOut: (order) => call('pay out', order.id, (sentMs) => orders(order.id, sentMs, () => payOuts.payOut(order))),
        findPayOut: (id) => call('find', id, () => asks(() => payOuts.findPayOut(id))),
      }
    : null
  const back: Refunds | null = refunds
    ? {
        refund: (order) => call('refund', order.id, (sentMs) => orders(order.id, sentMs, () => refunds.refund(order))),
        findRefund: (order) => call('find', order.id, () => asks(() => refunds.findRefund(order))),
      }
    : null
  return {
    ...(out && { payOuts: out }),
    ...(back && { refunds: back }),
    compe: bank.compe,
    can: bank.can,
    txidLength: bank.txidLength,
    openAccount: (order) =>
      call('open', order.reference, (sentMs) => orders(order.reference, sentMs, () => bank.openAccount(order))),
    createTitle: (order) =>
      call('create', order.txid, (sentMs) => orders(order.txid, sentMs, () => bank.createTitle(order))),
    findTitle: (txid) => call('find', txid, () => asks(() => bank.findTitle(txid))),
    cancelTitle: (txid) => call('cancel', txid, () => asks(() => bank.cancelTitle(txid))),
  }
}

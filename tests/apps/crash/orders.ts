import type { Answer } from '../payments/test-api.ts'
import { chargeBody, type Merchant, payOutBody, type WithdrawOrder } from '../processes/merchants.ts'
import type { Process } from '../processes/processes.ts'

/** What somebody asks of the app. Whoever got no answer asks the same again, and means the same. */
export type Order =
  | { readonly kind: 'issue'; readonly owner: Merchant; readonly key: string; readonly webhook: string }
  | { readonly kind: 'register'; readonly owner: Merchant; readonly key: string; readonly document: string }
  | { readonly kind: 'pay'; readonly txid: string; readonly endToEndId: string; readonly valueCents: number }
  | { readonly kind: 'cancel'; readonly txid: string }
  | WithdrawOrder
  | {
      readonly kind: 'refund'
      readonly owner: Merchant
      readonly key: string
      readonly chargeId: number
      /** Of the Pix that goes back: a charge may have got several. */
      readonly endToEndId: string
      readonly valueCents: number
    }
  | { readonly kind: 'edit'; readonly owner: Merchant; readonly limitCents: number }
  | { readonly kind: 'read'; readonly owner: Merchant }

export type Kind = Order['kind']
export type OrderOf<K extends Kind> = Extract<Order, { readonly kind: K }>

type KeyedOrder = OrderOf<'issue' | 'register' | 'withdraw' | 'refund'>

const keyed = ({ owner, key }: KeyedOrder, body: unknown) => ({
  token: owner.token,
  headers: { 'idempotency-key': key },
  body,
})

/** Asks it. Rejects where the process ends before it has answered. */
export const ask = (process: Process, order: Order): Promise<Answer> => {
  switch (order.kind) {
    case 'issue': {
      const { key: description, webhook } = order
      return process.ask('POST', '/invoices', keyed(order, chargeBody({ description, webhook })))
    }
    case 'register':
      return process.ask('POST', '/v1/clients', keyed(order, { name: order.key, document: order.document }))
    case 'pay': {
      const { txid, valueCents, endToEndId: end_to_end_id } = order
      return process.ask('POST', '/fake-bank/payments', { body: { txid, value: valueCents / 100, end_to_end_id } })
    }
    case 'cancel':
      return process.ask('POST', '/fake-bank/cancellations', { body: { txid: order.txid } })
    case 'withdraw': {
      return process.ask('POST', '/legacypay/pix-out/dataBank', keyed(order, payOutBody(order)))
    }
    case 'refund': {
      const body = { value: order.valueCents / 100, reason: order.key, end_to_end_id: order.endToEndId }
      return process.ask('POST', `/invoices/${order.chargeId}/refund`, keyed(order, body))
    }
    case 'edit': {
      // One that is in nobody's way: charges are of more.
      const limits = { charge_min: order.limitCents / 100 }
      return process.ask('PUT', `/fake-bank/accounts/${order.owner.accountId}`, { body: { limits } })
    }
    case 'read':
      return process.ask('GET', '/consolidation/transactions?per_page=50', { token: order.owner.token })
  }
}

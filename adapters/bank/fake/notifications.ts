import { isLeft } from '../../../core/fp.ts'
import { patch } from '../../../core/kernel/records/change.ts'
import { always } from '../../../core/kernel/records/where.ts'
import { type Queue, queueOf } from '../../../core/kernel/running/queue.ts'
import type { KeyHooks, Runtime } from '../../../core/kernel/running/use-case.ts'
import type { PaymentsPart } from '../../../core/payments/payments-ports.ts'
import type { BankNotifications, PaymentNotice } from '../../../core/ports/bank.ts'
import { fakeBankCollections, type Payment, payments, type Title, titles } from './books.ts'

const LEASE_SECONDS = 30
const AT_ONCE = 8

/** What the fake bank keeps and tells, for the worker of whoever it tells. */
export const fakeBankPart = (notifications: FakeBankNotifications): PaymentsPart => ({
  collections: fakeBankCollections,
  queues: (ports) => fakeBankQueues(ports, notifications),
})

/** Notices of payments and cancellations that the platform has not taken yet: they are told again until it does. */
export const fakeBankQueues = (runtime: Runtime, notifications: FakeBankNotifications): readonly Queue[] => {
  const { notifyPaid: tellPaid, notifyCancelled: tellCancelled } = notifierOf(runtime, notifications)
  const lease = { leaseSeconds: LEASE_SECONDS, atOnce: AT_ONCE }
  return [
    queueOf({
      ...lease,
      collection: payments,
      handle: async (payment) => {
        await tellPaid(payment)
      },
    }),
    queueOf({
      ...lease,
      collection: titles,
      handle: async (title) => {
        await tellCancelled(title)
      },
    }),
  ]
}

/** What the platform made of a notice: it took it, refused it for good, or could not hear it just now. */
export type NoticeResult = 'taken' | 'refused' | 'not yet'

/** A payment, and what the platform made of it. */
export interface NotifiedPayment {
  readonly endToEndId: string
  readonly notice: NoticeResult
}

/** The notifications that the embedded bank sends: all that it gives can be read. */
export type FakeBankNotifications = Omit<BankNotifications, 'unreadable'>

/** Tells the platform what happened at the bank; what it could not hear it is told again later. */
export interface Notifier {
  notifyPaid(payment: Payment, hooks?: KeyHooks<NotifiedPayment>): Promise<NotifiedPayment>
  notifyCancelled(title: Pick<Title, 'id'>): Promise<void>
}

/** Money by an open code is no title's. */
const tell = (notifications: FakeBankNotifications, payment: Payment) => {
  const { method: _, ...notice } = noticeOf(payment)
  return payment.pixKey === null
    ? notifications.paid(noticeOf(payment))
    : notifications.received({ ...notice, pixKey: payment.pixKey })
}

export const notifierOf = ({ store }: Runtime, notifications: FakeBankNotifications): Notifier => ({
  async notifyPaid(payment, hooks) {
    const { endToEndId } = noticeOf(payment)
    const told = await tell(notifications, payment)()
    if (isLeft(told) && told.left.tag === 'unavailable') return { endToEndId, notice: 'not yet' }
    const refusal = isLeft(told) ? told.left.code : null
    const paid: NotifiedPayment = { endToEndId, notice: refusal === null ? 'taken' : 'refused' }
    const change = patch(payments, payment.id, { set: { dueAt: null, refusal }, when: always })
    const { ok } = await store.commit([change], hooks && (() => hooks.succeeded(paid)))
    return ok ? paid : { endToEndId, notice: 'not yet' }
  },
  async notifyCancelled({ id }) {
    if (isLeft(await notifications.cancelled(id)())) return
    await store.commit([patch(titles, id, { set: { dueAt: null }, when: always })])
  },
})

/** What the bank tells the platform of a payment. */
export const noticeOf = (payment: Payment): PaymentNotice => ({
  txid: payment.txid,
  endToEndId: payment.endToEndId ?? payment.id,
  method: payment.method ?? 'pix',
  valueCents: payment.valueCents,
  paidAt: payment.paidAt,
  payer: { name: payment.payerName, document: payment.payerDocument, bank: null, branch: null, account: null },
})

import { isLeft } from '../../../core/failure.ts'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { type Queue, queueOf } from '../../../core/kernel/running/queue.ts'
import type { KeyHooks, Runtime } from '../../../core/kernel/running/use-case.ts'
import type { PaymentsPart } from '../../../core/payments/payments-ports.ts'
import type { BankNotifications, PaymentNotice } from '../../../core/ports/bank.ts'
import { fakeBankCollections, type Payment, payments, type Title, titles } from './books.ts'

const LEASE_SECONDS = 30
const AT_ONCE = 8

/** The notifications that the embedded bank sends. All its records can be read. */
export type FakeBankNotifications = Omit<BankNotifications, 'unreadable'>

/** The collections of the embedded bank, and the worker's queues that repeat its notifications. */
export const fakeBankPart = (notifications: FakeBankNotifications): PaymentsPart => ({
  collections: fakeBankCollections,
  queues: (ports) => fakeBankQueues(ports, notifications),
})

/** Repeats notifications of payments and cancellations until the platform accepts or refuses them. */
export const fakeBankQueues = (runtime: Runtime, notifications: FakeBankNotifications): readonly Queue[] => {
  const { notifyPaid, notifyCancelled } = notifierOf(runtime, notifications)
  const lease = { leaseSeconds: LEASE_SECONDS, atOnce: AT_ONCE }
  return [
    queueOf({
      ...lease,
      collection: payments,
      handle: async (payment) => {
        await notifyPaid(payment)
      },
    }),
    queueOf({ ...lease, collection: titles, handle: (title) => notifyCancelled(title) }),
  ]
}

/** The platform's response to a notification: accepted, refused for good, or unavailable. */
export type NoticeResult = 'taken' | 'refused' | 'not yet'

/** A payment whose notification was sent. */
export interface NotifiedPayment {
  readonly endToEndId: string
  readonly notice: NoticeResult
}

interface Notifier {
  notifyPaid(payment: Payment, hooks?: KeyHooks<NotifiedPayment>): Promise<NotifiedPayment>
  notifyCancelled(title: Pick<Title, 'id'>): Promise<void>
}

/** Notifies the platform. If it is unavailable, the queues send the notification again. */
export const notifierOf = ({ store }: Runtime, notifications: FakeBankNotifications): Notifier => ({
  async notifyPaid(payment, hooks) {
    const { endToEndId } = noticeOf(payment)
    const result = await sendNotice(notifications, payment)()
    if (isLeft(result) && result.left.tag === 'unavailable') return { endToEndId, notice: 'not yet' }
    const refusal = isLeft(result) ? result.left.code : null
    const notified: NotifiedPayment = { endToEndId, notice: refusal === null ? 'taken' : 'refused' }
    const change = patch(payments, payment.id, { set: { dueAt: null, refusal }, when: always })
    const { ok } = await store.commit([change], hooks && (() => hooks.succeeded(notified)))
    return ok ? notified : { endToEndId, notice: 'not yet' }
  },
  async notifyCancelled({ id }) {
    if (isLeft(await notifications.cancelled(id)())) return
    await store.commit([patch(titles, id, { set: { dueAt: null }, when: always })])
  },
})

/** Sends the notice of a payment: of a title, or of the open code of an account. */
const sendNotice = (notifications: FakeBankNotifications, payment: Payment) => {
  const { method, ...notice } = noticeOf(payment)
  return payment.pixKey === null
    ? notifications.paid({ ...notice, method })
    : notifications.received({ ...notice, pixKey: payment.pixKey })
}

export const noticeOf = (payment: Payment): PaymentNotice => ({
  txid: payment.txid,
  endToEndId: payment.endToEndId ?? payment.id,
  method: payment.method ?? 'pix',
  valueCents: payment.valueCents,
  paidAt: payment.paidAt,
  payer: { name: payment.payerName, document: payment.payerDocument, bank: null, branch: null, account: null },
})

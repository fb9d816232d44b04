import { sweepOf } from '../../../core/kernel/running/jobs.ts'
import { applyOutcome, type Queue, queueOf } from '../../../core/kernel/running/queue.ts'
import type { Runtime } from '../../../core/kernel/running/use-case.ts'
import { addSeconds } from '../../../core/kernel/values/day.ts'
import type { PaymentsPart } from '../../../core/payments/payments-ports.ts'
import type { Bank, BankAnswer, BankNotifications, BankRefund, RefundOrder, Refunds } from '../../../core/ports/bank.ts'
import {
  answerOf,
  centsIn,
  endToEndIdIn,
  formatAmount,
  isNotFound,
  type JsonObject,
  storedOrRefused,
  textIn,
} from './answers.ts'
import type { PixApi } from './client.ts'
import { pixApiMovements } from './movements.ts'
import { checkNotice, expiryFrom, type Notice, notices, pixApiCollections } from './notices.ts'
import { noWebhook, type PixApiWebhook, sweepJob } from './sweep.ts'
import { cancelTitle, createTitle, findTitle } from './titles.ts'

/** The API reports neither the bank nor the account: these placeholders belong to none. */
const NO_COMPE = '000'
const NO_ACCOUNT = { agency: '0000', account: '0' } as const
/** The length of a UUID without hyphens; the API accepts 26 to 35. */
const TXID_LENGTH = 32

/** A bank by the API Pix 2.9.0 (BCB): Pix charges, refunds and movements on the account of one Pix key. */
export const pixApiBank =
  (api: PixApi) =>
  (runtime: Pick<Runtime, 'clock'>): Bank => ({
    compe: NO_COMPE,
    can: ['pix'],
    txidLength: TXID_LENGTH,
    openAccount: async () => ({ outcome: 'done', value: { ...NO_ACCOUNT, pixKey: api.pixKey } }),
    createTitle: (order) => createTitle(api, runtime, order),
    findTitle: (txid) => findTitle(api, txid),
    cancelTitle: (txid) => cancelTitle(api, txid),
    refunds: pixApiRefunds(api),
    movements: pixApiMovements(api),
  })

/** Longer than all exchanges of one check. */
const LEASE_SECONDS = 60
const AT_ONCE = 4
const FIRST_WAIT_SECONDS = 2
const LONGEST_WAIT_SECONDS = 3_600

type PixApiNotifications = Pick<BankNotifications, 'paid' | 'received' | 'unreadable'>

/** The collections and background work of the adapter: it checks notices, and sweeps the list for missed ones. */
export const pixApiPart = (
  api: PixApi,
  notifications: PixApiNotifications,
  { register }: PixApiWebhook = noWebhook,
): PaymentsPart => ({
  collections: pixApiCollections,
  sweeps: [sweepOf(notices)],
  queues: (ports) => [noticeQueue(api, ports, notifications)],
  jobs: ({ store }) => [sweepJob({ api, store, notifications, registerWebhook: register })],
})

const noticeQueue = (
  api: PixApi,
  { store, clock }: Pick<Runtime, 'store' | 'clock'>,
  notifications: PixApiNotifications,
): Queue =>
  queueOf({
    collection: notices,
    leaseSeconds: LEASE_SECONDS,
    atOnce: AT_ONCE,
    handle: async (notice) => {
      const outcome = await checkNotice(api, notifications, notice)
      const steady = clock.steady()
      const ended = { outcome, dueAt: null, expiresAt: expiryFrom(steady) }
      await applyOutcome(store, notices, notice, outcome === null ? { dueAt: nextAttempt(notice, steady) } : ended)
    },
  })

const nextAttempt = ({ attempts }: Notice, steady: string): string =>
  addSeconds(steady, Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** Math.min(attempts, 12)))

const STATUSES = { EM_PROCESSAMENTO: 'processing', DEVOLVIDO: 'returned', NAO_REALIZADO: 'failed' } as const

const REFUND_ID = /^[a-zA-Z0-9]{1,35}$/
const UNKNOWN_PIX = 'Pix desconhecido.'

/** Refunds by `/pix/{e2eid}/devolucao/{id}` of the API Pix 2.9.0 (BCB). */
const pixApiRefunds = (api: PixApi): Refunds => ({
  refund: (order) => refund(api, order),
  findRefund: (order) => findRefund(api, order),
})

const pathOf = ({ endToEndId, id }: RefundOrder): string | null =>
  endToEndIdIn(endToEndId) === null || !REFUND_ID.test(id) ? null : `/pix/${endToEndId}/devolucao/${id}`

const refund = async (api: PixApi, order: RefundOrder): Promise<BankAnswer<BankRefund>> => {
  const path = pathOf(order)
  if (path === null) return { outcome: 'refused', reason: UNKNOWN_PIX }
  const { valueCents, reason } = order
  const body = { valor: formatAmount(valueCents), ...(reason === null ? {} : { descricao: reason }) }
  const answer = answerOf(
    await api.request('PUT', path, body),
    (reply) => refundIn(reply, order),
    () => unreadable(api, order),
  )
  return answer.outcome === 'refused' ? storedOrRefused(answer, await findRefund(api, order)) : answer
}

const unreadable = ({ pixKey }: PixApi, { id }: RefundOrder) => ({ kind: 'refund', id, txid: null, pixKey }) as const

const findRefund = async (api: PixApi, order: RefundOrder): Promise<BankAnswer<BankRefund | null>> => {
  const path = pathOf(order)
  if (path === null) return { outcome: 'done', value: null }
  const reply = await api.request('GET', path)
  if (isNotFound(reply)) return { outcome: 'done', value: null }
  return answerOf(
    reply,
    (body) => refundIn(body, order),
    () => unreadable(api, order),
  )
}

/** Reads the refund of an order; null if it is malformed, or has another id or amount. */
const refundIn = (body: JsonObject, { id, valueCents }: RefundOrder): BankRefund | null => {
  const status = Object.entries(STATUSES).find(([name]) => name === body.status)?.[1]
  if (body.id !== id || status === undefined || centsIn(body.valor) !== valueCents) return null
  return { status, reason: status === 'failed' ? textIn(body.motivo) : null, returnId: textIn(body.rtrId) }
}

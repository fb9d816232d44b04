import type { BankAnswer, BankRefund, RefundOrder, Refunds } from '../../../core/ports/bank.ts'
import { answerOf, centsIn, endToEndIdIn, formatAmount, isNotFound, type JsonObject, textIn } from './answers.ts'
import type { PixApi } from './client.ts'

const STATUSES = { EM_PROCESSAMENTO: 'processing', DEVOLVIDO: 'returned', NAO_REALIZADO: 'failed' } as const

/** What may stand in a path of the API. */
const REFUND_ID = /^[a-zA-Z0-9]{1,35}$/
const UNKNOWN_PIX = 'Pix desconhecido.'

/** Devoluções of the API Pix. Source: BCB, API Pix 2.9.0, `/pix/{e2eid}/devolucao/{id}`. */
export const pixApiRefunds = (api: PixApi): Refunds => ({
  refund: (order) => refund(api, order),
  findRefund: (order) => findRefund(api, order),
})

const pathOf = ({ endToEndId, id }: RefundOrder): string | null =>
  endToEndIdIn(endToEndId) === null || !REFUND_ID.test(id) ? null : `/pix/${endToEndId}/devolucao/${id}`

/** Asks for a refund by our own id. What the bank does not take it may have taken before: then that is the answer. */
const refund = async (api: PixApi, order: RefundOrder): Promise<BankAnswer<BankRefund>> => {
  const path = pathOf(order)
  if (path === null) return { outcome: 'refused', reason: UNKNOWN_PIX }
  const { valueCents, reason } = order
  const body = { valor: formatAmount(valueCents), ...(reason === null ? {} : { descricao: reason }) }
  const asked = answerOf(
    await api.request('PUT', path, body),
    (told) => refundIn(told, order),
    () => unreadable(api, order),
  )
  if (asked.outcome !== 'refused') return asked
  const known = await findRefund(api, order)
  if (known.outcome === 'done') return known.value === null ? asked : { outcome: 'done', value: known.value }
  if (known.outcome === 'unknown') return known
  return known.outcome === 'refused' ? asked : { outcome: 'unknown' }
}

const unreadable = ({ pixKey }: PixApi, { id }: RefundOrder) => ({ kind: 'refund', id, txid: null, pixKey }) as const

/** The refund of an order, or null where the bank has none of it. */
const findRefund = async (api: PixApi, order: RefundOrder): Promise<BankAnswer<BankRefund | null>> => {
  const path = pathOf(order)
  if (path === null) return { outcome: 'done', value: null }
  const reply = await api.request('GET', path)
  if (isNotFound(reply)) return { outcome: 'done', value: null }
  return answerOf(
    reply,
    (told) => refundIn(told, order),
    () => unreadable(api, order),
  )
}

/** The refund of an order; null if it cannot be read, or has another id or amount. */
const refundIn = (told: JsonObject, { id, valueCents }: RefundOrder): BankRefund | null => {
  const status = Object.entries(STATUSES).find(([name]) => name === told.status)?.[1]
  if (told.id !== id || status === undefined || centsIn(told.valor) !== valueCents) return null
  return { status, reason: status === 'failed' ? textIn(told.motivo) : null, returnId: textIn(told.rtrId) }
}

import type { BankAnswer, BankRefund, RefundOrder, Refunds } from '../../../core/ports/bank.ts'
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

const STATUSES = { EM_PROCESSAMENTO: 'processing', DEVOLVIDO: 'returned', NAO_REALIZADO: 'failed' } as const

const REFUND_ID = /^[a-zA-Z0-9]{1,35}$/
const UNKNOWN_PIX = 'Pix desconhecido.'

/** Refunds by `/pix/{e2eid}/devolucao/{id}` of the API Pix 2.9.0 (BCB). */
export const pixApiRefunds = (api: PixApi): Refunds => ({
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

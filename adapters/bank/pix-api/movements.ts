import { addSeconds } from '../../../core/kernel/values/day.ts'
import type {
  BankAnswer,
  Movement,
  MovementKey,
  MovementPage,
  Movements,
  MovementsQuery,
  UnreadableMovement,
} from '../../../core/ports/bank.ts'
import {
  answerOf,
  centsIn,
  countIn,
  endToEndIdIn,
  idIn,
  instantIn,
  isNotFound,
  type JsonObject,
  listIn,
  objectIn,
  type PixRecord,
  pixIn,
  unreadablePix,
} from './answers.ts'
import type { PixApi } from './client.ts'

const ITEMS_A_PAGE = 100
/** The API includes the end of a period, the port excludes it. */
const MILLISECOND = 0.001

/** The path of the list, by which an unreadable record without an id is identified. */
export const LIST = 'GET /pix'

/** Received Pix and their refunds, as `GET /pix` of the API Pix 2.9.0 (BCB) lists them: by the time of the Pix. */
export const pixApiMovements = (api: PixApi): Movements => ({
  kinds: ['pix', 'refund'],
  list: (query) => list(api, query),
  findMovement: (key) => find(api, key),
})

interface PixPage {
  readonly pages: number
  readonly items: readonly JsonObject[]
}

/** Lists received Pix from one instant to another, both included. */
export const listReceivedPix = async (
  api: PixApi,
  { from, to, page }: { readonly from: string; readonly to: string; readonly page: number },
): Promise<BankAnswer<PixPage>> => {
  const query = new URLSearchParams({
    inicio: from,
    fim: to,
    'paginacao.paginaAtual': `${page}`,
    'paginacao.itensPorPagina': `${ITEMS_A_PAGE}`,
  })
  return answerOf(await api.request('GET', `/pix?${query}`), pixPageIn, () => unreadablePix({}, LIST, api.pixKey))
}

/** Null if the page is malformed or lacks the records that it counts. */
const pixPageIn = ({ parametros, pix }: JsonObject): PixPage | null => {
  const { quantidadeDePaginas, quantidadeTotalDeItens } = objectIn(objectIn(parametros).paginacao)
  const [pages, total] = [countIn(quantidadeDePaginas), countIn(quantidadeTotalDeItens)]
  const isWhole = Array.isArray(pix) || pages === 0 || total === 0
  return pages === null || !isWhole ? null : { pages, items: listIn(pix).map(objectIn) }
}

const list = async (api: PixApi, { from, to, cursor }: MovementsQuery): Promise<BankAnswer<MovementPage>> => {
  const page = Number(cursor ?? 0)
  const listed = await listReceivedPix(api, { from, to: addSeconds(to, -MILLISECOND), page })
  return listed.outcome === 'done' ? { outcome: 'done', value: pageOf(api, listed.value, page) } : listed
}

const pageOf = (api: PixApi, listed: PixPage, page: number): MovementPage => {
  const read = listed.items.map((item) => movementsIn(api, item, LIST))
  return {
    movements: read.flatMap(({ movements }) => movements),
    unreadable: read.flatMap(({ unreadable }) => unreadable),
    next: page + 1 < listed.pages ? `${page + 1}` : null,
  }
}

type ReadMovements = Required<Pick<MovementPage, 'movements' | 'unreadable'>>

/** Reads a received Pix and its refunds. An unreadable one does not affect the others. */
const movementsIn = (api: PixApi, item: JsonObject, requestedAs: string): ReadMovements => {
  const received = pixIn(item)
  const unreadable = unreadablePix(item, requestedAs, api.pixKey)
  const refunds = listIn(item.devolucoes).map((refund) => refundIn(objectIn(refund), unreadable))
  return {
    movements: [...(received === null ? [] : [movementOf(received)]), ...refunds.filter(isReadable)],
    unreadable: [...(received === null ? [unreadable] : []), ...refunds.filter(isUnreadable)],
  }
}

const movementOf = ({ endToEndId: id, txid, pixKey, valueCents, paidAt: at }: PixRecord): Movement => ({
  kind: 'pix',
  id,
  endToEndId: id,
  txid,
  pixKey,
  valueCents,
  at,
})

type RefundRead = Movement | UnreadableMovement | null
const isReadable = (refund: RefundRead): refund is Movement => refund !== null && 'valueCents' in refund
const isUnreadable = (refund: RefundRead): refund is UnreadableMovement => refund !== null && !('valueCents' in refund)

const NOT_RETURNED: readonly unknown[] = ['EM_PROCESSAMENTO', 'NAO_REALIZADO']

/** Reads a refund of a Pix; null if no money was returned. */
const refundIn = ({ id, valor, horario, status }: JsonObject, pix: UnreadableMovement): RefundRead => {
  if (NOT_RETURNED.includes(status)) return null
  const { liquidacao, solicitacao } = objectIn(horario)
  const [own, valueCents, at] = [idIn(id), centsIn(valor), instantIn(liquidacao) ?? instantIn(solicitacao)]
  if (status !== 'DEVOLVIDO' || own === null || valueCents === null || at === null)
    return { ...pix, kind: 'refund', id: own ?? pix.id }
  return { kind: 'refund', id: own, endToEndId: pix.id, txid: null, pixKey: null, valueCents, at }
}

const find = async (api: PixApi, { kind, id, endToEndId }: MovementKey): Promise<BankAnswer<Movement | null>> => {
  const none = { outcome: 'done', value: null } as const
  if (kind === 'boleto' || kind === 'pay-out' || endToEndIdIn(endToEndId) === null) return none
  const reply = await api.request('GET', `/pix/${endToEndId}`)
  if (isNotFound(reply)) return none
  const isRequested = (movement: Pick<Movement, 'kind' | 'id'>) => movement.kind === kind && movement.id === id
  const answer = answerOf(
    reply,
    (body) => {
      const { movements, unreadable } = movementsIn(api, body, endToEndId)
      return unreadable.some(isRequested) ? null : { found: movements.find(isRequested) ?? null }
    },
    (body) => ({ ...unreadablePix(body, endToEndId, api.pixKey), kind, id }),
  )
  return answer.outcome === 'done' ? { outcome: 'done', value: answer.value.found } : answer
}

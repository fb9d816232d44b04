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
  endToEndIdIn,
  idIn,
  instantIn,
  isNotFound,
  type JsonObject,
  listIn,
  objectIn,
  type PixRecord,
  pixIn,
  pixPageIn,
  unreadablePix,
} from './answers.ts'
import type { PixApi } from './client.ts'

const ITEMS_A_PAGE = 100
/** What the API's ends include, ours do not. */
const MILLISECOND = 0.001

/**
 * The bank's list of what came in, with what went back of it. Refunds of what came in on other days are asked for one by one.
 * Source: BCB, API Pix 2.9.0, `GET /pix`.
 */
export const pixApiMovements = (api: PixApi): Movements => ({
  kinds: ['pix', 'refund'],
  list: (asked) => list(api, asked),
  findMovement: (key) => find(api, key),
})

const list = async (api: PixApi, { from, to, cursor: place }: MovementsQuery): Promise<BankAnswer<MovementPage>> => {
  const page = Number(place ?? 0)
  const asked = new URLSearchParams({
    inicio: from,
    fim: addSeconds(to, -MILLISECOND),
    'paginacao.paginaAtual': `${page}`,
    'paginacao.itensPorPagina': `${ITEMS_A_PAGE}`,
  })
  return answerOf(
    await api.request('GET', `/pix?${asked}`),
    (body) => pageIn(api, body, page),
    () => unreadablePix({}, 'GET /pix', api.pixKey),
  )
}

/** A page of the list; null if it is none. A record that cannot be read is named, and does not affect the others. */
const pageIn = (api: PixApi, body: JsonObject, page: number): MovementPage | null => {
  const listed = pixPageIn(body)
  if (listed === null) return null
  const read = listed.items.map((each) => movementsIn(api, each, 'GET /pix'))
  return {
    movements: read.flatMap(({ movements }) => movements),
    unreadable: read.flatMap(({ unreadable }) => unreadable),
    next: page + 1 < listed.pages ? `${page + 1}` : null,
  }
}

type Read = Required<Pick<MovementPage, 'movements' | 'unreadable'>>

/** A received Pix and its refunds, each by itself. */
const movementsIn = (api: PixApi, told: JsonObject, requestedAs: string): Read => {
  const received = pixIn(told)
  const unreadable = unreadablePix(told, requestedAs, api.pixKey)
  const refunds = listIn(told.devolucoes).map((each) => refundIn(objectIn(each), unreadable))
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

/** Statuses of a refund that has not gone back. */
const NOT_RETURNED: readonly unknown[] = ['EM_PROCESSAMENTO', 'NAO_REALIZADO']

/** A refund of a Pix; null of one that has not gone back. */
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
  const isIt = (each: Pick<Movement, 'kind' | 'id'>): boolean => each.kind === kind && each.id === id
  const known = answerOf(
    reply,
    (body) => {
      const { movements, unreadable } = movementsIn(api, body, endToEndId)
      return unreadable.some(isIt) ? null : { found: movements.find(isIt) ?? null }
    },
    (body) => ({ ...unreadablePix(body, endToEndId, api.pixKey), kind, id }),
  )
  return known.outcome === 'done' ? { outcome: 'done', value: known.value.found } : known
}

import { plusSeconds } from '../../../../core/kernel/values/day.ts'
import type { BankAnswer } from '../../../../core/ports/bank-answer.ts'
import type {
  Movement,
  MovementKey,
  MovementPage,
  Movements,
  MovementsAsked,
} from '../../../../core/ports/movements.ts'
import { centsIn, listIn, type Told, textIn, toldIn } from '../client/json.ts'
import type { PixApi } from '../client/pix-api.ts'
import { endToEndIdIn, instantIn, pixIn } from '../client/received.ts'
import { answerOf, isNotFound } from '../client/reply.ts'

const ITEMS_A_PAGE = 100
/** What the API's ends include, ours do not. */
const A_MOMENT = 0.001

/**
 * The bank's list of what came in, with what went back of it. Refunds of what came in on other days are asked for one by one.
 * Source: BCB, API Pix 2.9.0, `GET /pix`.
 */
export const pixApiMovements = (api: PixApi): Movements => ({
  kinds: ['pix', 'refund'],
  list: (asked) => list(api, asked),
  findMovement: (key) => find(api, key),
})

const list = async (api: PixApi, { from, to, place }: MovementsAsked): Promise<BankAnswer<MovementPage>> => {
  const page = Number(place ?? 0)
  const asked = new URLSearchParams({
    inicio: from,
    fim: plusSeconds(to, -A_MOMENT),
    'paginacao.paginaAtual': `${page}`,
    'paginacao.itensPorPagina': `${ITEMS_A_PAGE}`,
  })
  return answerOf(await api.ask('GET', `/pix?${asked}`), (body) => pageIn(body, page))
}

/** A page of the list; null of what is none, or has something in it that is none: nothing follows from half a list. */
const pageIn = ({ parametros, pix }: Told, page: number): MovementPage | null => {
  const pages = Number(toldIn(toldIn(parametros).paginacao).quantidadeDePaginas)
  const movements = listIn(pix).map((each) => movementsIn(toldIn(each)))
  if (!Number.isInteger(pages) || movements.includes(null)) return null
  return { movements: movements.flatMap((each) => each ?? []), next: page + 1 < pages ? `${page + 1}` : null }
}

const movementsIn = (told: Told): readonly Movement[] | null => {
  const received = pixIn(told)
  if (received === null) return null
  const { endToEndId: id, txid, pixKey, valueCents, paidAt: at } = received
  const refunds = listIn(told.devolucoes).map((each) => refundIn(toldIn(each), id))
  return [{ kind: 'pix', id, endToEndId: id, txid, pixKey, valueCents, at }, ...refunds.filter((each) => each !== null)]
}

/** What went back; null of what is none, and of what did not go back. */
const refundIn = ({ id, valor, horario, status }: Told, endToEndId: string): Movement | null => {
  const { liquidacao, solicitacao } = toldIn(horario)
  const [own, valueCents, at] = [textIn(id), centsIn(valor), instantIn(liquidacao) ?? instantIn(solicitacao)]
  if (status !== 'DEVOLVIDO' || own === null || valueCents === null || at === null) return null
  return { kind: 'refund', id: own, endToEndId, txid: null, pixKey: null, valueCents, at }
}

const find = async (api: PixApi, { kind, id, endToEndId }: MovementKey): Promise<BankAnswer<Movement | null>> => {
  const none = { outcome: 'done', value: null } as const
  if (kind === 'boleto' || kind === 'pay-out' || endToEndIdIn(endToEndId) === null) return none
  const reply = await api.ask('GET', `/pix/${endToEndId}`)
  if (isNotFound(reply)) return none
  const known = answerOf(reply, (body) => movementsIn(toldIn(body)))
  if (known.outcome !== 'done') return known
  return { outcome: 'done', value: known.value.find((each) => each.kind === kind && each.id === id) ?? null }
}

import type { Runtime } from '../../../../core/kernel/running/use-case.ts'
import type { BankAnswer, Title, TitleOrder } from '../../../../core/ports/bank.ts'
import type { PixApi, PixApiReply } from '../client/pix-api.ts'
import { isForeign } from '../client/received.ts'
import { answerOf, doneOf, isNotFound } from '../client/reply.ts'
import { cobIn, titleOf, unreadableCob, type WholeCob, wholeCobIn } from './cob.ts'
import { type CobOrder, cobOrder, secondsUntilOver } from './cob-order.ts'

/** What may stand in a path of the API. */
const TXID = /^[a-zA-Z0-9]{26,35}$/
const PATHS = ['cob', 'cobv'] as const
const REMOVED = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' } as const

const refused = (reason: string) => ({ outcome: 'refused', reason }) as const

const NO_CODE = 'O banco deu um código Pix inválido.'
const OTHER_KEY = 'A chave Pix da conta não é a deste banco.'
const NOT_OPEN = 'A cobrança já foi paga.'
const NO_TITLE = 'Título desconhecido.'

/** Makes a title by our own id. What the bank does not take it may have taken before: then that is the answer. */
export const createTitle = async (
  api: PixApi,
  { clock }: Pick<Runtime, 'clock'>,
  order: TitleOrder,
): Promise<BankAnswer<Title>> => {
  const { txid } = order
  if (order.method !== 'PIX') return refused('Operação não disponível neste banco.')
  if (order.pixKey !== api.pixKey) return refused(OTHER_KEY)
  if (!TXID.test(txid)) return refused(`O txid ${txid} não tem de 26 a 35 letras e números.`)
  const asked = cobOrder(order, api.pixKey, clock.steady())
  if (typeof asked === 'string') return refused(asked)
  const made = answerOf(
    await api.ask('PUT', `/${asked.path}/${txid}`, asked.body),
    (body) => wholeCobIn(body, txid),
    () => unreadableCob(txid, api.pixKey),
  )
  if (made.outcome === 'refused') return earlierOr(made, await findTitle(api, txid))
  if (made.outcome !== 'done') return made
  return keepIfRight(api, order, asked, made.value)
}

/** What was made before is not taken again once it has ended. */
const earlierOr = (
  made: Extract<BankAnswer<never>, { readonly outcome: 'refused' }>,
  known: BankAnswer<Title | null>,
): BankAnswer<Title> => {
  if (known.outcome === 'done') return known.value === null ? made : { outcome: 'done', value: known.value }
  if (known.outcome === 'unknown') return known
  return known.outcome === 'refused' ? made : { outcome: 'unknown' }
}

/** A title of another amount or key than ordered, or without a code, is closed and refused: it must not be paid. */
const keepIfRight = async (
  api: PixApi,
  order: TitleOrder,
  asked: CobOrder,
  cob: WholeCob,
): Promise<BankAnswer<Title>> => {
  const title = cob.valueCents === order.valueCents && !isForeign(cob.pixKey, api.pixKey) ? titleOf(cob) : null
  if (title === null) {
    const closed = await cancelTitle(api, order.txid)
    return closed.outcome === 'done' ? refused(NO_CODE) : { outcome: 'unknown' }
  }
  // A cob that was there before lives from its first day on: what is left now would end it too early.
  if (cob.revision > 0 && cob.status === 'open' && asked.path === 'cob') {
    const calendario = cob.createdAt && { expiracao: secondsUntilOver(order.dueDate, cob.createdAt) }
    if (calendario) await api.ask('PATCH', `/cob/${order.txid}`, { calendario })
  }
  return { outcome: 'done', value: title }
}

/** The title of a txid, whichever of the two kinds it is; null where it is neither. */
export const findTitle = async (api: PixApi, txid: string): Promise<BankAnswer<Title | null>> => {
  const found = await eitherKind(txid, (path) => api.ask('GET', path))
  if (found === null) return { outcome: 'done', value: null }
  return answerOf(
    found,
    (body) => {
      const cob = wholeCobIn(body, txid)
      return cob && titleOf(cob)
    },
    () => unreadableCob(txid, api.pixKey),
  )
}

/** Closes a title; what was closed before is closed. */
export const cancelTitle = async (api: PixApi, txid: string): Promise<BankAnswer<null>> => {
  const reply = await eitherKind(txid, (path) => api.ask('PATCH', path, REMOVED))
  if (reply === null) return refused(NO_TITLE)
  const closed = doneOf(reply)
  if (closed.outcome !== 'refused') return closed
  const known = await eitherKind(txid, (path) => api.ask('GET', path))
  if (known === null) return { outcome: 'unknown' }
  const unreadable = () => unreadableCob(txid, api.pixKey)
  const cob = answerOf(known, (body) => cobIn(body, txid), unreadable)
  if (cob.outcome !== 'done') return cob.outcome === 'unavailable' ? { outcome: 'unknown' } : cob
  if (cob.value.status === 'cancelled') return { outcome: 'done', value: null }
  return cob.value.status === 'paid' ? refused(NOT_OPEN) : closed
}

/** A txid is a cob's or a cobv's, never both: the first that the bank knows answers; null where it knows neither. */
const eitherKind = async (txid: string, ask: (path: string) => Promise<PixApiReply>): Promise<PixApiReply | null> => {
  if (!TXID.test(txid)) return null
  for (const path of PATHS) {
    const reply = await ask(`/${path}/${txid}`)
    if (!isNotFound(reply)) return reply
  }
  return null
}

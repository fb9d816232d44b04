import { isLeft } from '../../../core/failure.ts'
import type { Runtime } from '../../../core/kernel/running/use-case.ts'
import { addDays, type Day, type Instant, nextBusinessDay, startOfDay } from '../../../core/kernel/values/day.ts'
import { normalizeTaxId, taxIdKind } from '../../../core/kernel/values/tax-id.ts'
import { readPixCode } from '../../../core/payments/pix/br-code.ts'
import type { BankAnswer, Payer, Title, TitleOrder, UnreadableRecord } from '../../../core/ports/bank.ts'
import {
  answerOf,
  centsIn,
  doneOf,
  formatAmount,
  idIn,
  instantIn,
  isNotFound,
  isOtherKey,
  type JsonObject,
  listIn,
  objectIn,
  type PixApiReply,
  pixIn,
  storedOrRefused,
  textIn,
} from './answers.ts'
import type { PixApi } from './client.ts'

const TXID = /^[a-zA-Z0-9]{26,35}$/
const PATHS = ['cob', 'cobv'] as const
const REMOVED = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' } as const

const refused = (reason: string) => ({ outcome: 'refused', reason }) as const

const NO_CODE = 'O banco deu um código Pix inválido.'
const OTHER_KEY = 'A chave Pix da conta não é a deste banco.'
const NOT_OPEN = 'A cobrança já foi paga.'
const NO_TITLE = 'Título desconhecido.'

/** Registers a Pix charge under our own id. */
export const createTitle = async (
  api: PixApi,
  { clock }: Pick<Runtime, 'clock'>,
  order: TitleOrder,
): Promise<BankAnswer<Title>> => {
  const { txid } = order
  if (order.method !== 'PIX') return refused('Operação não disponível neste banco.')
  if (order.pixKey !== api.pixKey) return refused(OTHER_KEY)
  if (!TXID.test(txid)) return refused(`O txid ${txid} não tem de 26 a 35 letras e números.`)
  const cobOrder = buildCobOrder(order, api.pixKey, clock.steady())
  if (typeof cobOrder === 'string') return refused(cobOrder)
  const created = answerOf(
    await api.request('PUT', `/${cobOrder.path}/${txid}`, cobOrder.body),
    (body) => completeCobIn(body, txid),
    () => unreadableCob(txid, api.pixKey),
  )
  // The API refuses to create a charge again once it has ended.
  if (created.outcome === 'refused') return storedOrRefused(created, await findTitle(api, txid))
  if (created.outcome !== 'done') return created
  return closeUnlessAsOrdered(api, order, cobOrder, created.value)
}

/** Closes and refuses a title with another amount or key than ordered, or without a code: it must not be paid. */
const closeUnlessAsOrdered = async (
  api: PixApi,
  order: TitleOrder,
  { path }: CobOrder,
  cob: CompleteCob,
): Promise<BankAnswer<Title>> => {
  const title = cob.valueCents === order.valueCents && !isOtherKey(cob.pixKey, api.pixKey) ? titleOf(cob) : null
  if (title === null) {
    const closed = await cancelTitle(api, order.txid)
    return closed.outcome === 'done' ? refused(NO_CODE) : { outcome: 'unknown' }
  }
  // The lifetime of a cob counts from its creation: the seconds from now would end an existing one too early.
  if (cob.revision > 0 && cob.status === 'open' && path === 'cob') {
    const calendario = cob.createdAt && { expiracao: secondsUntilExpiry(order.dueDate, cob.createdAt) }
    if (calendario) await api.request('PATCH', `/cob/${order.txid}`, { calendario })
  }
  return { outcome: 'done', value: title }
}

/** Returns the cob or cobv of a txid as a title; null if there is none. */
export const findTitle = async (api: PixApi, txid: string): Promise<BankAnswer<Title | null>> => {
  const reply = await requestEitherKind(txid, (path) => api.request('GET', path))
  if (reply === null) return { outcome: 'done', value: null }
  return answerOf(
    reply,
    (body) => {
      const cob = completeCobIn(body, txid)
      return cob && titleOf(cob)
    },
    () => unreadableCob(txid, api.pixKey),
  )
}

/** Closes a title. `done` if it was closed before. */
export const cancelTitle = async (api: PixApi, txid: string): Promise<BankAnswer<null>> => {
  const reply = await requestEitherKind(txid, (path) => api.request('PATCH', path, REMOVED))
  if (reply === null) return refused(NO_TITLE)
  const closed = doneOf(reply)
  if (closed.outcome !== 'refused') return closed
  const known = await requestEitherKind(txid, (path) => api.request('GET', path))
  if (known === null) return { outcome: 'unknown' }
  const cob = answerOf(
    known,
    (body) => cobIn(body, txid),
    () => unreadableCob(txid, api.pixKey),
  )
  if (cob.outcome !== 'done') return cob.outcome === 'unavailable' ? { outcome: 'unknown' } : cob
  if (cob.value.status === 'cancelled') return { outcome: 'done', value: null }
  return cob.value.status === 'paid' ? refused(NOT_OPEN) : closed
}

/** Sends a request for a cob, then for a cobv: a txid belongs to one of them. Null if the bank knows neither. */
const requestEitherKind = async (
  txid: string,
  send: (path: string) => Promise<PixApiReply>,
): Promise<PixApiReply | null> => {
  if (!TXID.test(txid)) return null
  for (const path of PATHS) {
    const reply = await send(`/${path}/${txid}`)
    if (!isNotFound(reply)) return reply
  }
  return null
}

/** The request for a cob (one amount until it expires) or a cobv (an amount that depends on the day). */
interface CobOrder {
  readonly path: 'cob' | 'cobv'
  readonly body: object
}

const MAX_NAME_CHARS = 200
/** The largest int32, the type of `expiracao`. */
const MAX_SECONDS = 2_147_483_647

/** Codes of BCB, Manual de Padrões para Iniciação do Pix, Anexo III. */
const PERCENT_A_MONTH = 3
const REAIS_A_DAY = 1
const DISCOUNT = { ABSOLUTE: 1, PERCENTAGE: 2 } as const
/** The payer cannot change the amount. */
const FIXED = 0

/**
 * Builds the request for an order; returns the reason if the API cannot express it. The ordered amount is that of the
 * due day: it includes a discount that lasts until then, so the bank computes only a discount that ends before. The
 * code expires with the due day, moved to the next business day, and bears no interest until then, so a payer without a
 * document gets a plain cob. The bank moves `dataDeVencimento` to a business day itself (BCB, API Pix,
 * `validadeAposVencimento`).
 */
export const buildCobOrder = (order: TitleOrder, pixKey: string, now: Instant): CobOrder | string => {
  const debtor = order.payer && debtorOf(order.payer)
  const discount = discountOf(order)
  const interest = interestOf(order)
  const valor = { original: formatAmount(order.valueCents) }
  if (!discount && (!interest || !debtor)) {
    const expiracao = secondsUntilExpiry(order.dueDate, now)
    const body = { calendario: { expiracao }, valor: { ...valor, modalidadeAlteracao: FIXED }, chave: pixKey }
    return { path: 'cob', body: debtor ? { ...body, devedor: debtor } : body }
  }
  if (!debtor) return 'O banco só dá desconto a quem paga com CPF ou CNPJ.'
  return {
    path: 'cobv',
    body: {
      calendario: { dataDeVencimento: order.dueDate, validadeAposVencimento: 0 },
      devedor: debtor,
      valor: { ...valor, ...(interest && { juros: interest }), ...(discount && { desconto: discount }) },
      chave: pixKey,
    },
  }
}

/** The seconds from an instant to the end of the due day, moved to a business day; at least one. */
const secondsUntilExpiry = (dueDate: Day, now: Instant): number => {
  const seconds = Math.ceil((Date.parse(startOfDay(addDays(nextBusinessDay(dueDate), 1))) - Date.parse(now)) / 1_000)
  return Math.min(Math.max(1, seconds), MAX_SECONDS)
}

const debtorOf = ({ name, document }: Payer) => {
  const normal = normalizeTaxId(document ?? '')
  const kind = taxIdKind(normal)
  if (kind === null) return null
  const nome = [...name].slice(0, MAX_NAME_CHARS).join('')
  return kind === 'CPF' ? { cpf: normal, nome } : { cnpj: normal, nome }
}

const interestOf = ({ amountRateHundredths, typeRate }: TitleOrder) => {
  if (amountRateHundredths === null || amountRateHundredths === 0 || typeRate === null) return null
  const modalidade = typeRate === 'ABSOLUTE' ? REAIS_A_DAY : PERCENT_A_MONTH
  return { modalidade, valorPerc: formatAmount(amountRateHundredths) }
}

const discountOf = ({ discountHundredths, typeDiscount, daysDiscount, dueDate }: TitleOrder) => {
  const days = daysDiscount ?? 0
  if (discountHundredths === null || discountHundredths === 0 || typeDiscount === null || days <= 0) return null
  const fixed = { data: addDays(dueDate, -days), valorPerc: formatAmount(discountHundredths) }
  return { modalidade: DISCOUNT[typeDiscount], descontoDataFixa: [fixed] }
}

const STATUSES = {
  ATIVA: 'open',
  CONCLUIDA: 'paid',
  REMOVIDA_PELO_USUARIO_RECEBEDOR: 'cancelled',
  REMOVIDA_PELO_PSP: 'cancelled',
} as const

/** A cob or a cobv, as the bank has it. */
interface Cob {
  readonly txid: string
  readonly status: (typeof STATUSES)[keyof typeof STATUSES]
  readonly revision: number
  readonly createdAt: string | null
  /** Null if it cannot be read, as the amount. */
  readonly pixKey: string | null
  readonly valueCents: number | null
  /** The Pix code; null unless it is a valid dynamic one. */
  readonly code: string | null
  readonly payments: Title['payments']
}

/** Reads the cob of a txid; null if it is malformed or has another txid. */
const cobIn = (body: JsonObject, txid: string): Cob | null => {
  const status = Object.entries(STATUSES).find(([name]) => name === body.status)?.[1]
  if (body.txid !== txid || status === undefined) return null
  return {
    txid,
    status,
    revision: Number(body.revisao ?? 0),
    createdAt: instantIn(objectIn(body.calendario).criacao),
    pixKey: idIn(body.chave),
    valueCents: centsIn(objectIn(body.valor).original),
    code: codeIn(body.pixCopiaECola),
    payments: paymentsIn(body.pix, txid),
  }
}

/** Reads a cob; null also if its amount or key cannot be read, so that it cannot be compared with the order. */
const completeCobIn = (body: JsonObject, txid: string): CompleteCob | null => {
  const cob = cobIn(body, txid)
  if (cob === null || cob.valueCents === null || cob.pixKey === null) return null
  return { ...cob, valueCents: cob.valueCents, pixKey: cob.pixKey }
}

type CompleteCob = Cob & { readonly valueCents: number; readonly pixKey: string }

const unreadableCob = (txid: string, pixKey: string): UnreadableRecord => ({
  kind: 'title',
  id: txid,
  txid,
  pixKey,
})

const codeIn = (value: unknown): string | null => {
  const text = textIn(value) ?? ''
  const read = readPixCode(text)
  return isLeft(read) || read.right.kind !== 'dynamic' ? null : text
}

const paymentsIn = (value: unknown, txid: string): Title['payments'] =>
  listIn(value)
    .map((payment) => pixIn(objectIn(payment)))
    .filter((pix) => pix !== null)
    .map(({ endToEndId, valueCents, paidAt, payer }) => ({
      txid,
      endToEndId,
      method: 'pix' as const,
      valueCents,
      paidAt,
      payer,
    }))
    .sort((a, b) => (a.paidAt < b.paidAt ? -1 : 1))

/** Null without a code: the title could not be paid, and a code of our own must not replace it. */
const titleOf = ({ txid, status, code, payments }: Cob): Title | null =>
  code === null ? null : { txid, dynamicCode: code, boleto: null, cancelled: status === 'cancelled', payments }

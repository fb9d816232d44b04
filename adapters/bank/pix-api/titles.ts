import { isLeft } from '../../../core/fp.ts'
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
  textIn,
} from './answers.ts'
import type { PixApi } from './client.ts'

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
  const asked = buildCobOrder(order, api.pixKey, clock.steady())
  if (typeof asked === 'string') return refused(asked)
  const made = answerOf(
    await api.request('PUT', `/${asked.path}/${txid}`, asked.body),
    (body) => completeCobIn(body, txid),
    () => unreadableCob(txid, api.pixKey),
  )
  if (made.outcome === 'refused') return preferStored(made, await findTitle(api, txid))
  if (made.outcome !== 'done') return made
  return closeUnlessAsOrdered(api, order, asked, made.value)
}

/** What was made before is not taken again once it has ended. */
const preferStored = (
  made: Extract<BankAnswer<never>, { readonly outcome: 'refused' }>,
  known: BankAnswer<Title | null>,
): BankAnswer<Title> => {
  if (known.outcome === 'done') return known.value === null ? made : { outcome: 'done', value: known.value }
  if (known.outcome === 'unknown') return known
  return known.outcome === 'refused' ? made : { outcome: 'unknown' }
}

/** A title of another amount or key than ordered, or without a code, is closed and refused: it must not be paid. */
const closeUnlessAsOrdered = async (
  api: PixApi,
  order: TitleOrder,
  asked: CobOrder,
  cob: CompleteCob,
): Promise<BankAnswer<Title>> => {
  const title = cob.valueCents === order.valueCents && !isOtherKey(cob.pixKey, api.pixKey) ? titleOf(cob) : null
  if (title === null) {
    const closed = await cancelTitle(api, order.txid)
    return closed.outcome === 'done' ? refused(NO_CODE) : { outcome: 'unknown' }
  }
  // A cob that was there before lives from its first day on: what is left now would end it too early.
  if (cob.revision > 0 && cob.status === 'open' && asked.path === 'cob') {
    const calendario = cob.createdAt && { expiracao: secondsUntilExpiry(order.dueDate, cob.createdAt) }
    if (calendario) await api.request('PATCH', `/cob/${order.txid}`, { calendario })
  }
  return { outcome: 'done', value: title }
}

/** The title of a txid, whichever of the two kinds it is; null where it is neither. */
export const findTitle = async (api: PixApi, txid: string): Promise<BankAnswer<Title | null>> => {
  const found = await requestEitherKind(txid, (path) => api.request('GET', path))
  if (found === null) return { outcome: 'done', value: null }
  return answerOf(
    found,
    (body) => {
      const cob = completeCobIn(body, txid)
      return cob && titleOf(cob)
    },
    () => unreadableCob(txid, api.pixKey),
  )
}

/** Closes a title; what was closed before is closed. */
export const cancelTitle = async (api: PixApi, txid: string): Promise<BankAnswer<null>> => {
  const reply = await requestEitherKind(txid, (path) => api.request('PATCH', path, REMOVED))
  if (reply === null) return refused(NO_TITLE)
  const closed = doneOf(reply)
  if (closed.outcome !== 'refused') return closed
  const known = await requestEitherKind(txid, (path) => api.request('GET', path))
  if (known === null) return { outcome: 'unknown' }
  const unreadable = () => unreadableCob(txid, api.pixKey)
  const cob = answerOf(known, (body) => cobIn(body, txid), unreadable)
  if (cob.outcome !== 'done') return cob.outcome === 'unavailable' ? { outcome: 'unknown' } : cob
  if (cob.value.status === 'cancelled') return { outcome: 'done', value: null }
  return cob.value.status === 'paid' ? refused(NOT_OPEN) : closed
}

/** A txid is a cob's or a cobv's, never both: the first that the bank knows answers; null where it knows neither. */
const requestEitherKind = async (
  txid: string,
  ask: (path: string) => Promise<PixApiReply>,
): Promise<PixApiReply | null> => {
  if (!TXID.test(txid)) return null
  for (const path of PATHS) {
    const reply = await ask(`/${path}/${txid}`)
    if (!isNotFound(reply)) return reply
  }
  return null
}

/** What the bank is asked to make: a cob, to be paid until a moment, or a cobv, which asks otherwise on other days. */
export interface CobOrder {
  readonly path: 'cob' | 'cobv'
  readonly body: object
}

const MAX_NAME_CHARS = 200
/** What the API counts seconds with. */
const MAX_SECONDS = 2_147_483_647

/** The same terms as every other place counts by. Source: BCB, Manual de Padrões para Iniciação do Pix, Anexo III. */
const PERCENT_A_MONTH = 3
const REAIS_A_DAY = 1
const DISCOUNT = { ABSOLUTE: 1, PERCENTAGE: 2 } as const
/** The payer chooses no other amount. */
const FIXED = 0

/**
 * The order as the bank accepts it; a text if it accepts none. The order has the amount of the due day: a discount that lasts
 * until then is included, and the bank computes only one that ends before. The code ends with its due day, moved to the next
 * business day, and asks for no interest until then, so a payer without a document gets a plain cob. The bank moves
 * `dataDeVencimento` to a business day by itself (BCB, API Pix, `validadeAposVencimento`).
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
export const secondsUntilExpiry = (dueDate: Day, now: Instant): number => {
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
export interface Cob {
  readonly txid: string
  readonly status: (typeof STATUSES)[keyof typeof STATUSES]
  readonly revision: number
  readonly createdAt: string | null
  /** Null where the bank's word of it cannot be read. */
  readonly pixKey: string | null
  readonly valueCents: number | null
  /** What payers copy; null where it is no code that their banks can pay. */
  readonly code: string | null
  readonly payments: Title['payments']
}

/** The cob of a txid; null of what is none, or another's. */
export const cobIn = (told: JsonObject, txid: string): Cob | null => {
  const status = Object.entries(STATUSES).find(([name]) => name === told.status)?.[1]
  if (told.txid !== txid || status === undefined) return null
  return {
    txid,
    status,
    revision: Number(told.revisao ?? 0),
    createdAt: instantIn(objectIn(told.calendario).criacao),
    pixKey: idIn(told.chave),
    valueCents: centsIn(objectIn(told.valor).original),
    code: codeIn(told.pixCopiaECola),
    payments: paymentsIn(told.pix, txid),
  }
}

/** The same of a cob whose amount and key can be read: without them it is neither right nor wrong. */
export const completeCobIn = (told: JsonObject, txid: string): CompleteCob | null => {
  const cob = cobIn(told, txid)
  if (cob === null || cob.valueCents === null || cob.pixKey === null) return null
  return { ...cob, valueCents: cob.valueCents, pixKey: cob.pixKey }
}

export type CompleteCob = Cob & { readonly valueCents: number; readonly pixKey: string }

/** Names a cob that cannot be read. */
export const unreadableCob = (txid: string, pixKey: string): UnreadableRecord => ({
  kind: 'title',
  id: txid,
  txid,
  pixKey,
})

/** A code is shown as the bank gives it, and only where our own reader makes a dynamic one of it. */
const codeIn = (value: unknown): string | null => {
  const text = textIn(value) ?? ''
  const read = readPixCode(text)
  return isLeft(read) || read.right.kind !== 'dynamic' ? null : text
}

const paymentsIn = (value: unknown, txid: string): Title['payments'] =>
  listIn(value)
    .map((each) => pixIn(objectIn(each)))
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

/** A title is told with its code, or not at all: without one nobody could pay it, and another must not stand in for it. */
export const titleOf = ({ txid, status, code, payments }: Cob): Title | null =>
  code === null ? null : { txid, dynamicCode: code, boleto: null, cancelled: status === 'cancelled', payments }

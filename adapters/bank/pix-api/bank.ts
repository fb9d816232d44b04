import { isLeft } from '../../../core/failure.ts'
import { sweepOf } from '../../../core/kernel/running/jobs.ts'
import { applyOutcome, type Queue, queueOf } from '../../../core/kernel/running/queue.ts'
import type { Runtime } from '../../../core/kernel/running/use-case.ts'
import {
  addDays,
  addSeconds,
  type Day,
  type Instant,
  nextBusinessDay,
  startOfDay,
} from '../../../core/kernel/values/day.ts'
import { normalizeTaxId, taxIdKind } from '../../../core/kernel/values/tax-id.ts'
import type { PaymentsPart } from '../../../core/payments/payments-ports.ts'
import { readPixCode } from '../../../core/payments/pix/br-code.ts'
import type {
  Bank,
  BankAnswer,
  BankNotifications,
  BankRefund,
  Payer,
  RefundOrder,
  Refunds,
  Title,
  TitleOrder,
  UnreadableRecord,
} from '../../../core/ports/bank.ts'
import {
  answerOf,
  centsIn,
  doneOf,
  endToEndIdIn,
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
import { pixApiMovements } from './movements.ts'
import { checkNotice, expiryFrom, type Notice, notices, pixApiCollections } from './notices.ts'
import { noWebhook, type PixApiWebhook, sweepJob } from './sweep.ts'

/** Placeholders: the API reports neither the bank nor the account. */
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

const REFUND_STATUSES = { EM_PROCESSAMENTO: 'processing', DEVOLVIDO: 'returned', NAO_REALIZADO: 'failed' } as const

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
  const status = Object.entries(REFUND_STATUSES).find(([name]) => name === body.status)?.[1]
  if (body.id !== id || status === undefined || centsIn(body.valor) !== valueCents) return null
  return { status, reason: status === 'failed' ? textIn(body.motivo) : null, returnId: textIn(body.rtrId) }
}

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
const FINE = { ABSOLUTE: 1, PERCENTAGE: 2 } as const
/** The payer cannot change the amount. */
const FIXED = 0

/**
 * Builds the request for an order; returns the reason if the API cannot express it. The ordered amount is that of the
 * due day: it includes a discount that lasts until then, so the bank computes only a discount that ends before. The
 * code expires with the due day, moved to the next business day, and bears no interest or fine until then, so a payer
 * without a document gets a plain cob. The bank moves `dataDeVencimento` to a business day itself (BCB, API Pix,
 * `validadeAposVencimento`).
 */
export const buildCobOrder = (order: TitleOrder, pixKey: string, now: Instant): CobOrder | string => {
  const debtor = order.payer && debtorOf(order.payer)
  const discount = discountOf(order)
  const [fine, interest] = [fineOf(order), interestOf(order)]
  const valor = { original: formatAmount(order.valueCents) }
  if (!discount && ((!fine && !interest) || !debtor)) {
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
      valor: {
        ...valor,
        ...(fine && { multa: fine }),
        ...(interest && { juros: interest }),
        ...(discount && { desconto: discount }),
      },
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

/** Absent in orders that were stored before fines existed. */
const fineOf = ({ fineHundredths = null, typeFine = null }: TitleOrder) => {
  if (fineHundredths === null || fineHundredths === 0 || typeFine === null) return null
  return { modalidade: FINE[typeFine], valorPerc: formatAmount(fineHundredths) }
}

const discountOf = ({ discountHundredths, typeDiscount, daysDiscount, dueDate }: TitleOrder) => {
  const days = daysDiscount ?? 0
  if (discountHundredths === null || discountHundredths === 0 || typeDiscount === null || days <= 0) return null
  const fixed = { data: addDays(dueDate, -days), valorPerc: formatAmount(discountHundredths) }
  return { modalidade: DISCOUNT[typeDiscount], descontoDataFixa: [fixed] }
}

const TITLE_STATUSES = {
  ATIVA: 'open',
  CONCLUIDA: 'paid',
  REMOVIDA_PELO_USUARIO_RECEBEDOR: 'cancelled',
  REMOVIDA_PELO_PSP: 'cancelled',
} as const

/** A cob or a cobv, as the bank has it. */
interface Cob {
  readonly txid: string
  readonly status: (typeof TITLE_STATUSES)[keyof typeof TITLE_STATUSES]
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
  const status = Object.entries(TITLE_STATUSES).find(([name]) => name === body.status)?.[1]
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

const unreadableCob = (txid: string, pixKey: string): UnreadableRecord => ({ kind: 'title', id: txid, txid, pixKey })

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

/** Returns the title of a cob; null without a code, which no code of our own may replace. */
const titleOf = ({ txid, status, code, payments }: Cob): Title | null =>
  code === null ? null : { txid, dynamicCode: code, boleto: null, cancelled: status === 'cancelled', payments }

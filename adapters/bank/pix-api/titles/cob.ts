import { isLeft } from '../../../../core/fp.ts'
import { readPixCode } from '../../../../core/payments/pix/br-code.ts'
import type { Title, UnreadableRecord } from '../../../../core/ports/bank.ts'
import { centsIn, idIn, listIn, type Told, textIn, toldIn } from '../client/json.ts'
import { instantIn, pixIn } from '../client/received.ts'

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
export const cobIn = (told: Told, txid: string): Cob | null => {
  const status = Object.entries(STATUSES).find(([name]) => name === told.status)?.[1]
  if (told.txid !== txid || status === undefined) return null
  return {
    txid,
    status,
    revision: Number(told.revisao ?? 0),
    createdAt: instantIn(toldIn(told.calendario).criacao),
    pixKey: idIn(told.chave),
    valueCents: centsIn(toldIn(told.valor).original),
    code: codeIn(told.pixCopiaECola),
    payments: paymentsIn(told.pix, txid),
  }
}

/** The same of a cob whose amount and key can be read: without them it is neither right nor wrong. */
export const wholeCobIn = (told: Told, txid: string): WholeCob | null => {
  const cob = cobIn(told, txid)
  if (cob === null || cob.valueCents === null || cob.pixKey === null) return null
  return { ...cob, valueCents: cob.valueCents, pixKey: cob.pixKey }
}

export type WholeCob = Cob & { readonly valueCents: number; readonly pixKey: string }

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
    .map((each) => pixIn(toldIn(each)))
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

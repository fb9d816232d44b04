import type { Title, TitleOrder } from '../../../ports/bank.ts'
import { boletoMismatch } from '../../boleto/boleto.ts'
import { isStaticTxid } from '../../pix/br-code.ts'
import type { Charge } from '../charge.ts'

/** What the bank has made, as a charge keeps it. */
export interface MadeTitle {
  readonly pix: Charge['pix']
  readonly boleto: Charge['boleto']
  readonly isCancelled: boolean
  /** Why nobody may see it: what it says is not what was ordered. */
  readonly mismatch: string | null
}

/** A title as the bank gave it, looked at: no payer is shown a boleto whose digits are not those of the charge. */
export const madeOf = (order: TitleOrder, { dynamicCode, boleto, cancelled }: Title, compe: string): MadeTitle => ({
  pix: order.method === 'BOLETO' ? null : pixOf(order, dynamicCode),
  boleto: order.method === 'PIX' ? null : boleto,
  isCancelled: cancelled,
  mismatch: order.method === 'PIX' ? codeMismatch(order, dynamicCode) : mismatchOf(order, dynamicCode, boleto, compe),
})

const pixOf = ({ txid, pixKey, payeeName, payeeCity }: TitleOrder, dynamicCode: string | null): Charge['pix'] => ({
  txid,
  key: pixKey ?? '',
  payeeName,
  payeeCity,
  dynamicCode,
})

/** Of a txid that no static code holds, the bank alone can make the code. */
const codeMismatch = ({ txid }: TitleOrder, dynamicCode: string | null): string | null =>
  dynamicCode === null && !isStaticTxid(txid) ? 'code' : null

const mismatchOf = (
  order: TitleOrder,
  dynamicCode: string | null,
  boleto: Title['boleto'],
  compe: string,
): string | null => {
  if (boleto === null) return 'none'
  const { valueCents, dueDate, method } = order
  const ofCode = method === 'BOLEPIX' ? codeMismatch(order, dynamicCode) : null
  return ofCode ?? boletoMismatch({ valueCents, dueDate, compe }, boleto)
}

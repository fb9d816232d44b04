import { isLeft } from '../../../core/fp.ts'
import { insert } from '../../../core/kernel/records/change.ts'
import type { Fresh } from '../../../core/kernel/running/fresh.ts'
import { readBoleto } from '../../../core/payments/boleto/barcode.ts'
import { sicrediBoleto } from '../../../core/payments/boleto/boleto.ts'
import type { TitleOrder } from '../../../core/ports/bank.ts'
import { byId, type Store } from '../../../core/ports/store.ts'
import { numbers, titles } from './books.ts'

const POSTO = '01'
/** The bytes that mark a number of the beneficiary's own making: 2 to 9. */
const FIRST_BYTE = 2
const BYTES = 8
const A_BYTE = 100_000
/** Numbers repeat after so many boletos; the lookup by digits covers as many rounds. */
const A_ROUND = BYTES * A_BYTE
const ROUNDS = 16

const digitsOf = (text: string, length: number): string =>
  text.replace(/\D/g, '').slice(0, length).padStart(length, '0')

/** The next boleto of this bank, numbered as Sicredi does. */
export const newBoleto = (order: TitleOrder, fresh: Fresh) => {
  const id = fresh.id(numbers)
  const { nossoNumero, barcode, digitableLine } = sicrediBoleto({
    agency: digitsOf(order.agency, 4),
    posto: POSTO,
    beneficiary: digitsOf(order.account, 5),
    year: fresh.today.slice(2, 4),
    byte: `${FIRST_BYTE + (Math.floor(id / A_BYTE) % BYTES)}`,
    sequence: id % A_BYTE,
    valueCents: order.valueCents,
    dueDate: order.dueDate,
  })
  return { boleto: { nossoNumero, barcode, digitableLine }, changes: [insert(numbers, { id, txid: order.txid })] }
}

/** Returns the txid of the boleto with this bar code or linha digitável, printed marks or not; null if the bank has none. */
export const txidOfBoleto = async (store: Store, text: string): Promise<string | null> => {
  const read = readBoleto(text)
  if (isLeft(read)) return null
  const { barcode, freeField } = read.right
  // The nosso número follows two digits of the portfolio and two of the year.
  const first = (Number(freeField.charAt(4)) - FIRST_BYTE) * A_BYTE + Number(freeField.slice(5, 10))
  const ids = Array.from({ length: ROUNDS }, (_, round) => first + round * A_ROUND)
  const numbered = await store.read(Object.fromEntries(ids.map((id) => [id, byId(numbers, id)])))
  const txids = Object.values(numbered).flatMap((each) => each?.txid ?? [])
  const found = await store.read(Object.fromEntries(txids.map((txid) => [txid, byId(titles, txid)])))
  return txids.find((txid) => found[txid]?.boleto?.barcode === barcode) ?? null
}

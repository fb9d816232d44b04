import { insert } from '../../../core/kernel/records/change.ts'
import type { Fresh } from '../../../core/kernel/running/fresh/fresh.ts'
import { sicrediBoleto } from '../../../core/payments/boleto/boleto.ts'
import type { TitleOrder } from '../../../core/ports/bank.ts'
import { numbers } from './books.ts'

const POSTO = '01'
/** The bytes that mark a number of the beneficiary's own making: 2 to 9. */
const FIRST_BYTE = 2
const BYTES = 8
const A_BYTE = 100_000

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

import type { InvoiceBoleto } from '../../ports/documents.ts'
import { bankByCode } from '../banks.ts'
import { formatDigitableLine } from './barcode.ts'
import type { Boleto } from './boleto.ts'
import { formatNossoNumero, printedBeneficiary, SICREDI } from './sicredi.ts'

/** How banks whose boletos people know print their names and numbers. Source: pix-boleto.md §3.8. */
const PRINTED: { readonly [compe: string]: { readonly name: string; readonly code: string } } = {
  '001': { name: 'Banco do Brasil', code: '001-9' },
  '033': { name: 'Santander', code: '033-7' },
  '104': { name: 'Caixa', code: '104-0' },
  '237': { name: 'Bradesco', code: '237-2' },
  '341': { name: 'Itaú', code: '341-7' },
  '748': { name: 'Sicredi', code: '748-X' },
  '756': { name: 'Sicoob', code: '756-0' },
}

const bankOf = (compe: string) => PRINTED[compe] ?? { name: bankByCode(compe)?.name ?? compe, code: compe }

/** A registered boleto as it is printed: banks other than Sicredi number as they like, and print the account. */
export const printedBoleto = (
  { nossoNumero, barcode, digitableLine }: Boleto,
  account: { readonly agency: string; readonly account: string },
): InvoiceBoleto => {
  const compe = barcode.slice(0, 3)
  const { name, code } = bankOf(compe)
  const isSicredi = compe === SICREDI
  const plain = { agencyAndCode: `${account.agency} / ${account.account}`, portfolio: '' }
  return {
    bankName: name,
    bankCode: code,
    ...(isSicredi ? printedBeneficiary(barcode.slice(19)) : plain),
    nossoNumero: isSicredi ? formatNossoNumero(nossoNumero) : nossoNumero,
    barcode,
    digitableLine: formatDigitableLine(digitableLine),
  }
}

import { formatDay } from '../../core/kernel/values/day.ts'
import { formatReais } from '../../core/kernel/values/money.ts'
import type { Invoice, InvoiceBoleto } from '../../core/ports/documents.ts'
import { BANK_HEADER, drawBankHeader, FORM } from './compensation-slip.ts'
import { type Cell, drawRow } from './grid.ts'
import { MUTED, type Sheet } from './sheet.ts'
import { addressOf, named } from './words.ts'

const ROW = 18.6
const PARTY_ROW = 31
const STAMP = 12

/** How high the receipt is. */
export const RECEIPT_HEIGHT = BANK_HEADER + 2 * PARTY_ROW + ROW + STAMP

/** What the payer keeps, down from `y`. Source: pix-boleto.md §3.8. */
export const drawPayerReceipt = (sheet: Sheet, y: number, invoice: Invoice, boleto: InvoiceBoleto): void => {
  const { payee, payer, id, dueDate, valueCents } = invoice
  const of = (share: number): number => FORM.width * share
  const rows: readonly { height: number; cells: readonly Cell[] }[] = [
    {
      height: PARTY_ROW,
      cells: [
        { label: 'Beneficiário', value: named(payee), more: addressOf(payee), width: of(0.74) },
        { label: 'Agência / Código do beneficiário', value: boleto.agencyAndCode, width: of(0.26), align: 'right' },
      ],
    },
    {
      height: PARTY_ROW,
      cells: [{ label: 'Pagador', value: named(payer), more: addressOf(payer), width: of(1) }],
    },
    {
      height: ROW,
      cells: [
        { label: 'Nosso número', value: boleto.nossoNumero, width: of(0.25) },
        { label: 'Nº do documento', value: String(id), width: of(0.25) },
        { label: 'Vencimento', value: formatDay(dueDate), width: of(0.24), bold: true },
        { label: 'Valor do documento', value: formatReais(valueCents), width: of(0.26), align: 'right', bold: true },
      ],
    },
  ]
  drawBankHeader(sheet, y, boleto, 'Recibo do pagador')
  let under = y + BANK_HEADER
  for (const { height, cells } of rows) {
    drawRow(sheet, { x: FORM.x, y: under, height }, cells)
    under += height
  }
  const stamp = { x: FORM.x, y: under + 8, width: FORM.width - 3 }
  sheet.line('Autenticação mecânica', stamp, { size: 6.4, align: 'right', color: MUTED })
}

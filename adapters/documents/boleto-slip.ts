import { formatDay } from '../../core/kernel/values/day.ts'
import { formatReais } from '../../core/kernel/values/money.ts'
import type { Invoice, InvoiceBoleto, InvoiceParty } from '../../core/ports/documents.ts'
import { itfBars } from './codes.ts'
import { plainReais } from './document.ts'
import { type Box, MUTED, mm, type Sheet, type Style } from './sheet.ts'

/** The place of the forms on the page. FEBRABAN requires a width of 170 to 216 mm. */
export const FORM = { x: 34, width: 527 } as const

const HEADER = 25

/** Draws the compensation slip of a boleto, which a bank teller scans, from `y` down. */
export const drawCompensationSlip = (sheet: Sheet, y: number, invoice: Invoice, boleto: InvoiceBoleto): void => {
  drawBankHeader(sheet, y, boleto, boleto.digitableLine)
  const instructionsY = drawRows(sheet, y + HEADER, rowsOf(invoice, boleto))
  const under = drawPayer(sheet, drawInstructions(sheet, instructionsY, invoice), invoice)
  const stamp = { x: FORM.x, y: under + 7.4, width: FORM.width - 3 }
  sheet.line('Autenticação mecânica – Ficha de compensação', stamp, { size: 6.4, align: 'right', color: MUTED })
  sheet.code(itfBars(boleto.barcode), { x: FORM.x + 4, y: under + AUTHENTICATION, ...BAR_CODE })
}

/** Draws the receipt that the payer keeps, from `y` down. */
export const drawPayerReceipt = (sheet: Sheet, y: number, invoice: Invoice, boleto: InvoiceBoleto): void => {
  const { payee, payer, id, dueDate, valueCents } = invoice
  const of = (share: number): number => FORM.width * share
  const rows: readonly Row[] = [
    {
      height: RECEIPT_PARTY_ROW,
      cells: [
        { label: 'Beneficiário', value: nameAndDocument(payee), more: addressOf(payee), width: of(0.74) },
        { label: 'Agência / Código do beneficiário', value: boleto.agencyAndCode, width: of(0.26), align: 'right' },
      ],
    },
    {
      height: RECEIPT_PARTY_ROW,
      cells: [{ label: 'Pagador', value: nameAndDocument(payer), more: addressOf(payer), width: of(1) }],
    },
    {
      height: RECEIPT_ROW,
      cells: [
        { label: 'Nosso número', value: boleto.nossoNumero, width: of(0.25) },
        { label: 'Nº do documento', value: String(id), width: of(0.25) },
        { label: 'Vencimento', value: formatDay(dueDate), width: of(0.24), bold: true },
        { label: 'Valor do documento', value: formatReais(valueCents), width: of(0.26), align: 'right', bold: true },
      ],
    },
  ]
  drawBankHeader(sheet, y, boleto, 'Recibo do pagador')
  const under = drawRows(sheet, y + HEADER, rows)
  const stamp = { x: FORM.x, y: under + 8, width: FORM.width - 3 }
  sheet.line('Autenticação mecânica', stamp, { size: 6.4, align: 'right', color: MUTED })
}

const RECEIPT_ROW = 18.6
const RECEIPT_PARTY_ROW = 31
const RECEIPT_STAMP = 12

export const RECEIPT_HEIGHT = HEADER + 2 * RECEIPT_PARTY_ROW + RECEIPT_ROW + RECEIPT_STAMP

const AMOUNTS = 138
const LEFT = FORM.width - AMOUNTS
const BANK = 74
const CODE = 62
const ROW = 18.2
const PARTY_ROW = 30.5
const AMOUNT_ROW = 15
const PAYER_ROW = 40.5
const GUARANTOR = 7
const AUTHENTICATION = 10
const BAR_CODE = { width: mm(103), height: mm(13) }

const PLACE = 'PREFERENCIALMENTE EM CANAIS ELETRÔNICOS DA SUA INSTITUIÇÃO FINANCEIRA'
const RESPONSIBLE =
  'INSTRUÇÕES DE RESPONSABILIDADE DO BENEFICIÁRIO. QUALQUER DÚVIDA SOBRE ESTE BOLETO, CONTATE O BENEFICIÁRIO.'

const drawBankHeader = (sheet: Sheet, y: number, boleto: InvoiceBoleto, beside: string): void => {
  const { x, width } = FORM
  const foot = y + HEADER
  sheet.line(boleto.bankName, { x, y: foot - 6, width: BANK - 6 }, { size: 15, bold: true })
  sheet.line(boleto.bankCode, { x: x + BANK, y: foot - 5, width: CODE }, { size: 20, bold: true, align: 'center' })
  for (const at of [x + BANK, x + BANK + CODE]) sheet.rule({ x: at, y: y + 4 }, { x: at, y: foot }, 1.4)
  const right = { x: x + BANK + CODE, y: foot - 6, width: width - BANK - CODE }
  sheet.line(beside, right, { size: 13.6, bold: true, align: 'right' })
  sheet.rule({ x, y: foot }, { x: x + width, y: foot }, 1.4)
}

const amount = (label: string, value = ''): Cell => ({ label, value, width: AMOUNTS, align: 'right', bold: true })

const rowsOf = (invoice: Invoice, boleto: InvoiceBoleto): readonly Row[] => {
  const { payee, valueCents, dueDate, documentDay, id } = invoice
  const sixth = (share: number): number => LEFT * share
  return [
    {
      height: ROW,
      cells: [{ label: 'Local de pagamento', value: PLACE, width: LEFT }, amount('Vencimento', formatDay(dueDate))],
    },
    {
      height: PARTY_ROW,
      cells: [
        { label: 'Beneficiário', value: nameAndDocument(payee), more: addressOf(payee), width: LEFT },
        { ...amount('Agência / Código do beneficiário', boleto.agencyAndCode), bold: false },
      ],
    },
    {
      height: ROW,
      cells: [
        { label: 'Data do documento', value: formatDay(documentDay), width: sixth(0.2) },
        { label: 'Nº do documento', value: String(id), width: sixth(0.24) },
        { label: 'Espécie doc.', value: 'DM', width: sixth(0.15) },
        { label: 'Aceite', value: 'N', width: sixth(0.13) },
        { label: 'Data do processamento', value: formatDay(documentDay), width: sixth(0.28) },
        { ...amount('Nosso número', boleto.nossoNumero), bold: false },
      ],
    },
    {
      height: ROW,
      cells: [
        { label: 'Uso do banco', width: sixth(0.2) },
        { label: 'Carteira', value: boleto.portfolio, width: sixth(0.16) },
        { label: 'Espécie', value: 'R$', width: sixth(0.16) },
        { label: 'Quantidade', width: sixth(0.2) },
        { label: 'Valor', width: sixth(0.28) },
        amount('(=) Valor do documento', plainReais(valueCents)),
      ],
    },
  ]
}

const FILLED_BY_HAND = [
  '(–) Desconto / Abatimento',
  '(–) Outras deduções',
  '(+) Mora / Multa',
  '(+) Outros acréscimos',
  '(=) Valor cobrado',
]

const drawInstructions = (sheet: Sheet, y: number, { instructions }: Invoice): number => {
  const { x, width } = FORM
  const height = FILLED_BY_HAND.length * AMOUNT_ROW
  const edge = x + LEFT
  sheet.line('Instruções', { x: x + 3, y: y + 6.6, width: LEFT - 6 }, { size: 5.6, color: MUTED })
  const box = { x: x + 3, y: y + 9, width: LEFT - 6, height: 15.4 }
  const under = sheet.lines(RESPONSIBLE, box, { size: 6.2 })
  sheet.lines(instructions.join('\n'), { ...box, y: under + 2, height: y + height - under - 3 }, { size: 7.4 })
  for (const [index, label] of FILLED_BY_HAND.entries()) {
    const top = y + index * AMOUNT_ROW
    drawCell(sheet, { x: edge, y: top, width: AMOUNTS, height: AMOUNT_ROW }, { label, width: AMOUNTS })
    if (index > 0) sheet.rule({ x: edge, y: top }, { x: x + width, y: top })
  }
  sheet.rule({ x: edge, y }, { x: edge, y: y + height })
  sheet.rule({ x, y: y + height }, { x: x + width, y: y + height })
  return y + height
}

const drawPayer = (sheet: Sheet, y: number, { payer }: Invoice): number => {
  const { x, width } = FORM
  const cell = { label: 'Pagador', value: nameAndDocument(payer), more: addressOf(payer), width }
  drawCell(sheet, { x, y, width, height: PAYER_ROW - GUARANTOR }, cell)
  sheet.line('Sacador / Avalista', { x: x + 3, y: y + PAYER_ROW - 3, width }, { size: 5.6, color: MUTED })
  sheet.rule({ x, y: y + PAYER_ROW }, { x: x + width, y: y + PAYER_ROW }, 1.4)
  return y + PAYER_ROW
}

/** A field of a form with its label; without a value, it is filled in by hand. */
interface Cell {
  readonly label: string
  readonly value?: string
  /** A smaller text below the value: both are wrapped to fit into the cell. */
  readonly more?: string
  readonly width: number
  readonly align?: Style['align']
  readonly bold?: boolean
}

interface Row {
  readonly height: number
  readonly cells: readonly Cell[]
}

const PAD = 3
const LABEL: Style = { size: 5.6, color: MUTED }
const VALUE_SIZE = 8.6
const LEAST_SIZE = 7
const MORE_SIZE = 7
/** Baselines from the upper edge of a row. */
const LABEL_LINE = 6.6
const VALUE_LINE = 15.6
const VALUE_TOP = 8.8

const drawCell = (sheet: Sheet, { x, y, width, height }: Box, cell: Cell): void => {
  const inside = { x: x + PAD, width: width - 2 * PAD }
  const { align = 'left', bold = false, value = '', more } = cell
  sheet.line(cell.label, { ...inside, y: y + LABEL_LINE }, LABEL)
  const style = { size: VALUE_SIZE, least: LEAST_SIZE, bold, align }
  if (more === undefined) {
    sheet.line(value, { ...inside, y: y + VALUE_LINE }, style)
    return
  }
  const box = { ...inside, y: y + VALUE_TOP, height: height - VALUE_TOP - 1 }
  sheet.block(
    [
      [value, style],
      [more, { size: MORE_SIZE }],
    ],
    box,
  )
}

/** Draws cells side by side, with rules between and below them. */
const drawRow = (sheet: Sheet, y: number, { height, cells }: Row): void => {
  const { x } = FORM
  let left: number = x
  for (const cell of cells) {
    if (left > x) sheet.rule({ x: left, y }, { x: left, y: y + height })
    drawCell(sheet, { x: left, y, width: cell.width, height }, cell)
    left += cell.width
  }
  sheet.rule({ x, y: y + height }, { x: left, y: y + height })
}

const drawRows = (sheet: Sheet, y: number, rows: readonly Row[]): number =>
  rows.reduce((under, row) => {
    drawRow(sheet, under, row)
    return under + row.height
  }, y)

/** Returns the name of a party with its document, if any. */
export const nameAndDocument = ({ name, document }: InvoiceParty): string =>
  document === null ? name : `${name} - ${document}`

export const addressOf = ({ address }: InvoiceParty): string => address ?? '—'

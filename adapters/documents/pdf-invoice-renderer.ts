import { setImmediate } from 'node:timers/promises'
import type { PDFDocument, PDFImage } from 'pdf-lib'
import { formatDay } from '../../core/kernel/values/day.ts'
import { formatReais } from '../../core/kernel/values/money.ts'
import type { Invoice, InvoiceBoleto, InvoiceRenderer } from '../../core/ports/documents.ts'
import { slots } from '../concurrency/slots.ts'
import { drawCompensationSlip, drawPayerReceipt, FORM, RECEIPT_HEIGHT } from './boleto-slip.ts'
import { qrBars } from './codes.ts'
import { addressOf, dueToday, METHOD_WORDS, named, STATUS_WORDS } from './document.ts'
import { cleanPng } from './logo.ts'
import { MUTED, mm, openSheet, PAPER, type Sheet, TINT } from './sheet.ts'

const PAGE_HEIGHT = mm(297)
/** The slip is torn off here: what is under it is between 95 and 108 mm high. */
const CUT = PAGE_HEIGHT - mm(107)
const SLIP = CUT + 5
const RECEIPT = CUT - RECEIPT_HEIGHT - 6
const GAP = 14
/** The height of a heading with the gap under its text. */
const HEADING = 21
/** Of the Pix code's dark part, in mm: beside a boleto, and where it stands alone. */
const PIX_BESIDE = 30
const PIX_ALONE = 46

const drawBoleto = (sheet: Sheet, from: number, invoice: Invoice, boleto: InvoiceBoleto): void => {
  let y = drawFigures(sheet, from, figuresOf(invoice)) + GAP
  y =
    invoice.pixCode === null
      ? drawDigitableLine(sheet, y, boleto.digitableLine)
      : drawPix(sheet, y, invoice, invoice.pixCode, PIX_BESIDE)
  y += GAP
  const [description, instructions] = [invoice.description ?? '', invoice.instructions.join('\n')]
  const room = RECEIPT - y - 2 * HEADING
  const left = Math.max(room / 2, room - toldHeight(sheet, instructions))
  y = drawTold(sheet, y, 'Descrição', description, left)
  drawTold(sheet, y, 'Instruções', instructions, RECEIPT - y - HEADING)
  drawPayerReceipt(sheet, RECEIPT, invoice, boleto)
  sheet.cut(CUT)
  drawCompensationSlip(sheet, SLIP, invoice, boleto)
}

/** Why a page has nothing to pay by. */
const NOTHING_TO_PAY: { readonly [K in Invoice['status']]: string | null } = {
  pending: 'O banco ainda não informou como pagar esta cobrança.',
  paid: null,
  cancelled: 'Esta cobrança foi cancelada: não faça o pagamento.',
  expired: 'O prazo desta cobrança terminou: peça uma nova a quem a emitiu.',
  failed: 'Esta cobrança não foi aceita: não há o que pagar.',
}

const drawBill = (sheet: Sheet, from: number, invoice: Invoice): void => {
  const { pixCode, status, method, payer, description, instructions, refundNote: returned } = invoice
  let y = drawPaid(sheet, drawFigures(sheet, from, figuresOf(invoice)), invoice) + GAP
  y = drawTold(sheet, y, 'Devolução', returned, 14)
  y = drawTold(sheet, y, 'Pagador', `${named(payer)}\n${addressOf(payer)}`, 60)
  y = drawTold(sheet, y, 'Descrição', description, 110)
  y = drawTold(sheet, y, 'Instruções', instructions.join('\n'), 110)
  if (pixCode !== null) drawPix(sheet, y + 4, invoice, pixCode, PIX_ALONE)
  else if (method !== 'CREDIT_CARD' || status !== 'pending')
    drawTold(sheet, y, STATUS_WORDS[status], NOTHING_TO_PAY[status], 24)
  const foot = { x: FORM.x, y: PAGE_HEIGHT - 30, width: FORM.width }
  sheet.line(`Código da cobrança: ${invoice.code}`, foot, { size: 7.4, color: MUTED })
}

const titleOf = ({ card, status, boleto }: Invoice): string => {
  if (boleto) return 'Boleto'
  return status === 'paid' ? (card ? 'Recibo' : 'Comprovante') : 'Fatura'
}

const describe = (document: PDFDocument, { id, payee, day }: Invoice, title: string): void => {
  const on = new Date(`${day}T12:00:00Z`)
  document.setTitle(`${title} ${id}`, { showInWindowTitleBar: true })
  document.setAuthor(payee.name)
  document.setLanguage('pt-BR')
  document.setProducer('Portico')
  document.setCreator('Portico')
  // Of the same charge on the same day the same bytes.
  document.setCreationDate(on)
  document.setModificationDate(on)
}

const drawn = async (invoice: Invoice): Promise<Uint8Array> => {
  const sheet = await openSheet(invoice)
  const title = titleOf(invoice)
  describe(sheet.document, invoice, title)
  const y = (await drawLetterhead(sheet, sheet.document, invoice, title)) + GAP
  if (invoice.boleto) drawBoleto(sheet, y, invoice, invoice.boleto)
  else drawBill(sheet, y, invoice)
  return sheet.document.save()
}

const oneByOne = slots(1)

/**
 * Bills by pdf-lib: codes as vectors, texts in the fonts that every reader has or, for letters that those lack, in one of its
 * own. Drawing holds up the whole process, so that one is drawn at a time, and between two of them whoever else has come is
 * served. Source: pix-boleto.md §3.8.
 */
export const pdfInvoiceRenderer: InvoiceRenderer = {
  invoicePdf: (invoice) =>
    oneByOne(async () => {
      await setImmediate()
      return drawn(invoice)
    }),
}

const JPEG = [0xff, 0xd8, 0xff]

/** The logo, or null where there is none that can be drawn: a bill without it is better than none. */
const logoOf = async (document: PDFDocument, bytes: Uint8Array | null): Promise<PDFImage | null> => {
  if (bytes === null) return null
  try {
    if (JPEG.every((byte, index) => bytes[index] === byte)) return await document.embedJpg(bytes)
    const png = cleanPng(bytes)
    return png && (await document.embedPng(png))
  } catch {
    return null
  }
}

const TOP = 34
const LOGO = { width: 120, height: 44 }
const TITLE = 150

/** Who asks, and for which bill; gives the y under it. */
export const drawLetterhead = async (
  sheet: Sheet,
  document: PDFDocument,
  invoice: Invoice,
  title: string,
): Promise<number> => {
  const { payee, id, documentDay } = invoice
  const logo = await logoOf(document, payee.logo)
  const right = FORM.x + FORM.width
  let x: number = FORM.x
  if (logo) {
    sheet.image(logo, { x, y: TOP, ...LOGO })
    x += logo.scaleToFit(LOGO.width, LOGO.height).width + 12
  }
  const width = right - TITLE - 12 - x
  // Above a boleto there is little room.
  const room = invoice.boleto ? { name: 32, details: 28 } : { name: 64, details: 56 }
  const foot = sheet.lines(payee.name, { x, y: TOP, width, height: room.name }, { size: 12.5, bold: true })
  const details = [payee.document, payee.address].filter((text) => text !== null).join('\n')
  const under = sheet.lines(details, { x, y: foot + 1, width, height: room.details }, { size: 8, color: MUTED })
  const at = { x: right - TITLE, width: TITLE }
  sheet.line(title, { ...at, y: TOP + 12 }, { size: 14, bold: true, align: 'right' })
  sheet.line(`Nº ${id}`, { ...at, y: TOP + 26 }, { size: 9, align: 'right' })
  sheet.line(`Emissão: ${formatDay(documentDay)}`, { ...at, y: TOP + 38 }, { size: 8, align: 'right', color: MUTED })
  const y = Math.max(under, TOP + LOGO.height) + 10
  sheet.rule({ x: FORM.x, y }, { x: right, y }, 1)
  return y
}

const LABEL = { size: 7.4, color: MUTED } as const
const PAD = 12

/** Names and values beside each other on a tinted strip; gives the y under it. */
export const drawFigures = (sheet: Sheet, y: number, figures: readonly (readonly [string, string])[]): number => {
  const { x, width } = FORM
  const height = 46
  sheet.fill({ x, y, width, height }, TINT)
  const each = (width - PAD) / figures.length
  for (const [index, [label, value]] of figures.entries()) {
    const at = { x: x + PAD + index * each, width: each - PAD }
    sheet.line(label, { ...at, y: y + 15 }, LABEL)
    sheet.line(value, { ...at, y: y + 34 }, { size: 15, bold: true, least: 9 })
  }
  return y + height
}

/** What is asked, until when, and how it stands. */
export const figuresOf = (invoice: Invoice): readonly (readonly [string, string])[] => [
  ['Vencimento', formatDay(invoice.dueDate)],
  ['Valor', formatReais(invoice.valueCents)],
  ['Forma de pagamento', METHOD_WORDS[invoice.method]],
  ['Situação', STATUS_WORDS[invoice.status]],
]

const TOLD = { size: 9.4 } as const

/** Returns the height of a text under its heading. */
export const toldHeight = (sheet: Sheet, text: string): number => sheet.height(text, FORM.width, TOLD)

/** A heading and what it is about, smaller where it would be higher than so many points; nothing where there is nothing to tell. */
export const drawTold = (sheet: Sheet, y: number, label: string, text: string | null, height: number): number => {
  if (text === null || text.trim() === '') return y
  const box = { x: FORM.x, width: FORM.width }
  sheet.line(label, { ...box, y: y + 8 }, LABEL)
  return sheet.lines(text, { ...box, y: y + 13, height }, TOLD) + 8
}

const HOW = 'Abra o aplicativo do seu banco, escolha Pix e aponte a câmera para o código, ou copie o texto abaixo.'

const HOW_BY_LINE =
  'No aplicativo ou caixa eletrônico do seu banco, leia o código de barras desta página ou digite a linha digitável.'

/** Modules of white that a reader needs around a code. */
const QUIET = 4

/** The Pix code to scan and to copy, its dark part so many millimetres wide; gives the y under it. */
export const drawPix = (sheet: Sheet, y: number, invoice: Invoice, code: string, side: number): number => {
  const { x, width } = FORM
  const drawn = qrBars(code)
  const [dark, quiet] = [mm(side), (mm(side) / drawn.columns) * QUIET]
  const height = dark + 2 * quiet + 8
  sheet.fill({ x, y, width, height }, TINT)
  const at = { x: x + 4, y: y + 4, width: dark + 2 * quiet, height: dark + 2 * quiet }
  sheet.fill(at, PAPER)
  sheet.code(drawn, { x: at.x + quiet, y: at.y + quiet, width: dark, height: dark })
  const text = { x: at.x + at.width + PAD, width: x + width - PAD - (at.x + at.width + PAD) }
  sheet.line('Pague com Pix', { ...text, y: y + 20 }, { size: 13, bold: true })
  const today = dueToday(invoice)
  const how = `${HOW}${today === null ? '' : `\n${today}`}`
  const under = sheet.lines(how, { ...text, y: y + 27, height: 44 }, { size: 8.6 })
  sheet.line('Pix copia e cola', { ...text, y: under + 12 }, LABEL)
  sheet.copied(code, { ...text, y: under + 16, height: y + height - under - 20 }, 8)
  return y + height
}

/** The line to type; gives the y under it. */
export const drawDigitableLine = (sheet: Sheet, y: number, line: string): number => {
  const { x, width } = FORM
  const height = 82
  sheet.fill({ x, y, width, height }, TINT)
  const text = { x: x + PAD, width: width - 2 * PAD }
  sheet.line('Pague com boleto', { ...text, y: y + 20 }, { size: 13, bold: true })
  sheet.lines(HOW_BY_LINE, { ...text, y: y + 27, height: 11 }, { size: 8.6 })
  sheet.line('Linha digitável', { ...text, y: y + 53 }, LABEL)
  sheet.line(line, { ...text, y: y + 70 }, { size: 13, bold: true })
  return y + height
}

/** What paid it: a card, as far as anybody may know it, and what arrived. */
export const drawPaid = (sheet: Sheet, y: number, { card, paid }: Invoice): number => {
  const told = [
    ...(paid ? [['Pago em', formatDay(paid.day)] as const, ['Valor pago', formatReais(paid.cents)] as const] : []),
    ...(card ? cardFigures(card) : []),
  ]
  return told.length === 0 ? y : drawFigures(sheet, y + 2, told)
}

const cardFigures = ({ brand, last4, installments }: NonNullable<Invoice['card']>) => [
  ['Cartão', `${brand} •••• ${last4}`] as const,
  ['Parcelas', `${installments}x`] as const,
]

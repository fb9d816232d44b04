import { setImmediate } from 'node:timers/promises'
import type { PDFDocument } from 'pdf-lib'
import type { Invoice, InvoiceBoleto, InvoiceRenderer } from '../../core/ports/documents.ts'
import { slots } from '../concurrency/slots.ts'
import { drawCompensationSlip, FORM } from './compensation-slip.ts'
import { drawLetterhead } from './letterhead.ts'
import { drawDigitableLine, drawFigures, drawPaid, drawPix, drawTold, figuresOf, toldHeight } from './panels.ts'
import { drawPayerReceipt, RECEIPT_HEIGHT } from './payer-receipt.ts'
import { MUTED, mm, openSheet, type Sheet } from './sheet.ts'
import { addressOf, named, STATUS_WORDS } from './words.ts'

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

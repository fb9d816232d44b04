import { inflateSync } from 'node:zlib'
import type { PDFDocument, PDFImage } from 'pdf-lib'
import { formatDay } from '../../core/kernel/values/day.ts'
import { formatReais } from '../../core/kernel/values/money.ts'
import type { Invoice, InvoiceBoleto, InvoiceRenderer } from '../../core/ports/documents.ts'
import {
  addressOf,
  drawCompensationSlip,
  drawPayerReceipt,
  FORM,
  nameAndDocument,
  RECEIPT_HEIGHT,
} from './boleto-slip.ts'
import { qrBars } from './codes.ts'
import { drawingQueue, setMetadata } from './document.ts'
import { MUTED, mm, openSheet, PAPER, type Sheet, TINT } from './sheet.ts'

const enqueue = drawingQueue()

/**
 * Draws charges with pdf-lib: codes as vectors, texts in the fonts that every reader has. A wider font is embedded only
 * for letters that those lack.
 */
export const pdfInvoiceRenderer: InvoiceRenderer = { invoicePdf: (invoice) => enqueue(() => draw(invoice)) }

const draw = async (invoice: Invoice): Promise<Uint8Array> => {
  const sheet = await openSheet(invoice)
  const title = titleOf(invoice)
  const { payee, id, day } = invoice
  setMetadata(sheet.document, { title: `${title} ${id}`, author: payee.name, createdAt: `${day}T12:00:00Z` })
  const y = (await drawLetterhead(sheet, sheet.document, invoice, title)) + GAP
  if (invoice.boleto) drawBoleto(sheet, y, invoice, invoice.boleto)
  else drawBill(sheet, y, invoice)
  return sheet.document.save()
}

const titleOf = ({ card, status, boleto }: Invoice): string => {
  if (boleto) return 'Boleto'
  return status === 'paid' ? (card ? 'Recibo' : 'Comprovante') : 'Fatura'
}

const PAGE_HEIGHT = mm(297)
/** The cut above the slip, which is 95 to 108 mm high. */
const CUT = PAGE_HEIGHT - mm(107)
const SLIP = CUT + 5
const RECEIPT = CUT - RECEIPT_HEIGHT - 6
const GAP = 14
/** The height of a heading with the gap under its text. */
const HEADING = 21
/** The width of a Pix code without its quiet zone, in mm: above a boleto, and on a page without one. */
const PIX_ABOVE_BOLETO = 30
const PIX_ALONE = 46

const drawBoleto = (sheet: Sheet, from: number, invoice: Invoice, boleto: InvoiceBoleto): void => {
  let y = drawFigures(sheet, from, figuresOf(invoice)) + GAP
  y =
    invoice.pixCode === null
      ? drawDigitableLine(sheet, y, boleto.digitableLine)
      : drawPix(sheet, y, invoice, invoice.pixCode, PIX_ABOVE_BOLETO)
  y += GAP
  const [description, instructions] = [invoice.description ?? '', invoice.instructions.join('\n')]
  const room = RECEIPT - y - 2 * HEADING
  const left = Math.max(room / 2, room - textHeight(sheet, instructions))
  y = drawText(sheet, y, 'Descrição', description, left)
  drawText(sheet, y, 'Instruções', instructions, RECEIPT - y - HEADING)
  drawPayerReceipt(sheet, RECEIPT, invoice, boleto)
  sheet.cut(CUT)
  drawCompensationSlip(sheet, SLIP, invoice, boleto)
}

const METHOD_WORDS: { readonly [K in Invoice['method']]: string } = {
  PIX: 'Pix',
  BOLETO: 'Boleto',
  BOLEPIX: 'Boleto com Pix',
  CREDIT_CARD: 'Cartão de crédito',
}

const STATUS_WORDS: { readonly [K in Invoice['status']]: string } = {
  pending: 'Em aberto',
  paid: 'Paga',
  cancelled: 'Cancelada',
  expired: 'Expirada',
  failed: 'Não emitida',
}

/** The explanation on a page without a way to pay. */
const NOTHING_TO_PAY: { readonly [K in Invoice['status']]: string | null } = {
  pending: 'O banco ainda não informou como pagar esta cobrança.',
  paid: null,
  cancelled: 'Esta cobrança foi cancelada: não faça o pagamento.',
  expired: 'O prazo desta cobrança terminou: peça uma nova a quem a emitiu.',
  failed: 'Esta cobrança não foi aceita: não há o que pagar.',
}

const drawBill = (sheet: Sheet, from: number, invoice: Invoice): void => {
  const { pixCode, status, method, payer, description, instructions, refundNote } = invoice
  let y = drawPaid(sheet, drawFigures(sheet, from, figuresOf(invoice)), invoice) + GAP
  y = drawText(sheet, y, 'Devolução', refundNote, 14)
  y = drawText(sheet, y, 'Pagador', `${nameAndDocument(payer)}\n${addressOf(payer)}`, 60)
  y = drawText(sheet, y, 'Descrição', description, 110)
  y = drawText(sheet, y, 'Instruções', instructions.join('\n'), 110)
  if (pixCode !== null) drawPix(sheet, y + 4, invoice, pixCode, PIX_ALONE)
  else if (method !== 'CREDIT_CARD' || status !== 'pending')
    drawText(sheet, y, STATUS_WORDS[status], NOTHING_TO_PAY[status], 24)
  const foot = { x: FORM.x, y: PAGE_HEIGHT - 30, width: FORM.width }
  sheet.line(`Código da cobrança: ${invoice.code}`, foot, { size: 7.4, color: MUTED })
}

const TOP = 34
const LOGO = { width: 120, height: 44 }
const TITLE = 150

const drawLetterhead = async (
  sheet: Sheet,
  document: PDFDocument,
  invoice: Invoice,
  title: string,
): Promise<number> => {
  const { payee, id, documentDay } = invoice
  const logo = await embedLogo(document, payee.logo)
  const right = FORM.x + FORM.width
  let x: number = FORM.x
  if (logo) {
    sheet.image(logo, { x, y: TOP, ...LOGO })
    x += logo.scaleToFit(LOGO.width, LOGO.height).width + 12
  }
  const width = right - TITLE - 12 - x
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

const drawFigures = (sheet: Sheet, y: number, figures: readonly (readonly [string, string])[]): number => {
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

const figuresOf = (invoice: Invoice): readonly (readonly [string, string])[] => [
  ['Vencimento', formatDay(invoice.dueDate)],
  ['Valor', formatReais(invoice.valueCents)],
  ['Forma de pagamento', METHOD_WORDS[invoice.method]],
  ['Situação', STATUS_WORDS[invoice.status]],
]

const TEXT = { size: 9.4 } as const

const textHeight = (sheet: Sheet, text: string): number => sheet.height(text, FORM.width, TEXT)

/** Draws a heading with its text, smaller if it exceeds `height`; returns the y below. Draws nothing without a text. */
const drawText = (sheet: Sheet, y: number, label: string, text: string | null, height: number): number => {
  if (text === null || text.trim() === '') return y
  const box = { x: FORM.x, width: FORM.width }
  sheet.line(label, { ...box, y: y + 8 }, LABEL)
  return sheet.lines(text, { ...box, y: y + 13, height }, TEXT) + 8
}

const PIX_STEPS =
  'Abra o aplicativo do seu banco, escolha Pix e aponte a câmera para o código, ou copie o texto abaixo.'

const BOLETO_STEPS =
  'No aplicativo ou caixa eletrônico do seu banco, leia o código de barras desta página ou digite a linha digitável.'

/** The modules of white that a reader requires around a QR code. */
const QUIET_ZONE = 4

/** Draws the Pix code to scan, `side` mm wide, and to copy; returns the y below. */
const drawPix = (sheet: Sheet, y: number, invoice: Invoice, code: string, side: number): number => {
  const { x, width } = FORM
  const drawn = qrBars(code)
  const [dark, quiet] = [mm(side), (mm(side) / drawn.columns) * QUIET_ZONE]
  const height = dark + 2 * quiet + 8
  sheet.fill({ x, y, width, height }, TINT)
  const at = { x: x + 4, y: y + 4, width: dark + 2 * quiet, height: dark + 2 * quiet }
  sheet.fill(at, PAPER)
  sheet.code(drawn, { x: at.x + quiet, y: at.y + quiet, width: dark, height: dark })
  const text = { x: at.x + at.width + PAD, width: x + width - PAD - (at.x + at.width + PAD) }
  sheet.line('Pague com Pix', { ...text, y: y + 20 }, { size: 13, bold: true })
  const today = dueToday(invoice)
  const how = `${PIX_STEPS}${today === null ? '' : `\n${today}`}`
  const under = sheet.lines(how, { ...text, y: y + 27, height: 44 }, { size: 8.6 })
  sheet.line('Pix copia e cola', { ...text, y: under + 12 }, LABEL)
  sheet.copied(code, { ...text, y: under + 16, height: y + height - under - 20 }, 8)
  return y + height
}

const drawDigitableLine = (sheet: Sheet, y: number, line: string): number => {
  const { x, width } = FORM
  const height = 82
  sheet.fill({ x, y, width, height }, TINT)
  const text = { x: x + PAD, width: width - 2 * PAD }
  sheet.line('Pague com boleto', { ...text, y: y + 20 }, { size: 13, bold: true })
  sheet.lines(BOLETO_STEPS, { ...text, y: y + 27, height: 11 }, { size: 8.6 })
  sheet.line('Linha digitável', { ...text, y: y + 53 }, LABEL)
  sheet.line(line, { ...text, y: y + 70 }, { size: 13, bold: true })
  return y + height
}

const drawPaid = (sheet: Sheet, y: number, { card, paid }: Invoice): number => {
  const figures = [
    ...(paid ? [['Pago em', formatDay(paid.day)] as const, ['Valor pago', formatReais(paid.cents)] as const] : []),
    ...(card ? cardFigures(card) : []),
  ]
  return figures.length === 0 ? y : drawFigures(sheet, y + 2, figures)
}

const cardFigures = ({ brand, last4, installments }: NonNullable<Invoice['card']>) => [
  ['Cartão', `${brand} •••• ${last4}`] as const,
  ['Parcelas', `${installments}x`] as const,
]

/** Returns the amount due today if interest or a discount changes it. */
const dueToday = ({ status, day, dueCents, valueCents }: Invoice): string | null =>
  status !== 'pending' || dueCents === valueCents ? null : `Valor em ${formatDay(day)}: ${formatReais(dueCents)}`

const JPEG = [0xff, 0xd8, 0xff]

/** Embeds a PNG or JPEG; returns null for any other file, so that its charge is drawn without a logo. */
const embedLogo = async (document: PDFDocument, bytes: Uint8Array | null): Promise<PDFImage | null> => {
  if (bytes === null) return null
  try {
    if (JPEG.every((byte, index) => bytes[index] === byte)) return await document.embedJpg(bytes)
    const png = cleanPng(bytes)
    return png && (await document.embedPng(png))
  } catch {
    return null
  }
}

/**
 * Returns a PNG with only the chunks that draw it; null if the file is incomplete or its lengths contradict each other,
 * since decoding such a file may never end. Throws if the rows cannot be decompressed.
 */
const cleanPng = (file: Uint8Array): Uint8Array | null => {
  if (!SIGNATURE.every((byte, index) => file[index] === byte)) return null
  const [first, ...rest] = chunksOf(file) ?? []
  const head = first && headOf(first)
  const last = rest.at(-1)
  if (!head || !last) return null
  const kept = rest.filter(({ name }) => DRAWN.has(name))
  const compressed = join(kept.filter(({ name }) => name === 'IDAT').map(({ data }) => data))
  const hasPalette = kept.some(({ name, data }) => name === 'PLTE' && data.length >= 3)
  if ((head.isIndexed && !hasPalette) || !isWhole(compressed, head)) return null
  return join([Uint8Array.from(SIGNATURE), ...[first, ...kept, last].map(({ whole }) => whole)])
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** The length, name and checksum of a chunk. */
const FRAME_BYTES = 12
const HEAD_LENGTH = 13
const DRAWN = new Set(['PLTE', 'tRNS', 'IDAT'])
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const DEPTHS = [1, 2, 4, 8, 16]
const LAST_FILTER = 4
/** Drawing time grows with the pixels and blocks the event loop. */
const MAX_PIXELS = 500_000

interface Chunk {
  readonly name: string
  readonly data: Uint8Array
  /** The data with its frame. */
  readonly whole: Uint8Array
}

/** Returns the chunks of a file; null if one exceeds the file, or the end chunk is missing. */
const chunksOf = (file: Uint8Array): readonly Chunk[] | null => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const chunks: Chunk[] = []
  let at = SIGNATURE.length
  while (at + FRAME_BYTES <= file.length) {
    const end = at + FRAME_BYTES + view.getUint32(at)
    if (end > file.length) return null
    const name = String.fromCharCode(...file.subarray(at + 4, at + 8))
    const chunk = { name, data: file.subarray(at + 8, end - 4), whole: file.subarray(at, end) }
    chunks.push(chunk)
    if (name === 'IEND') return chunks
    at = end
  }
  return null
}

interface Head {
  readonly height: number
  /** The bytes of a row with its filter byte. */
  readonly rowBytes: number
  readonly isIndexed: boolean
}

const headOf = ({ name, data }: Chunk): Head | null => {
  if (name !== 'IHDR' || data.length !== HEAD_LENGTH) return null
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const [width, height] = [view.getUint32(0), view.getUint32(4)]
  const [depth = 0, color = -1, ...methods] = data.subarray(8)
  const channels = CHANNELS[color]
  const isSmall = width > 0 && height > 0 && width * height <= MAX_PIXELS
  // Interlaced pictures are rejected too: their rows have another layout.
  if (!isSmall || channels === undefined || !DEPTHS.includes(depth) || methods.some((method) => method !== 0))
    return null
  return { height, rowBytes: Math.ceil((width * channels * depth) / 8) + 1, isIndexed: color === 3 }
}

const join = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))

/** Reports whether the compressed rows are complete and each has a valid filter. */
const isWhole = (compressed: Uint8Array, { height, rowBytes }: Head): boolean => {
  const rows = inflateSync(compressed, { maxOutputLength: height * rowBytes + 1 })
  if (rows.length !== height * rowBytes) return false
  for (let at = 0; at < rows.length; at += rowBytes) if ((rows[at] ?? 0) > LAST_FILTER) return false
  return true
}

import type { PDFDocument, PDFImage } from 'pdf-lib'
import { formatDay } from '../../core/kernel/values/day.ts'
import type { Invoice } from '../../core/ports/documents.ts'
import { cleanPng } from './clean-png.ts'
import { FORM } from './compensation-slip.ts'
import { MUTED, type Sheet } from './sheet.ts'

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

import { PDFDocument, StandardFonts } from 'pdf-lib'
import { pdfInvoiceRenderer } from '../../adapters/documents/pdf-invoice-renderer.ts'
import type { Invoice } from '../../core/ports/documents.ts'
import { samples } from '../adapters/documents/sample-invoices.ts'
import { rates, type Work } from './rates.ts'
import type { Figure } from './table.ts'

const over =
  (draw: () => Promise<unknown>): Work =>
  async (endMs) => {
    let times = 0
    for (; performance.now() < endMs; times += 1) await draw()
    return times
  }

/** A page with three fonts and one line: what the library takes for any page at all. */
const plainPage = async (): Promise<Uint8Array> => {
  const document = await PDFDocument.create()
  const page = document.addPage()
  const [font] = [
    await document.embedFont(StandardFonts.Helvetica),
    await document.embedFont(StandardFonts.HelveticaBold),
    await document.embedFont(StandardFonts.ZapfDingbats),
  ]
  page.drawText('Boleto', { font })
  return document.save()
}

const BILLS: readonly (readonly [string, Invoice])[] = [
  ['boleto', samples.boleto],
  ['bolepix', samples.bolepix],
  ['Pix', samples.pix],
  ['card', samples.card],
  ['bolepix in letters of a font of its own', samples.strange],
]

/** Bills drawn per second by one process, which does nothing else meanwhile. */
export const pdfFigures = async (): Promise<readonly Figure[]> => {
  const floor = over(plainPage)
  const figures: Figure[] = []
  for (const [name, invoice] of BILLS) {
    const measured = await rates(
      over(() => pdfInvoiceRenderer.invoicePdf(invoice)),
      floor,
    )
    figures.push({
      name: `PDF of a ${name}`,
      unit: '/s',
      ...measured,
      of: 'a page of one line by the same library',
      aim: null,
    })
  }
  return figures
}

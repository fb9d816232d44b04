import { stringify } from 'csv-stringify/sync'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { pdfInvoiceRenderer } from '../../adapters/documents/pdf-invoice-renderer.ts'
import { statementPdf } from '../../adapters/documents/statement-pdf.ts'
import { sheetWriter } from '../../adapters/sheets/sheet-writer.ts'
import { openStore } from '../../apps/host/open-store.ts'
import { entriesOf, type Selection, sheetOf } from '../../core/payments/exports/document.ts'
import { entries } from '../../core/payments/ledger/ledger.ts'
import { paymentsCollections } from '../../core/payments/payments.ts'
import type { Invoice } from '../../core/ports/documents.ts'
import type { Chunks } from '../../core/ports/files.ts'
import type { Store } from '../../core/ports/store.ts'
import { samples } from '../adapters/documents/sample-invoices.ts'
import { statementOf } from '../adapters/documents/sample-statements.ts'
import { GROWING, historyOf, MANY } from './lists/history.ts'
import { rates, type Work } from './rates.ts'
import type { Figure } from './table.ts'

const XLSX_ROWS = 100_000
const PDF_DAYS = 60
const PDF_LINES_A_DAY = 333
const ROWS_AT_ONCE = 1_000
const MB = 1_000_000
const FLAT_MB = 200
const CSV_SHARE = 0.6
const LOOK_MS = 20

const all = (lastSeq: number): Selection => ({
  ...{ accountId: GROWING, fromDay: null, toDay: null, typeIds: null, search: null, status: null },
  ...{ afterSeq: 0, lastSeq, byDay: false, total: lastSeq },
})

const drained = async (chunks: Chunks): Promise<void> => {
  for await (const _ of chunks);
}

interface Taken {
  readonly ms: number
  /** The peak of resident memory above the level at the start. */
  readonly peakMb: number
}

const taken = async (work: () => Promise<void> | void): Promise<Taken> => {
  globalThis.gc?.()
  const idle = process.memoryUsage().rss
  let peak = idle
  const looking = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, LOOK_MS)
  const begun = performance.now()
  await work()
  clearInterval(looking)
  return { ms: performance.now() - begun, peakMb: Math.max(0, peak - idle) / MB }
}

/** Returns the cells of a thousand entries, for repeated writing. */
const rowsInMemory = async (store: Store): Promise<readonly (readonly string[])[]> => {
  const { records } = await store.list({ kind: 'list', from: entries, where: { all: [] }, limit: ROWS_AT_ONCE })
  const sheet = sheetOf(
    (async function* () {
      yield records
    })(),
  )
  for await (const rows of sheet.rows) return rows.map((row) => row.map((value) => `${value ?? ''}`))
  return []
}

const floorOf = (rows: readonly (readonly string[])[]) => (): void => {
  for (let written = 0; written < MANY; written += rows.length)
    stringify(
      rows.map((row) => [...row]),
      { delimiter: ';', record_delimiter: '\r\n', quoted_match: /[\r\n]/ },
    )
}

const perSecond = (rows: number, { ms }: Taken): number => (rows / ms) * 1_000

/** Measures the export documents of an account with a million entries, from the store to discarded bytes. */
export const exportFigures = async (): Promise<readonly Figure[]> => {
  const store = await openStore(`sqlite:${await historyOf(MANY)}`, paymentsCollections)
  const floor = await taken(floorOf(await rowsInMemory(store)))
  const csv = await taken(() => drained(sheetWriter.csv(sheetOf(entriesOf(store, all(MANY))))))
  const xlsx = await taken(() => drained(sheetWriter.xlsx(sheetOf(entriesOf(store, all(XLSX_ROWS))))))
  await store.close()
  const long = statementOf(PDF_DAYS, PDF_LINES_A_DAY)
  const pdf = await taken(async () => {
    await statementPdf(long)
  })
  const of = 'csv-stringify alone, on rows in memory'
  const memory = { unit: 'MB', floor: FLAT_MB, of: 'the limit', aim: { atMost: 1 } } as const
  const noFloor = { floor: null, of: '', aim: null } as const
  const rows = { unit: '/s', ours: perSecond(MANY, csv) } as const
  return [
    { name: 'rows of CSV, of 1,000,000', ...rows, floor: perSecond(MANY, floor), of, aim: { atLeast: CSV_SHARE } },
    { name: 'memory of it, over idle', ours: csv.peakMb, ...memory },
    { name: 'rows of XLSX, of 100,000', unit: '/s', ours: perSecond(XLSX_ROWS, xlsx), ...noFloor },
    { name: 'memory of it, over idle', ours: xlsx.peakMb, ...memory },
    { name: 'PDF of 20,000 entries', unit: 'ms', ours: pdf.ms, ...noFloor },
    { name: 'memory of it, over idle', unit: 'MB', ours: pdf.peakMb, ...noFloor },
  ]
}

const over =
  (draw: () => Promise<unknown>): Work =>
  async (endMs) => {
    let times = 0
    for (; performance.now() < endMs; times += 1) await draw()
    return times
  }

/** Draws a page with three fonts and one line. */
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

/** Measures the bills drawn per second by one idle process. */
export const pdfFigures = async (): Promise<readonly Figure[]> => {
  const floor = over(plainPage)
  const figures: Figure[] = []
  for (const [name, invoice] of BILLS) {
    const measured = await rates(
      over(() => pdfInvoiceRenderer.invoicePdf(invoice)),
      floor,
    )
    const of = 'a page of one line by the same library'
    figures.push({ name: `PDF of a ${name}`, unit: '/s', ...measured, of, aim: null })
  }
  return figures
}

import { stringify } from 'csv-stringify/sync'
import { type CellValue, writeXlsxStream } from 'hucre/xlsx'
import { formatDay, localDateTime } from '../../core/kernel/values/day.ts'
import { reaisFromCents } from '../../core/kernel/values/money.ts'
import type { Chunks } from '../../core/ports/files.ts'
import type { CellKind, Sheet, SheetRow, SheetWriter } from '../../core/ports/sheets.ts'

/** Writes tables as CSV with csv-stringify, and as XLSX with hucre. */
export const sheetWriter: SheetWriter = { csv: csvChunks, xlsx: xlsxChunks }

const BOM = '\uFEFF'

const FORM = {
  delimiter: ';',
  record_delimiter: '\r\n',
  // Most readers take a lone line feed for the end of a record.
  quoted_match: /[\r\n]/,
}

/** The characters, with their full-width forms, that begin a formula in a spreadsheet. */
const TRIGGER = /^[=+\-@\t\r\n＝＋－＠]/

/** Quotes a text that a spreadsheet would compute. */
const withoutFormula = (text: string): string => (TRIGGER.test(text) ? `'${text}` : text)

/** Formats integer cents as `-1234,56`. */
const withComma = (cents: number): string => {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)},${digits.slice(-2)}`
}

/** Formats an instant as `21/11/2026 10:05:09`, as Brazilian spreadsheets read it. */
const localTime = (instant: string): string => {
  const [day = '', time = ''] = localDateTime(instant).split(' ')
  return `${formatDay(day)} ${time}`
}

const CSV_TEXTS: { readonly [K in CellKind]: (value: string | number) => string } = {
  text: (value) => withoutFormula(`${value}`),
  integer: String,
  money: (value) => withComma(Number(value)),
  instant: (value) => localTime(`${value}`),
}

/** Yields the CSV of each batch of rows. */
async function* csvChunks({ columns, rows }: Sheet): Chunks {
  const encoder = new TextEncoder()
  const texts = columns.map(({ kind }) => CSV_TEXTS[kind])
  const lineOf = (row: SheetRow) => row.map((value, index) => (value === null ? '' : (texts[index]?.(value) ?? '')))
  yield encoder.encode(BOM + stringify([columns.map(({ title }) => title)], FORM))
  for await (const batch of rows) if (batch.length > 0) yield encoder.encode(stringify(batch.map(lineOf), FORM))
}

const FORMATS: { readonly [K in CellKind]: string | undefined } = {
  text: undefined,
  integer: '0',
  money: '#,##0.00',
  instant: 'dd/mm/yyyy hh:mm:ss',
}

const DAY_MS = 86_400_000
/** A workbook stores times as days; 1970-01-01 is day 25569. */
const SERIAL_OF_1970 = 25_569

const serialOf = (instant: string): number => {
  const local = Date.parse(`${localDateTime(instant).replace(' ', 'T')}Z`)
  return local / DAY_MS + SERIAL_OF_1970
}

/** Characters that XML does not allow. */
const NOT_IN_XML = /(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu

/** The underscore of a text that a workbook would read as a character code (ECMA-376, ST_Xstring). */
const CODE_START = /_(?=x[\dA-Fa-f]{4}_)/g
const UNDERSCORE = '_x005F_'

const CELLS: { readonly [K in CellKind]: (value: string | number) => CellValue } = {
  text: (value) => `${value}`.replace(NOT_IN_XML, ' ').replace(CODE_START, UNDERSCORE),
  integer: Number,
  money: (value) => reaisFromCents(Number(value)),
  instant: (value) => serialOf(`${value}`),
}

async function* cellsOf({ columns, rows }: Sheet): AsyncIterable<CellValue[]> {
  const cells = columns.map(({ kind }) => CELLS[kind])
  const cellsIn = (row: SheetRow): CellValue[] =>
    row.map((value, index) => (value === null ? null : (cells[index]?.(value) ?? null)))
  for await (const batch of rows) for (const row of batch) yield cellsIn(row)
}

/** Yields a workbook. Texts are stored as texts, so that none is a formula. */
async function* xlsxChunks(sheet: Sheet): Chunks {
  const columns = sheet.columns.map(({ title, kind, width }) => {
    const numFmt = FORMATS[kind]
    return { header: title, width, ...(numFmt && { numFmt }) }
  })
  const options = { name: sheet.title, columns, freezePane: { rows: 1 } }
  yield* writeXlsxStream(cellsOf(sheet), options)
}

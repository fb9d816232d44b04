import { stringify } from 'csv-stringify/sync'
import { type CellValue, writeXlsxStream } from 'hucre/xlsx'
import { localDateTime } from '../../core/kernel/values/day.ts'
import { reaisFromCents } from '../../core/kernel/values/money.ts'
import type { Chunks } from '../../core/ports/files.ts'
import type { CellKind, Sheet, SheetRow, SheetWriter } from '../../core/ports/sheets.ts'

/** Tables as CSV by csv-stringify, and as XLSX by hucre. */
export const sheetWriter: SheetWriter = { csv: csvChunks, xlsx: xlsxChunks }

const BOM = '\uFEFF'

const FORM = {
  delimiter: ';',
  record_delimiter: '\r\n',
  // A lone line feed ends no record, and would end one for most readers.
  quoted_match: /[\r\n]/,
}

/** What a spreadsheet takes for the beginning of a formula, by its look-alikes too. */
const TRIGGER = /^[=+\-@\t\r\n＝＋－＠]/

/** A text that no spreadsheet computes. Source: decisions.md §4. */
const defused = (text: string): string => (TRIGGER.test(text) ? `'${text}` : text)

/** `-1234,56` of integer cents. */
const withComma = (cents: number): string => {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)},${digits.slice(-2)}`
}

const [DAY_CHARS, TIME_AT] = [10, 10]

/** `21/11/2026 10:05:09`, as spreadsheets here read it. */
const localTime = (instant: string): string => {
  const local = localDateTime(instant)
  const [year, month, day] = local.slice(0, DAY_CHARS).split('-')
  return `${day}/${month}/${year}${local.slice(TIME_AT)}`
}

const WRITTEN: { readonly [K in CellKind]: (value: string | number) => string } = {
  text: (value) => defused(`${value}`),
  integer: String,
  money: (value) => withComma(Number(value)),
  instant: (value) => localTime(`${value}`),
}

/** A table as CSV, as many rows at once as come at once. */
export async function* csvChunks({ columns, rows }: Sheet): Chunks {
  const encoder = new TextEncoder()
  const written = columns.map(({ kind }) => WRITTEN[kind])
  const lineOf = (row: SheetRow) => row.map((value, index) => (value === null ? '' : (written[index]?.(value) ?? '')))
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
/** How a workbook counts: its day 25569 is the first of 1970. */
const SERIAL_OF_1970 = 25_569

const serialOf = (instant: string): number => {
  const local = Date.parse(`${localDateTime(instant).replace(' ', 'T')}Z`)
  return local / DAY_MS + SERIAL_OF_1970
}

/** What XML cannot hold at all. */
const NO_XML = /(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu

/** What a workbook would read as a character by its code (ECMA-376, ST_Xstring): its underscore is written by its own. */
const CODE = /_(?=x[\dA-Fa-f]{4}_)/g
const UNDERSCORE = '_x005F_'

const CELLS: { readonly [K in CellKind]: (value: string | number) => CellValue } = {
  text: (value) => `${value}`.replace(NO_XML, ' ').replace(CODE, UNDERSCORE),
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

/** A table as a workbook: texts are typed as texts, whatever they begin with, and there is no element of a formula. */
export async function* xlsxChunks(sheet: Sheet): Chunks {
  const columns = sheet.columns.map(({ title, kind, width }) => {
    const numFmt = FORMATS[kind]
    return { header: title, width, ...(numFmt && { numFmt }) }
  })
  const options = { name: sheet.title, columns, freezePane: { rows: 1 } }
  yield* writeXlsxStream(cellsOf(sheet), options)
}

import { type CellValue, writeXlsxStream } from 'hucre/xlsx'
import { localDateTime } from '../../core/kernel/values/day.ts'
import { reaisFromCents } from '../../core/kernel/values/money.ts'
import type { Chunks } from '../../core/ports/files.ts'
import type { CellKind, Sheet, SheetRow } from '../../core/ports/sheets.ts'

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

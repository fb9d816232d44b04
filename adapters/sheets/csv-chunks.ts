import { stringify } from 'csv-stringify/sync'
import { localDateTime } from '../../core/kernel/values/day.ts'
import type { Chunks } from '../../core/ports/files.ts'
import type { CellKind, Sheet, SheetRow } from '../../core/ports/sheets.ts'

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

import type { Chunks } from './files.ts'

/**
 * What the cells of a column hold: texts, whole numbers, money as integer cents, or instants, which are shown as São Paulo's
 * clocks had them.
 */
export type CellKind = 'text' | 'integer' | 'money' | 'instant'

export interface SheetColumn {
  /** Its line at the top. */
  readonly title: string
  readonly kind: CellKind
  /** How wide it is, in signs. */
  readonly width: number
}

/** One value for each column; null is an empty cell. */
export type SheetRow = readonly (string | number | null)[]

/** A table that is written row by row, so that no length is too much for the memory. */
export interface Sheet {
  readonly title: string
  readonly columns: readonly SheetColumn[]
  /** As they are read, some at once. */
  readonly rows: AsyncIterable<readonly SheetRow[]>
}

/**
 * Writes tables as files, row by row as they are read. No cell is a formula to whatever opens it; numbers are numbers.
 * Source: decisions.md §4; §11, Transfers and exports.
 */
export interface SheetWriter {
  /** UTF-8 with BOM, `;` between cells, decimal comma, one line of titles. */
  csv(sheet: Sheet): Chunks
  /** A workbook of typed cells; what is more than a sheet holds goes on in the next one. */
  xlsx(sheet: Sheet): Chunks
}

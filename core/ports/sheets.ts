import type { Chunks } from './files.ts'

/** One record of a CSV file. */
export interface SheetLine {
  /** The number of its first line; the file begins with line 1. */
  readonly line: number
  /** The cells as text. Their number may differ from the number of columns. */
  readonly cells: readonly string[]
}

/** The records of a file, or the first line of a record whose quotes are misplaced or not closed. */
export type SheetLines =
  | { readonly is: 'read'; readonly lines: readonly SheetLine[] }
  | { readonly is: 'malformed'; readonly line: number }

/** Reads CSV files, yielding to the event loop between pieces. */
export interface SheetReader {
  /**
   * Returns at most `most` records, the header among them. The separator is `,` or `;`, whichever comes first in the
   * first line; quoting follows RFC 4180; lines end with CRLF or LF. A BOM and records without text are skipped.
   */
  csv(text: string, most: number): Promise<SheetLines>
}

/** The type of a column's cells: text, an integer, money in integer cents, or an instant, shown in São Paulo's time. */
export type CellKind = 'text' | 'integer' | 'money' | 'instant'

export interface SheetColumn {
  /** Its cell in the header. */
  readonly title: string
  readonly kind: CellKind
  /** In characters. */
  readonly width: number
}

/** One value a column; null is an empty cell. */
export type SheetRow = readonly (string | number | null)[]

/** A table to write. Its rows are read in batches, so that memory does not grow with its length. */
export interface Sheet {
  readonly title: string
  readonly columns: readonly SheetColumn[]
  /** The rows in batches. */
  readonly rows: AsyncIterable<readonly SheetRow[]>
}

/**
 * Writes tables as files while their rows are read. Text that a spreadsheet would take for a formula is escaped;
 * numbers stay numbers.
 */
export interface SheetWriter {
  /** UTF-8 with BOM, `;` between cells, decimal comma, one header line. */
  csv(sheet: Sheet): Chunks
  /** A workbook of typed cells. Rows beyond the limit of a sheet continue on the next sheet. */
  xlsx(sheet: Sheet): Chunks
}

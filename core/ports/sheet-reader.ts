/** One record of a table, as it stands in its file. */
export interface SheetLine {
  /** Where it begins: the first line of the file is 1. */
  readonly line: number
  /** As texts, in the order of the columns; a line may have fewer or more than there are columns. */
  readonly cells: readonly string[]
}

/** What a table says, or the line of the record that cannot be read: its quotes are in the wrong place, or it has no end. */
export type SheetLines =
  | { readonly is: 'read'; readonly lines: readonly SheetLine[] }
  | { readonly is: 'malformed'; readonly line: number }

/** Reads tables of files, in pieces between which others get their turn. */
export interface SheetReader {
  /**
   * The records of a CSV, its titles among them, and at most so many. Cells are parted by `,` or `;`, whichever comes first in
   * the first line, and quoted as RFC 4180 has it; lines end with CRLF or LF. A BOM is none of it, and a record without any
   * text is none.
   */
  csv(text: string, most: number): Promise<SheetLines>
}

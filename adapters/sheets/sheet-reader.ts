import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import type { SheetLine, SheetLines, SheetReader } from '../../core/ports/sheets.ts'

/** Some milliseconds of work, at its worst: the reader makes an error of each record that is not as wide as the first. */
const PIECE_BYTES = 256
/** More than any record of ours has. */
const MAX_CELLS = 1_000
const MAX_RECORD_CHARS = 500_000
/** Lines of nothing, or of separators alone: more than anybody leaves in a table. */
const MAX_BLANK = 10_000

/** Names of fields have none of them; lines of nothing may stand before the titles. */
const SEPARATOR = /^[\r\n]*[^,;\t\r\n]*([,;\t])/

const formOf = (text: string) => ({
  delimiter: SEPARATOR.exec(text)?.[1] ?? ',',
  record_delimiter: ['\r\n', '\n'],
  bom: true,
  relax_column_count: true,
  max_record_size: MAX_RECORD_CHARS,
})

class Unreadable extends Error {}

const BREAK = /\n/g

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '')

/** The records of a CSV, with the lines in which they begin. */
const csvLines = async (text: string, most: number): Promise<SheetLines> => {
  const lines: SheetLine[] = []
  let line = 1
  let blank = 0
  const isFull = () => lines.length >= most
  const take = (cells: readonly string[]) => {
    const isNothing = isBlank(cells)
    if (isNothing) blank += 1
    if (cells.length > MAX_CELLS || blank > MAX_BLANK) throw new Unreadable()
    if (!isNothing && !isFull()) lines.push({ line, cells })
    // A record ends one line, and what is quoted in it may end others.
    line += cells.reduce((breaks, cell) => breaks + (cell.match(BREAK)?.length ?? 0), 1)
    return null
  }
  // Whoever else waits gets their turn before each piece, and what is full is read no further.
  async function* pieces() {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length && !isFull(); at += PIECE_BYTES) {
      await setImmediate()
      yield bytes.subarray(at, at + PIECE_BYTES)
    }
  }
  try {
    await pipeline(pieces, parse({ ...formOf(text), on_record: take }).resume())
  } catch (error) {
    if (!(error instanceof CsvError || error instanceof Unreadable)) throw error
    if (!isFull()) return { is: 'malformed', line }
  }
  return { is: 'read', lines }
}

/** Tables of CSV by csv-parse. */
export const sheetReader: SheetReader = { csv: csvLines }

import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import type { SheetLine, SheetLines, SheetReader } from '../../core/ports/sheets.ts'

/** At worst some milliseconds of work: csv-parse creates an error for each record of another width than the first. */
const CHUNK_BYTES = 256
const MAX_CELLS = 1_000
const MAX_RECORD_CHARS = 500_000
/** The limit of lines that are empty or contain only separators. */
const MAX_BLANK = 10_000

/** The first separator of the titles, after any empty lines. Titles contain none themselves. */
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
    // Quoted cells may contain further line breaks.
    line += cells.reduce((breaks, cell) => breaks + (cell.match(BREAK)?.length ?? 0), 1)
    return null
  }
  // The event loop runs before each chunk.
  async function* chunks() {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length && !isFull(); at += CHUNK_BYTES) {
      await setImmediate()
      yield bytes.subarray(at, at + CHUNK_BYTES)
    }
  }
  try {
    await pipeline(chunks, parse({ ...formOf(text), on_record: take }).resume())
  } catch (error) {
    if (!(error instanceof CsvError || error instanceof Unreadable)) throw error
    if (!isFull()) return { is: 'malformed', line }
  }
  return { is: 'read', lines }
}

/** Reads tables of CSV with csv-parse. */
export const sheetReader: SheetReader = { csv: csvLines }

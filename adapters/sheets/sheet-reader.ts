import type { SheetReader } from '../../core/ports/sheets.ts'
import { csvLines } from './csv-lines.ts'

/** Tables of CSV by csv-parse. */
export const sheetReader: SheetReader = { csv: csvLines }

import type { SheetWriter } from '../../core/ports/sheets.ts'
import { csvChunks } from './csv-chunks.ts'
import { xlsxChunks } from './xlsx-chunks.ts'

/** Tables as CSV by csv-stringify, and as XLSX by hucre. */
export const sheetWriter: SheetWriter = { csv: csvChunks, xlsx: xlsxChunks }

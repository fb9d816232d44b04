/** What members about exports are given, and what they answer. */

export type { ExportedFile } from './document.ts'
export type { Export, ExportFormat } from './export.ts'
export type { StatementExport, TransactionExport } from './export-requests.ts'
export type { ReceiptPdf } from './read-receipt.ts'

/** The inputs and results of the members of `exports`. */

export type { ChargeTableFilter } from './charge-table.ts'
export type { ExportedFile } from './document.ts'
export type { Export, ExportFormat } from './export.ts'
export type { StatementExport, TransactionExport } from './export-requests.ts'
export type { ReceiptPdf } from './read-receipt.ts'

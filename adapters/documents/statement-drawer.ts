import type { ChargeListPaper, Statement } from '../../core/ports/documents.ts'
import { serveThread } from '../concurrency/side-thread.ts'
import { chargeListPdf } from './charge-list-pdf.ts'
import { statementPdf } from './statement-pdf.ts'

export type LongPaper = Statement | ChargeListPaper

// The entry point of the thread that draws long documents.
serveThread<LongPaper, Uint8Array>((paper) => ('days' in paper ? statementPdf(paper) : chargeListPdf(paper)))

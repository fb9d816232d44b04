import { serveThread } from '../concurrency/side-thread.ts'
import { chargeListPdf } from './charge-list-pdf.ts'
import type { LongPaper } from './pdf-statement-renderer.ts'
import { statementPdf } from './statement-pdf.ts'

// The entry point of the thread that draws long documents.
serveThread<LongPaper, Uint8Array>((paper) => ('days' in paper ? statementPdf(paper) : chargeListPdf(paper)))

import type { Statement } from '../../../core/ports/documents.ts'
import { serveThread } from '../../threads/serve-thread.ts'
import { statementPdf } from './statement-pdf.ts'

// The thread that draws statements.
serveThread<Statement, Uint8Array>(statementPdf)

import type { Statement } from '../../core/ports/documents.ts'
import { serveThread } from '../concurrency/side-thread.ts'
import { statementPdf } from './statement-pdf.ts'

// The entry point of the thread that draws statements.
serveThread<Statement, Uint8Array>(statementPdf)

import { type Day, dayOf, type Instant } from '../../kernel/values/day.ts'
import type { Chunks } from '../../ports/files.ts'
import { byId } from '../../ports/store.ts'
import { accounts } from '../accounts/account.ts'
import type { Entry } from '../ledger/entry.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { sheetOf } from './entry-sheet.ts'
import { statementOf } from './entry-statement.ts'
import type { Export, ExportFormat } from './export.ts'
import { balanceBefore, entriesOf, type Selection } from './selection.ts'

/** How many entries a PDF holds. Source: decisions.md §4. */
export const MAX_PDF_ENTRIES = 20_000

/** A file to be handed out. */
export interface ExportedFile {
  readonly name: string
  readonly contentType: string
  readonly chunks: Chunks
}

/** What is written of which entries, and when it was asked for: what it says of itself stays the same however often it is written. */
export interface DocumentOrder extends Selection {
  readonly kind: Export['kind']
  readonly format: ExportFormat
  readonly createdAt: Instant
}

export const CONTENT_TYPES: { readonly [K in ExportFormat]: string } = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
}

const WORDS: { readonly [K in Export['kind']]: string } = { transactions: 'transacoes', statement: 'extrato' }

const span = (from: Day | null, to: Day | null): string => [from, to].filter((day) => day !== null).join('_')

/** What it is called where it is saved: its days, or the day on which it was asked for. */
export const fileNameOf = ({ kind, format, fromDay, toDay, createdAt }: DocumentOrder): string =>
  `${WORDS[kind]}-${span(fromDay, toDay) || dayOf(createdAt)}.${format}`

/** Told of each page of entries as it is written. */
type Progress = (entries: number) => Promise<void>

async function* counted(pages: AsyncIterable<readonly Entry[]>, progress: Progress): AsyncIterable<readonly Entry[]> {
  for await (const page of pages) {
    yield page
    await progress(page.length)
  }
}

const paper = async (ports: PaymentsPorts, order: DocumentOrder, pages: AsyncIterable<readonly Entry[]>) => {
  const account = await ports.store.find(byId(accounts, order.accountId))
  if (!account) throw new Error(`no account ${order.accountId}`)
  const entered: Entry[] = []
  for await (const page of pages) entered.push(...page)
  const openingCents = await balanceBefore(ports.store, order)
  return ports.statementRenderer.statementPdf(statementOf(order, account, entered, openingCents, order.createdAt))
}

async function* paperChunks(...of: Parameters<typeof paper>): Chunks {
  yield await paper(...of)
}

const nobody: Progress = async () => {}

/** The bytes of a document, made as they are read: a table page by page, a PDF whole. */
export const documentOf = (ports: PaymentsPorts, order: DocumentOrder, progress: Progress = nobody): Chunks => {
  const pages = counted(entriesOf(ports.store, order), progress)
  if (order.format === 'pdf') return paperChunks(ports, order, pages)
  const sheet = sheetOf(pages)
  return order.format === 'csv' ? ports.sheetWriter.csv(sheet) : ports.sheetWriter.xlsx(sheet)
}

import type { DayRange } from '../../kernel/input/mod.ts'
import { all, eq, gt, lt, lte, type Where } from '../../kernel/records/record.ts'
import { dayOf, type Instant } from '../../kernel/values/day.ts'
import { formatTaxId } from '../../kernel/values/tax-id.ts'
import type { Party } from '../../ports/bank.ts'
import type { Statement, StatementDay, StatementHolder, StatementLine } from '../../ports/documents.ts'
import type { Chunks } from '../../ports/files.ts'
import type { Sheet, SheetColumn, SheetRow } from '../../ports/sheets.ts'
import { byId, groupOf, listOf, type Store } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import { bankByCode } from '../banks.ts'
import { accountBalanceOf, CONFIRMED, type Entry, entries, transactionType } from '../ledger/ledger.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { seqCountsOf, seqQueries } from '../statements/entries.ts'
import {
  conditionsOf,
  type EntryField,
  type EntryFilter,
  EVERY_STATUS,
  onDays,
  typeIdsOf,
} from '../statements/filters.ts'
import { STATUS_TITLES } from '../statements/views.ts'
import type { Export, ExportFormat } from './export.ts'

type Narrowing = Pick<Export, 'accountId' | 'fromDay' | 'toDay' | 'typeIds' | 'search' | 'status'>

/** The entries of a document. Entries that are posted later do not change it. */
export type Selection = Narrowing & Pick<Export, 'afterSeq' | 'lastSeq' | 'byDay' | 'total'>

const PAGE_SIZE = 1_000

const narrowed = ({ accountId, typeIds, search, status }: Narrowing): readonly Where<EntryField>[] => [
  eq('accountId', accountId),
  ...conditionsOf({
    ...(typeIds && { typeIds }),
    ...(search !== null && { search }),
    ...(status !== null && { status }),
  }),
]

const daysOf = ({ fromDay, toDay }: Narrowing): DayRange => ({
  ...(fromDay !== null && { from: fromDay }),
  ...(toDay !== null && { to: toDay }),
})

/** Reports whether a filter other than days applies. */
const isNarrowed = ({ typeIds, search, status }: Narrowing): boolean =>
  typeIds !== null || search !== null || status !== null

const narrowingOf = (accountId: number, filter: EntryFilter): Narrowing => {
  const { days: { from = null, to = null } = {}, search = null, status = EVERY_STATUS } = filter
  const typeIds = typeIdsOf(filter)
  return {
    accountId,
    fromDay: from,
    toDay: to,
    typeIds: typeIds && [...typeIds],
    search,
    status: status === EVERY_STATUS ? null : status,
  }
}

/** Selects the current matches of a filter; by days too, if an earlier release left gaps in `seq`. */
export const selectionOf = async (store: Store, accountId: number, filter: EntryFilter): Promise<Selection> => {
  const narrowing = narrowingOf(accountId, filter)
  const days = daysOf(narrowing)
  const own = eq('accountId', accountId)
  const { last, found, ...rows } = await store.read({
    ...seqQueries(accountId, days),
    last: listOf(entries, { where: own, sort: { by: 'seq', dir: 'desc' }, limit: 1 }),
    found: groupOf(entries, { where: all(...narrowed(narrowing), ...onDays(days)), by: [], sum: [] }),
  })
  const { total, before, until, isComplete } = seqCountsOf(rows)
  const lastSeq = last.records[0]?.seq ?? 0
  const isWhole = isComplete && total === lastSeq
  return {
    ...narrowing,
    ...(isWhole ? { afterSeq: before, lastSeq: until, byDay: false } : { afterSeq: 0, lastSeq, byDay: true }),
    total: found[0]?.count ?? 0,
  }
}

/** Streams the entries in the order in which they were posted, page by page: memory does not grow with their number. */
export async function* entriesOf(store: Pick<Store, 'list'>, of: Selection): AsyncIterable<readonly Entry[]> {
  const where = [...narrowed(of), ...(of.byDay ? onDays(daysOf(of)) : [])]
  const page = (after: number) =>
    store.list(
      listOf(entries, {
        where: all(...where, gt('seq', after), lte('seq', of.lastSeq)),
        sort: { by: 'seq', dir: 'asc' },
        limit: PAGE_SIZE,
      }),
    )
  if (of.afterSeq >= of.lastSeq) return
  for (let next = page(of.afterSeq); ; ) {
    const { records } = await next
    const last = records.at(-1)?.seq ?? of.lastSeq
    const isEnd = records.length < PAGE_SIZE || last >= of.lastSeq
    // The store reads the next page while this one is written.
    if (!isEnd) next = page(last)
    // If the caller leaves the loop, a failed read must not become an unhandled rejection.
    next.catch(() => {})
    if (records.length > 0) yield records
    if (isEnd) return
  }
}

/** Reads the account's balance before the selection. */
const balanceBefore = async (store: Pick<Store, 'list'>, of: Selection): Promise<number> => {
  const { records } = await store.list(
    listOf(entries, {
      where: all(
        eq('accountId', of.accountId),
        eq('status', CONFIRMED),
        lte('seq', of.byDay ? of.lastSeq : of.afterSeq),
        ...(of.byDay && of.fromDay !== null ? [lt('day', of.fromDay)] : []),
      ),
      sort: { by: 'seq', dir: 'desc' },
      limit: 1,
    }),
  )
  return of.byDay && of.fromDay === null ? 0 : (records[0]?.balanceCents ?? 0)
}

/** The most entries of a PDF. */
export const MAX_PDF_ENTRIES = 20_000

export interface ExportedFile {
  readonly name: string
  readonly contentType: string
  readonly chunks: Chunks
}

/** The content of a document. `createdAt` is the time of the request, so a repeated write gives the same document. */
interface DocumentOrder extends Selection {
  readonly kind: Export['kind']
  readonly format: ExportFormat
  readonly createdAt: Instant
}

export const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
}

/** Returns the file of a document. Its name has the days, or the day of the request. */
export const fileOf = ({ kind, format, fromDay, toDay, createdAt }: DocumentOrder, chunks: Chunks): ExportedFile => {
  const prefix = kind === 'statement' ? 'extrato' : 'transacoes'
  const days = [fromDay, toDay].filter((day) => day !== null).join('_') || dayOf(createdAt)
  return { name: `${prefix}-${days}.${format}`, contentType: CONTENT_TYPES[format], chunks }
}

type Pages = AsyncIterable<readonly Entry[]>

/** Receives the number of entries of each page after it is written. */
type Progress = (entries: number) => Promise<void>

async function* counted(pages: Pages, progress: Progress): Pages {
  for await (const page of pages) {
    yield page
    await progress(page.length)
  }
}

async function* pdfChunks(ports: PaymentsPorts, order: DocumentOrder, pages: Pages): Chunks {
  const account = await ports.store.find(byId(accounts, order.accountId))
  if (!account) throw new Error(`no account ${order.accountId}`)
  const entered: Entry[] = []
  for await (const page of pages) entered.push(...page)
  const openingCents = await balanceBefore(ports.store, order)
  yield await ports.statementRenderer.statementPdf(statementOf(order, account, entered, openingCents))
}

/** Creates a document while its bytes are read: a table page by page, a PDF as a whole. */
export const documentOf = (ports: PaymentsPorts, order: DocumentOrder, progress: Progress = async () => {}): Chunks => {
  const pages = counted(entriesOf(ports.store, order), progress)
  if (order.format === 'pdf') return pdfChunks(ports, order, pages)
  const sheet = sheetOf(pages)
  return order.format === 'csv' ? ports.sheetWriter.csv(sheet) : ports.sheetWriter.xlsx(sheet)
}

const taxIdOf = (party: Party | null): string | null => party && (formatTaxId(party.document) || null)

/** A column of a table: its title, kind and width, and the cell of a row. */
export type Column<R> = readonly [
  title: string,
  kind: SheetColumn['kind'],
  width: number,
  read: (row: R) => SheetRow[number],
]

/** Builds a table of rows that are read page by page. */
export const tableOf = <R>(name: string, columns: readonly Column<R>[], pages: AsyncIterable<readonly R[]>): Sheet => ({
  title: name,
  columns: columns.map(([title, kind, width]) => ({ title, kind, width })),
  rows: rowsOf(columns, pages),
})

async function* rowsOf<R>(columns: readonly Column<R>[], pages: AsyncIterable<readonly R[]>): Sheet['rows'] {
  for await (const page of pages) yield page.map((row) => columns.map(([, , , read]) => read(row)))
}

const COLUMNS: readonly Column<Entry>[] = [
  ['ID', 'integer', 10, ({ id }) => id],
  ['Data e hora', 'instant', 19, ({ datetime }) => datetime],
  ['Descrição', 'text', 40, ({ description }) => description || null],
  ['Tipo', 'text', 24, ({ typeId }) => transactionType(typeId)?.name ?? null],
  ['Situação', 'text', 12, ({ status }) => STATUS_TITLES[status] ?? null],
  ['Valor', 'money', 14, ({ valueCents }) => valueCents],
  ['Saldo', 'money', 16, accountBalanceOf],
  ['TxID', 'text', 36, ({ txid }) => txid],
  ['EndToEndId', 'text', 36, ({ endToEnd }) => endToEnd],
  ['Pagador', 'text', 32, ({ payer }) => payer?.name ?? null],
  ['Documento do pagador', 'text', 20, ({ payer }) => taxIdOf(payer)],
  ['Recebedor', 'text', 32, ({ receiver }) => receiver?.name ?? null],
  ['Documento do recebedor', 'text', 20, ({ receiver }) => taxIdOf(receiver)],
]

export const sheetOf = (pages: Pages): Sheet => tableOf('Extrato', COLUMNS, pages)

/** Returns the account's holder as printed in documents. */
export const holderOf = ({ name, document, bankCode, agency, account }: Account): StatementHolder => {
  const bank = bankByCode(bankCode)
  return {
    name,
    document: formatTaxId(document),
    bank: bank === null ? bankCode : `${bankCode} - ${bank.name}`,
    agency,
    account,
  }
}

const partyLine = (party: Party | null): string | null =>
  party && [party.name, formatTaxId(party.document)].filter((text) => text !== '').join(' - ')

const lineOf = (entry: Entry): StatementLine => {
  const { datetime, typeId, description, valueCents, payer, receiver } = entry
  return {
    at: datetime,
    type: transactionType(typeId)?.name ?? `${typeId}`,
    description,
    party: partyLine(valueCents < 0 ? receiver : payer),
    valueCents,
    balanceCents: accountBalanceOf(entry),
  }
}

const narrowingWords = ({ typeIds, search, status }: Selection): string | null => {
  const words = [
    ...(typeIds === null ? [] : [typeIds.map((id) => transactionType(id)?.name ?? `${id}`).join(', ')]),
    ...(status === null ? [] : [`situação ${STATUS_TITLES[status] ?? status}`]),
    ...(search === null ? [] : [`busca por “${search}”`]),
  ]
  return words.length === 0 ? null : words.join('; ')
}

const dayEnds = (days: readonly Entry[][], openingCents: number): readonly StatementDay[] => {
  let balance = openingCents
  return days.map((entered) => {
    const opening = balance
    balance = entered.findLast(({ status }) => status === CONFIRMED)?.balanceCents ?? balance
    return { day: entered[0]?.day ?? '', openingCents: opening, closingCents: balance, lines: entered.map(lineOf) }
  })
}

const byDay = (entered: readonly Entry[]): readonly Entry[][] => {
  const days: Entry[][] = []
  for (const entry of entered) {
    const last = days.at(-1)
    if (last?.[0]?.day === entry.day) last.push(entry)
    else days.push([entry])
  }
  return days
}

const sumOf = (entered: readonly Entry[], direction: Entry['direction']): number =>
  entered
    .filter((entry) => entry.status === CONFIRMED && entry.direction === direction)
    .reduce((sum, { valueCents }) => sum + Math.abs(valueCents), 0)

/** Creates a statement of entries. It has sums and daily balances only without a filter. */
const statementOf = (
  of: DocumentOrder,
  account: Account,
  entered: readonly Entry[],
  openingCents: number,
): Statement => {
  const days = dayEnds(byDay(entered), openingCents)
  const common = { holder: holderOf(account), from: of.fromDay, to: of.toDay, issuedAt: of.createdAt }
  if (isNarrowed(of)) {
    const listed = days.map((day) => ({ ...day, openingCents: null, closingCents: null }))
    return { ...common, sums: null, filters: narrowingWords(of), days: listed }
  }
  const closingCents = days.at(-1)?.closingCents ?? openingCents
  const [incomeCents, expensesCents] = [sumOf(entered, 'in'), sumOf(entered, 'out')]
  return { ...common, sums: { openingCents, closingCents, incomeCents, expensesCents }, filters: null, days }
}

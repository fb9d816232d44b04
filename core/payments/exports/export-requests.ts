import { failure, invalid, isLeft, issue, left, right } from '../../failure.ts'
import { anyField, type Field, required, withDefault } from '../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input, notBefore, type Rule, rule } from '../../kernel/input/input.ts'
import { type DayRange, type Filter, inQuery } from '../../kernel/input/query.ts'
import { insert } from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { daysBetween } from '../../kernel/values/day.ts'
import { byId, byKey } from '../../ports/store.ts'
import { accounts } from '../accounts/account.ts'
import { notifications } from '../inbox/inbox.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { type EntryFilter, entryFilters } from '../statements/filters.ts'
import { CONTENT_TYPES, documentOf, type ExportedFile, fileNameOf, MAX_PDF_ENTRIES } from './document.ts'
import { EXPORT_FORMATS, type Export, type ExportFormat, exports } from './export.ts'
import { type Selection, selectionOf } from './selection.ts'

/** The most days between the ends of an exported statement. */
const MAX_STATEMENT_DAYS = 60

/** Returns JSON numbers and flags as the texts that a query has for them. */
const asQueryText = (sent: unknown): unknown =>
  Array.isArray(sent) ? sent.map(asQueryText) : typeof sent === 'number' || typeof sent === 'boolean' ? `${sent}` : sent

/** Rejects texts where the body needs a number or a flag. */
const withoutText = (sent: unknown): unknown => (typeof sent === 'string' ? {} : asQueryText(sent))

/** Rejects numbers as search texts: they are not converted. */
const unchanged = (sent: unknown): unknown => sent

/** Turns a query filter into a field of a JSON body, which accepts numbers and flags, and null for no filter. */
const inBody = <A, G, I extends string>(
  inner: Field<A | undefined, G, I>,
  convert: (sent: unknown) => unknown = asQueryText,
): Field<A | undefined, G, I> =>
  anyField<A | undefined, G, I>(
    { ...inner, read: (sent) => (sent === null ? right(undefined) : inner.read(convert(sent))) },
    {
      aliases: inner.aliases,
      wire: inner.wire,
      about: inner.about,
      isOptional: true,
      on: (side) => (side.is === 'program' ? inner.on(side) : inBody(inner.on(side), convert)),
    },
  )

const transactionFields = {
  format: withDefault(inQuery.oneOf(EXPORT_FORMATS, { about: 'Formato do arquivo' }), 'xlsx'),
  created: inQuery.range('created_at', 'Criação'),
  types: inBody(entryFilters.types),
  typeId: inBody(entryFilters.typeId),
  typeIds: inBody(entryFilters.typeIds),
  search: inBody(entryFilters.search, unchanged),
  status: inBody(entryFilters.status, withoutText),
}

/** The filters of the statement, and the format of the file. */
export const transactionExport = input('TransactionExport', transactionFields)

/** The request over HTTP, which can also download the file directly. */
export const transactionExportBody = input('TransactionExportRequest', {
  ...transactionFields,
  download: withDefault(
    inBody(inQuery.flag({ about: 'Se o arquivo vem na resposta, em vez de uma notificação' }), withoutText),
    false,
  ),
})

const notTooLong: Rule<Required<DayRange>, 'range.max'> = rule(['from', 'to'], ({ from, to }) =>
  daysBetween(from, to) > MAX_STATEMENT_DAYS ? [issue('to', 'range.max', { max: MAX_STATEMENT_DAYS })] : [],
)

const end = (wire: string, about: string): Filter<string, string, 'required' | 'day'> =>
  inQuery.day({ wire, about }) as Filter<string, string, 'required' | 'day'>

export const statementExport = input(
  'StatementExport',
  {
    from: required(end('start_date', 'Desde')),
    to: required(end('end_date', `Até, no máximo ${MAX_STATEMENT_DAYS} dias depois`)),
  },
  notBefore('to', 'from'),
  notTooLong,
)

export type TransactionExport = InputOf<typeof transactionExport>
export type StatementExport = InputOf<typeof statementExport>

/** The user who requests a document and is notified when it is ready. */
type Requester = Pick<Actor, 'userId' | 'accountId'>

const EMPTY = failure('not-found', 'export.empty')

const tooMany = (path: string) => invalid([issue(path, 'export.pdf-max', { max: MAX_PDF_ENTRIES })])

const isTooMany = ({ total }: Selection, format: ExportFormat): boolean => format === 'pdf' && total > MAX_PDF_ENTRIES

/** Checks that a selection is not empty and fits into the format. Fails: `fields` (`export.pdf-max`), `export.empty`. */
const checkSelection = (selection: Selection, format: ExportFormat) => {
  if (selection.total === 0) return left(EMPTY)
  return isTooMany(selection, format) ? left(tooMany('format')) : right(selection)
}

const newExport = (
  { userId }: Requester,
  kind: Export['kind'],
  format: ExportFormat,
  selection: Selection,
  fresh: Fresh,
): Export => ({
  ...selection,
  id: fresh.id(exports),
  notificationId: fresh.uuid(),
  userId,
  kind,
  format,
  done: 0,
  state: 'waiting',
  sizeBytes: null,
  readyAt: null,
  dueAt: fresh.steady,
  attempts: 0,
  createdAt: fresh.now,
  updatedAt: fresh.now,
  trace: fresh.trace ?? null,
})

const filterOf = ({ created, ...filter }: DecodedOf<typeof transactionExport>): EntryFilter => ({
  ...filter,
  days: created satisfies DayRange,
})

/** Enqueues an export of transactions. Fails: `fields` (`export.pdf-max`), `export.empty`. */
export const exportTransactions = (ports: PaymentsPorts) => (requester: Requester, given: TransactionExport) =>
  withValidInput(ports, transactionExport, given, (request) =>
    useCase(
      ports,
      (store) => selectionOf(store, requester.accountId, filterOf(request)),
      (selection, fresh) => {
        const checked = checkSelection(selection, request.format)
        if (isLeft(checked)) return checked
        const created = newExport(requester, 'transactions', request.format, selection, fresh)
        return accept(created, insert(exports, created))
      },
    ),
  )

/** Creates the file at once, without storing it. Fails: `fields` (`export.pdf-max`), `export.empty`. */
export const downloadTransactions = (ports: PaymentsPorts) => (requester: Requester, given: TransactionExport) =>
  withValidInput(ports, transactionExport, given, (request) =>
    useCaseOf<ExportedFile>()(async () => {
      const { format } = request
      const checked = checkSelection(await selectionOf(ports.store, requester.accountId, filterOf(request)), format)
      if (isLeft(checked)) return checked
      const order = { ...checked.right, kind: 'transactions', format, createdAt: ports.clock.now() } as const
      const chunks = documentOf(ports, order)
      return right({ name: fileNameOf(order), contentType: CONTENT_TYPES[format], chunks })
    }),
  )

/** Enqueues an export of the statement of a period, which may be empty. Fails: `fields` (`export.pdf-max`). */
export const exportStatement = (ports: PaymentsPorts) => (requester: Requester, given: StatementExport) =>
  withValidInput(ports, statementExport, given, (days) =>
    useCase(
      ports,
      (store) => selectionOf(store, requester.accountId, { days }),
      (selection, fresh) => {
        if (isTooMany(selection, 'pdf')) return left(tooMany('to'))
        const created = newExport(requester, 'statement', 'pdf', selection, fresh)
        return accept(created, insert(exports, created))
      },
    ),
  )

const UNKNOWN = failure('not-found', 'export.unknown')
const NO_EXPORT = failure('refused', 'export.type')
const PENDING = failure('not-found', 'export.pending')

/**
 * Opens the file of an export by the id of its notification. The id, 122 random bits, is the only credential. Fails if the
 * notification or the account was removed.
 */
export const openExport = (ports: PaymentsPorts) => (id: string) =>
  useCaseOf<ExportedFile>()(async () => {
    const { found, notification } = await ports.store.read({
      found: byKey(exports, 'notification', id),
      notification: byId(notifications, id),
    })
    if (!found) return left(notification && !isOfExport(notification) ? NO_EXPORT : UNKNOWN)
    const account = await ports.store.find(byId(accounts, found.accountId))
    if (!account || account.removedAt !== null) return left(UNKNOWN)
    if (found.state === 'waiting') return left(PENDING)
    const isOver = found.dueAt === null || found.dueAt <= ports.clock.steady()
    if (!notification || found.state === 'failed' || isOver) return left(UNKNOWN)
    const chunks = await ports.files.open(id)
    return chunks ? right({ name: fileNameOf(found), contentType: CONTENT_TYPES[found.format], chunks }) : left(UNKNOWN)
  })

const isOfExport = ({ type }: { readonly type: string }): boolean => type === 'export.ready' || type === 'export.failed'

/** Reads an export of the account, with its progress, by the id of its notification. */
export const readExport =
  ({ store }: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, id: string) =>
    useCaseOf<Export>()(async () => {
      const found = await store.find(byKey(exports, 'notification', id))
      return found?.accountId === accountId ? right(found) : left(UNKNOWN)
    })

import { failure, invalid, isLeft, issue, left, right } from '../../failure.ts'
import {
  anyField,
  type DayRange,
  type DecodedOf,
  type Field,
  type Filter,
  type InputOf,
  input,
  inQuery,
  notBefore,
  type Rule,
  required,
  rule,
  withDefault,
} from '../../kernel/input/mod.ts'
import { insert, newRecord } from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { daysBetween } from '../../kernel/values/day.ts'
import { byId, byKey } from '../../ports/store.ts'
import { accounts, isExisting } from '../accounts/account.ts'
import { notifications } from '../inbox/inbox.ts'
import { type Actor, accountRead, type PaymentsPorts } from '../payments-ports.ts'
import { type EntryFilter, entryFilters } from '../statements/filters.ts'
import { documentOf, type ExportedFile, fileOf, MAX_PDF_ENTRIES, type Selection, selectionOf } from './document.ts'
import { EXPORT_FORMATS, type Export, type ExportFormat, exports } from './export.ts'

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
const transactionExport = input('TransactionExport', transactionFields)

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

/** Checks that a PDF can hold a selection. `path` is the field at fault. Fails: `fields` (`export.pdf-max`). */
const checkSize = (selection: Selection, format: ExportFormat, path: 'format' | 'to') =>
  format === 'pdf' && selection.total > MAX_PDF_ENTRIES
    ? left(invalid([issue(path, 'export.pdf-max', { max: MAX_PDF_ENTRIES })]))
    : right(selection)

/** Checks that a selection is not empty, too. Fails: `fields` (`export.pdf-max`), `export.empty`. */
const checkSelection = (selection: Selection, format: ExportFormat) =>
  selection.total === 0 ? left(failure('not-found', 'export.empty')) : checkSize(selection, format, 'format')

const newExport = (
  { userId }: Requester,
  kind: Export['kind'],
  format: ExportFormat,
  selection: Selection,
  fresh: Fresh,
): Export =>
  newRecord(exports, {
    ...selection,
    id: fresh.id(exports),
    notificationId: fresh.uuid(),
    userId,
    kind,
    format,
    done: 0,
    state: 'waiting',
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

export const exportTransactions = (ports: PaymentsPorts) => (requester: Requester, submitted: TransactionExport) =>
  withValidInput(ports, transactionExport, submitted, (request) =>
    useCase(
      ports,
      (store) => selectionOf(store, requester.accountId, filterOf(request)),
      (selection, fresh) => {
        const checked = checkSelection(selection, request.format)
        if (isLeft(checked)) return checked
        return enqueue(newExport(requester, 'transactions', request.format, selection, fresh))
      },
    ),
  )

const enqueue = (created: Export) => accept(created, insert(exports, created))

export const downloadTransactions = (ports: PaymentsPorts) => (requester: Requester, submitted: TransactionExport) =>
  withValidInput(ports, transactionExport, submitted, (request) =>
    useCaseOf<ExportedFile>()(async () => {
      const { format } = request
      const checked = checkSelection(await selectionOf(ports.store, requester.accountId, filterOf(request)), format)
      if (isLeft(checked)) return checked
      const order = { ...checked.right, kind: 'transactions', format, createdAt: ports.clock.now() } as const
      return right(fileOf(order, documentOf(ports, order)))
    }),
  )

export const exportStatement = (ports: PaymentsPorts) => (requester: Requester, submitted: StatementExport) =>
  withValidInput(ports, statementExport, submitted, (days) =>
    useCase(
      ports,
      (store) => selectionOf(store, requester.accountId, { days }),
      (selection, fresh) => {
        const checked = checkSize(selection, 'pdf', 'to')
        return isLeft(checked) ? checked : enqueue(newExport(requester, 'statement', 'pdf', selection, fresh))
      },
    ),
  )

const UNKNOWN = failure('not-found', 'export.unknown')

/** The id of the notification, 122 random bits, is the only credential. Fails after removal of it or the account. */
export const openExport = (ports: PaymentsPorts) => (id: string) =>
  useCaseOf<ExportedFile>()(async () => {
    const { found, notification } = await ports.store.read({
      found: byKey(exports, 'notification', id),
      notification: byId(notifications, id),
    })
    if (!found) {
      const isOther = notification && !notification.type.startsWith('export.')
      return left(isOther ? failure('refused', 'export.type') : UNKNOWN)
    }
    if (!isExisting(await ports.store.find(byId(accounts, found.accountId)))) return left(UNKNOWN)
    if (found.state === 'waiting') return left(failure('not-found', 'export.pending'))
    const isOver = found.dueAt === null || found.dueAt <= ports.clock.steady()
    if (!notification || found.state === 'failed' || isOver) return left(UNKNOWN)
    const chunks = await ports.files.open(id)
    return chunks ? right(fileOf(found, chunks)) : left(UNKNOWN)
  })

export const readExport = accountRead('export.unknown', async ({ store }, accountId, id: string) => {
  const found = await store.find(byKey(exports, 'notification', id))
  return found?.accountId === accountId ? found : null
})

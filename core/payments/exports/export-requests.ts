import { failure, invalid, issue } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import { anyField, type Field, required, withDefault } from '../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { type DayRange, type Filter, inQuery } from '../../kernel/input/query.ts'
import { notBefore, type Rule, rule } from '../../kernel/input/rules.ts'
import { insert } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { daysBetween } from '../../kernel/values/day.ts'
import { byId, byKey } from '../../ports/store.ts'
import { accounts } from '../accounts/account.ts'
import type { Actor } from '../actor.ts'
import { notifications } from '../office.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type EntryFilter, entryFilters } from '../statements/filters.ts'
import { CONTENT_TYPES, documentOf, type ExportedFile, fileNameOf, MAX_PDF_ENTRIES } from './document.ts'
import { EXPORT_FORMATS, type Export, type ExportFormat, exports } from './export.ts'
import { type Selection, selectionOf } from './selection.ts'

/** How far apart the ends of an exported statement may be. Source: 02-billing.md, Limits; decisions.md §11, Sums. */
const MAX_STATEMENT_DAYS = 60

/** A number or flag of JSON, as a query says it in a text. */
const asQueryText = (sent: unknown): unknown =>
  Array.isArray(sent) ? sent.map(asQueryText) : typeof sent === 'number' || typeof sent === 'boolean' ? `${sent}` : sent

/** In a body a number and a flag are what they are, and no texts of them. */
const noText = (sent: unknown): unknown => (typeof sent === 'string' ? {} : asQueryText(sent))

/** A number is no text to search for. */
const unchanged = (sent: unknown): unknown => sent

/** A filter that is sent in a body: what a query says in texts may be numbers and flags there, and what is null is none. */
const inBody = <A, G, I extends string>(
  inner: Field<A | undefined, G, I>,
  said: (sent: unknown) => unknown = asQueryText,
): Field<A | undefined, G, I> =>
  anyField<A | undefined, G, I>(
    { ...inner, read: (sent) => (sent === null ? right(undefined) : inner.read(said(sent))) },
    {
      aliases: inner.aliases,
      wire: inner.wire,
      about: inner.about,
      isOptional: true,
      on: (side) => (side.is === 'program' ? inner.on(side) : inBody(inner.on(side), said)),
    },
  )

const transactionFields = {
  format: withDefault(inQuery.oneOf(EXPORT_FORMATS, { about: 'Formato do arquivo' }), 'xlsx'),
  created: inQuery.range('created_at', 'Criação'),
  types: inBody(entryFilters.types),
  typeId: inBody(entryFilters.typeId),
  typeIds: inBody(entryFilters.typeIds),
  search: inBody(entryFilters.search, unchanged),
  status: inBody(entryFilters.status, noText),
}

/**
 * Which transactions are exported, and as what: the filters are those of the statement, one or the other way round sent.
 * Source: 02-billing.md, POST /consolidation/transactions/export-document.
 */
export const transactionExport = input('TransactionExport', transactionFields)

/** The same over HTTP, where the file may be asked for at once. */
export const transactionExportBody = input('TransactionExportRequest', {
  ...transactionFields,
  download: withDefault(
    inBody(inQuery.flag({ about: 'Se o arquivo vem na resposta, em vez de uma notificação' }), noText),
    false,
  ),
})

const notTooLong: Rule<Required<DayRange>, 'range.max'> = rule(['from', 'to'], ({ from, to }) =>
  daysBetween(from, to) > MAX_STATEMENT_DAYS ? [issue('to', 'range.max', { max: MAX_STATEMENT_DAYS })] : [],
)

const end = (wire: string, about: string): Filter<string, string, 'required' | 'day'> =>
  inQuery.day({ wire, about }) as Filter<string, string, 'required' | 'day'>

/** Of which days a statement is exported. Source: 02-billing.md, POST /consolidation/extract/export-document. */
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

/** Who asks for a document: they are told when it is there. */
type Requester = Pick<Actor, 'userId' | 'accountId'>

const EMPTY = failure('not-found', 'export.empty')

const tooMany = (path: string) => invalid([issue(path, 'export.pdf-max', { max: MAX_PDF_ENTRIES })])

const isTooMany = ({ total }: Selection, format: ExportFormat): boolean => format === 'pdf' && total > MAX_PDF_ENTRIES

/** Fails: `fields` (`export.pdf-max`), `export.empty`. */
const someTransactions = (selection: Selection, format: ExportFormat) => {
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

/** Lets the worker write transactions as a file. Source: 02-billing.md, POST /consolidation/transactions/export-document. */
export const exportTransactions = (ports: PaymentsPorts) => (asker: Requester, given: TransactionExport) =>
  withValidInput(ports, transactionExport, given, (asked) =>
    useCase(
      ports,
      (store) => selectionOf(store, asker.accountId, filterOf(asked)),
      (selection, fresh) => {
        const some = someTransactions(selection, asked.format)
        if (isLeft(some)) return some
        const made = newExport(asker, 'transactions', asked.format, selection, fresh)
        return accept(made, insert(exports, made))
      },
    ),
  )

/** The same file, at once: nothing of it is kept. */
export const downloadTransactions = (ports: PaymentsPorts) => (asker: Requester, given: TransactionExport) =>
  withValidInput(ports, transactionExport, given, (asked) =>
    useCaseOf<ExportedFile>()(async () => {
      const { format } = asked
      const some = someTransactions(await selectionOf(ports.store, asker.accountId, filterOf(asked)), format)
      if (isLeft(some)) return some
      const order = { ...some.right, kind: 'transactions', format, createdAt: ports.clock.now() } as const
      const chunks = documentOf(ports, order)
      return right({ name: fileNameOf(order), contentType: CONTENT_TYPES[format], chunks })
    }),
  )

/**
 * Lets the worker draw the statement of a period, of an empty one too.
 * Source: 02-billing.md, POST /consolidation/extract/export-document; decisions.md §11, Transfers and exports.
 */
export const exportStatement = (ports: PaymentsPorts) => (asker: Requester, given: StatementExport) =>
  withValidInput(ports, statementExport, given, (days) =>
    useCase(
      ports,
      (store) => selectionOf(store, asker.accountId, { days }),
      (selection, fresh) => {
        if (isTooMany(selection, 'pdf')) return left(tooMany('to'))
        const made = newExport(asker, 'statement', 'pdf', selection, fresh)
        return accept(made, insert(exports, made))
      },
    ),
  )

const UNKNOWN = failure('not-found', 'export.unknown')
const NO_EXPORT = failure('refused', 'export.type')
const PENDING = failure('not-found', 'export.pending')

/**
 * The file of an export, by the id of the notification that tells of it, for whoever has that: 122 random bits. Without the
 * notification there is none, nor of an account that was removed. Source: decisions.md §4; §11, Transfers and exports.
 */
export const openExport = (ports: PaymentsPorts) => (id: string) =>
  useCaseOf<ExportedFile>()(async () => {
    const { found, told } = await ports.store.read({
      found: byKey(exports, 'notification', id),
      told: byId(notifications, id),
    })
    if (!found) return left(told && !isOfExport(told) ? NO_EXPORT : UNKNOWN)
    const account = await ports.store.find(byId(accounts, found.accountId))
    if (!account || account.removedAt !== null) return left(UNKNOWN)
    if (found.state === 'waiting') return left(PENDING)
    const isOver = found.dueAt === null || found.dueAt <= ports.clock.steady()
    if (!told || found.state === 'failed' || isOver) return left(UNKNOWN)
    const chunks = await ports.files.open(id)
    return chunks ? right({ name: fileNameOf(found), contentType: CONTENT_TYPES[found.format], chunks }) : left(UNKNOWN)
  })

const isOfExport = ({ type }: { readonly type: string }): boolean => type === 'export.ready' || type === 'export.failed'

/** How far an export of the account is, by the id that downloads it. */
export const readExport =
  ({ store }: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, id: string) =>
    useCaseOf<Export>()(async () => {
      const found = await store.find(byKey(exports, 'notification', id))
      return found?.accountId === accountId ? right(found) : left(UNKNOWN)
    })

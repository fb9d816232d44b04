import { failure, invalid, issue } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import type { DecodedOf } from '../../kernel/input/input.ts'
import type { DayRange } from '../../kernel/input/query.ts'
import { insert } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import type { Actor } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import type { EntryFilter } from '../statements/entry-filter.ts'
import { CONTENT_TYPES, documentOf, type ExportedFile, fileNameOf, MAX_PDF_ENTRIES } from './document.ts'
import { type Export, type ExportFormat, exports } from './export.ts'
import { type StatementExport, statementExport, type TransactionExport, transactionExport } from './export-inputs.ts'
import { type Selection, selectionOf } from './selection.ts'

/** Who asks for a document: they are told when it is there. */
type Asker = Pick<Actor, 'userId' | 'accountId'>

const EMPTY = failure('not-found', 'export.empty')

const tooMany = (path: string) => invalid([issue(path, 'export.pdf-max', { max: MAX_PDF_ENTRIES })])

const isTooMany = ({ total }: Selection, format: ExportFormat): boolean => format === 'pdf' && total > MAX_PDF_ENTRIES

/** Fails: `fields` (`export.pdf-max`), `export.empty`. */
const someTransactions = (selection: Selection, format: ExportFormat) => {
  if (selection.total === 0) return left(EMPTY)
  return isTooMany(selection, format) ? left(tooMany('format')) : right(selection)
}

const newExport = (
  { userId }: Asker,
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
export const exportTransactions = (ports: PaymentsPorts) => (asker: Asker, given: TransactionExport) =>
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
export const downloadTransactions = (ports: PaymentsPorts) => (asker: Asker, given: TransactionExport) =>
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
export const exportStatement = (ports: PaymentsPorts) => (asker: Asker, given: StatementExport) =>
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

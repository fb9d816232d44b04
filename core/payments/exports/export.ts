import { t } from '../../fp.ts'
import { nullable, SNAKE_CASE } from '../../kernel/input/field.ts'
import { day, instant, oneOf, timestamp } from '../../kernel/input/scalars.ts'
import { guid } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'
import { eq, not } from '../../kernel/records/where.ts'
import { WAITING } from '../../kernel/running/queue.ts'
import type { Instant } from '../../kernel/values/day.ts'

/** Source: 02-billing.md, POST /consolidation/transactions/export-document. */
export const EXPORT_FORMATS = ['xlsx', 'csv', 'pdf'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

const exported = record({
  id: t.number,
  accountId: t.number,
  /** Who asked for it, and is told. */
  userId: t.number,
  /** The id of the notification that tells of it: what downloads it, and what its file is called behind the files port. */
  notificationId: t.string,
  /** What of an account it holds: transactions as they are filtered, or the statement of a period. */
  kind: word('transactions', 'statement'),
  format: word(...EXPORT_FORMATS),
  /** The days that were asked for, both in it; null where they have no bound. */
  fromDay: orNull(t.string),
  toDay: orNull(t.string),
  /** What else narrows it; null where nothing does. */
  typeIds: orNull(t.array(t.number)),
  search: orNull(t.string),
  status: orNull(t.number),
  /** The places of the entries that it holds, as they were when it was asked for: after the first, up to the last. */
  afterSeq: t.number,
  lastSeq: t.number,
  /** Whether its days have to be asked for too: its places alone do not say them. */
  byDay: t.boolean,
  /** How many entries it holds in all, and how many are written. */
  total: t.number,
  done: t.number,
  state: word('waiting', 'ready', 'failed'),
  sizeBytes: orNull(t.number),
  readyAt: orNull(t.string),
  /** When the worker is to write it, or, once it has ended, to remove it. */
  dueAt: orNull(t.string),
  attempts: t.number,
  createdAt: t.string,
  updatedAt: t.string,
  /** The span that its writing continues; null without tracing. */
  trace: orNull(t.string),
})

/** A document that the worker writes for somebody. Source: decisions.md §4; §11, Transfers and exports. */
export type Export = t.TypeOf<typeof exported>

export const exports: Collection<Export> = {
  name: 'payments.exports',
  ids: 'integer',
  codec: exported,
  owner: 'accountId',
  conditions: { [WAITING]: not(eq('dueAt', null)) },
  keys: { notification: ({ notificationId }) => notificationId },
  indexes: [{ sort: 'dueAt', when: WAITING, acrossOwners: true, include: ['accountId'] }],
}

/** An export and where it is downloaded. */
interface Downloadable {
  readonly exported: Export
  readonly publicUrl: string
}

/** A document as the notification and the webhook tell of it. Source: decisions.md §4. */
export const exportView = view(
  'Export',
  {
    id: guid({ about: 'Identificador da notificação, com o qual se baixa o arquivo' }),
    kind: oneOf(['transactions', 'statement'], { about: 'O que foi exportado' }),
    format: oneOf(EXPORT_FORMATS, { about: 'Formato do arquivo' }),
    from: nullable(day({ wire: 'start_date', about: 'Desde' })),
    to: nullable(day({ wire: 'end_date', about: 'Até' })),
    total: output.count({ wire: 'total_transactions', about: 'Quantas transações' }),
    url: nullable(output.text({ about: 'De onde se baixa o arquivo' })),
    expiresAt: nullable(timestamp({ about: 'Até quando se baixa o arquivo' })),
  },
  ({ exported, publicUrl }: Downloadable) => {
    const { notificationId: id, kind, format, fromDay, toDay, total, state, dueAt } = exported
    const isReady = state === 'ready'
    return {
      id,
      kind,
      format,
      from: fromDay,
      to: toDay,
      total,
      url: isReady ? `${publicUrl}/consolidation/exports/download/${id}` : null,
      expiresAt: isReady ? dueAt : null,
    }
  },
)

/** What is told of it, as the API has it. */
export const encodeExport = (exported: Export, publicUrl: string) =>
  exportView.on(SNAKE_CASE).encode({ exported, publicUrl })

interface ExportEvent {
  readonly type: 'export.ready'
  readonly timestamp: Instant
  readonly data: Downloadable
}

/** The body of a webhook that tells of a document. Source: decisions.md §3, Events. */
export const exportEventView = view(
  'ExportEvent',
  {
    type: oneOf(['export.ready'], { about: 'O que aconteceu' }),
    timestamp: instant({ about: 'Quando aconteceu' }),
    data: output.view(exportView, { about: 'O arquivo, e de onde se baixa' }),
  },
  (event: ExportEvent) => event,
)

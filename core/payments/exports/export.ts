import { day, guid, nullable, oneOf, output, SNAKE_CASE, timestamp, view } from '../../kernel/input/mod.ts'
import { type Collection, orNull, record, t, word } from '../../kernel/records/record.ts'
import { queueConditions, queueIndex } from '../../kernel/running/queue.ts'
import { eventView } from '../events.ts'

export const EXPORT_FORMATS = ['xlsx', 'csv', 'pdf'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

const exported = record({
  id: t.number,
  accountId: t.number,
  /** The user who requested the export and is notified. */
  userId: t.number,
  /** The id of its notification, of its download, and of its file in the files port. */
  notificationId: t.string,
  /** Filtered transactions, or the statement of a period. */
  kind: word('transactions', 'statement'),
  format: word(...EXPORT_FORMATS),
  /** The requested days, both included; null if open. */
  fromDay: orNull(t.string),
  toDay: orNull(t.string),
  /** The other filters; null without. */
  typeIds: orNull(t.array(t.number)),
  search: orNull(t.string),
  status: orNull(t.number),
  /** The `seq` range of its entries at the time of the request: after `afterSeq`, through `lastSeq`. */
  afterSeq: t.number,
  lastSeq: t.number,
  /** True if the `seq` range contains entries of other days, so that the days are a condition too. */
  byDay: t.boolean,
  /** The number of its entries, and of those written so far. */
  total: t.number,
  done: t.number,
  state: word('waiting', 'ready', 'failed'),
  sizeBytes: orNull(t.number),
  readyAt: orNull(t.string),
  /** The time at which the worker writes it or, after its end, removes it. */
  dueAt: orNull(t.string),
  attempts: t.number,
  createdAt: t.string,
  updatedAt: t.string,
  /** The span that the worker continues; null without tracing. */
  trace: orNull(t.string),
})

/** A document that the worker writes for a user. */
export type Export = t.TypeOf<typeof exported>

export const exports: Collection<Export> = {
  name: 'payments.exports',
  ids: 'integer',
  codec: exported,
  owner: 'accountId',
  conditions: queueConditions,
  keys: { notification: ({ notificationId }) => notificationId },
  indexes: [queueIndex('accountId'), { sort: 'createdAt' }],
}

/** The export in its notification and in the webhook. */
const exportView = view(
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
  ({ exported, publicUrl }: { readonly exported: Export; readonly publicUrl: string }) => {
    const { notificationId: id, fromDay: from, toDay: to, state, dueAt } = exported
    const isReady = state === 'ready'
    return {
      ...exported,
      ...{ id, from, to },
      url: isReady ? `${publicUrl}/consolidation/exports/download/${id}` : null,
      expiresAt: isReady ? dueAt : null,
    }
  },
)

/** Encodes an export for its notification and its event. */
export const encodeExport = (exported: Export, publicUrl: string) =>
  exportView.on(SNAKE_CASE).encode({ exported, publicUrl })

/** The body of the webhook `export.ready`. */
export const exportEventView = eventView('ExportEvent', ['export.ready'], exportView, 'O arquivo, e de onde se baixa')

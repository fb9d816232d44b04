import { nullable, SNAKE_CASE } from '../../kernel/input/field.ts'
import { day, instant, oneOf, timestamp } from '../../kernel/input/scalars.ts'
import { guid } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { EXPORT_FORMATS, type Export } from './export.ts'

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
export const shownExport = (exported: Export, publicUrl: string) =>
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

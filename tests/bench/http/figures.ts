import type { Figure } from '../table.ts'
import { chargeFigures } from './charges.ts'
import { latencyFigures } from './latency.ts'
import { memoryFigures, startFigure } from './life.ts'
import { pageFigure } from './pages.ts'
import { onStage } from './stage.ts'
import { webhookFigure } from './webhooks.ts'

/** The payments app over HTTP on SQLite, against a bare server of the same parts. */
export const httpFigures = async (): Promise<readonly Figure[]> => {
  const started = await startFigure()
  const staged = await onStage(async (stage) => {
    const memory = await memoryFigures(stage)
    const { figures, capacity } = await chargeFigures(stage)
    return { memory, figures, latency: await latencyFigures(stage, capacity), webhooks: await webhookFigure(stage) }
  })
  const pages = await pageFigure()
  return [...staged.figures, pages, ...staged.latency, staged.webhooks, started, ...staged.memory]
}

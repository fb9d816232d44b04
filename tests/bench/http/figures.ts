import type { Figure } from '../table.ts'
import { chargeFigures } from './charges.ts'
import { fairFigures, latencyFigures } from './latency.ts'
import { memoryFigures, startFigure } from './life.ts'
import { pageFigure } from './pages.ts'
import { onStage } from './stage.ts'
import { tracingFigures } from './tracing.ts'
import { webhookFigure } from './webhooks.ts'
import { withdrawalFigure } from './withdrawals.ts'

/** The payments app over HTTP on SQLite, against a bare server of the same parts. */
export const httpFigures = async (): Promise<readonly Figure[]> => {
  const started = await startFigure()
  const staged = await onStage(async (stage) => {
    const memory = await memoryFigures(stage)
    const { figures, capacity } = await chargeFigures(stage)
    const withdrawals = await withdrawalFigure(stage)
    const latency = await latencyFigures(stage, capacity)
    return {
      memory,
      figures,
      withdrawals,
      tracing: await tracingFigures(stage),
      latency,
      webhooks: await webhookFigure(stage),
      fair: await fairFigures(stage),
    }
  })
  const pages = await pageFigure()
  return [
    ...staged.figures,
    staged.withdrawals,
    pages,
    ...staged.latency,
    staged.webhooks,
    ...staged.fair,
    ...staged.tracing,
    started,
    ...staged.memory,
  ]
}

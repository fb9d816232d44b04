import type { Figure } from '../table.ts'
import { chargeFigures } from './charges.ts'
import { fairFigures, latencyFigures } from './latency.ts'
import { pageFigure } from './pages.ts'
import { onStage } from './stage.ts'
import { tracingFigures } from './tracing.ts'
import { webhookFigure } from './webhooks.ts'
import { withdrawalFigure } from './withdrawals.ts'

/** The payments app over HTTP on SQLite, against a bare server of the same parts. */
export const httpFigures = async (): Promise<readonly Figure[]> => {
  const staged = await onStage(async (stage) => {
    const { figures, capacity } = await chargeFigures(stage)
    return [
      ...figures,
      await withdrawalFigure(stage),
      ...(await latencyFigures(stage, capacity)),
      await webhookFigure(stage),
      ...(await fairFigures(stage)),
      ...(await tracingFigures(stage)),
    ]
  })
  return [...staged, await pageFigure()]
}

import { existsSync } from 'node:fs'
import type { Figure } from '../table.ts'
import { postingFigures } from './medici.ts'
import { operationFigures } from './operations.ts'
import { pageFigure } from './pages.ts'
import { onReplicaSet } from './stage.ts'

/** The store on MongoDB; null where no binary is named. */
export const mongoFigures = async (): Promise<readonly Figure[] | null> => {
  const binary = process.env.MONGOMS_SYSTEM_BINARY
  if (binary === undefined || !existsSync(binary)) return null
  return onReplicaSet(async (stage) => [
    ...(await operationFigures(stage)),
    ...(await postingFigures(stage)),
    await pageFigure(stage),
  ])
}

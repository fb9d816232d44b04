import { execute, type Raw } from '../ask/execute.ts'
import { isFar } from '../ask/paths.ts'
import type { Plan } from '../ask/plan-kinds.ts'
import type { Connection } from '../file/connection.ts'
import { patiently } from '../file/patience.ts'
import type { ReaderPool } from './reader-pool.ts'

/** Answers plans, all at one instant. */
export type QueryRunner = (plans: readonly Plan[]) => Promise<readonly Raw[]>

/** Reads answer at once, so a caller who reads in a loop would never let the turn end in which commits are written. */
const READS_A_TURN = 64

/** What is surely short is answered in this thread, the rest by a reader thread. */
export const queryRunner = (connection: Connection, readers: ReaderPool, busyWaitMs: number): QueryRunner => {
  let reads = 0
  const isLong = (plan: Plan): boolean => {
    const { walk } = plan
    if (walk !== null) return connection.get(walk.text, ...walk.values) !== undefined
    return plan.kind === 'page' && isFar(connection, plan)
  }
  return async (plans) => {
    reads += 1
    if (reads % READS_A_TURN === 0) await new Promise((resolve) => setImmediate(resolve))
    const here = (): readonly Raw[] | null =>
      plans.some(isLong) ? null : plans.map((plan) => execute(connection, plan))
    const raws = await patiently(() => connection.snapshot(here), busyWaitMs)
    return raws ?? readers.ask(plans)
  }
}

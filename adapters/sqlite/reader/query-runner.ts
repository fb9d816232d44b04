import type { Query } from '../../../core/ports/store.ts'
import type { AnswerCache } from '../ask/answer-cache.ts'
import { answerOf, charsOf } from '../ask/answers.ts'
import { execute, type Raw } from '../ask/execute.ts'
import { isFar } from '../ask/paths.ts'
import { planOf } from '../ask/plan.ts'
import type { Plan } from '../ask/plan-kinds.ts'
import type { Connection } from '../file/connection.ts'
import { patiently } from '../file/patience.ts'
import type { Shape } from '../tables/schema.ts'
import type { ReaderPool } from './reader-pool.ts'

/** Answers what is asked, all at one instant. */
export interface QueryRunner {
  ask(asks: readonly Query[]): Promise<readonly unknown[]>
  /** What a plan gives, which is no ask's. */
  run(plan: Plan): Promise<Raw | undefined>
}

interface Parts {
  readonly connection: Connection
  readonly readers: ReaderPool
  readonly cache: AnswerCache
  readonly busyWaitMs: number
  readonly shapeFor: (collection: string) => Shape
}

/** Reads answer at once, so a caller who reads in a loop would never let the turn end in which commits are written. */
const READS_A_TURN = 64

/** What is surely short is answered in this thread, the rest by a reader thread. */
export const queryRunner = ({ connection, readers, cache, busyWaitMs, shapeFor }: Parts): QueryRunner => {
  let reads = 0
  const isLong = (plan: Plan): boolean => {
    const { walk } = plan
    if (walk !== null) return connection.get(walk.text, ...walk.values) !== undefined
    return plan.kind === 'page' && isFar(connection, plan)
  }
  /** Null where a thread is to answer. */
  const here = (plans: readonly Plan[]): readonly Raw[] | null =>
    plans.some(isLong) ? null : plans.map((plan) => execute(connection, plan))
  const inTurn = async <T>(work: () => T): Promise<T> => {
    reads += 1
    if (reads % READS_A_TURN === 0) await new Promise((resolve) => setImmediate(resolve))
    return patiently(() => connection.snapshot(work), busyWaitMs)
  }

  return {
    async ask(asks) {
      const asked = asks.map((ask) => ({ ask, shape: shapeFor(ask.from.name) }))
      const answered = await inTurn(() => {
        const known = asks.map(cache.get)
        const wanted = asked.filter((_, at) => known[at] === undefined)
        const plans = wanted.map(({ shape, ask }) => planOf(shape, ask))
        const raws = here(plans)
        if (!raws) return null
        const found = wanted.map(({ shape, ask }, at) => {
          const answer = answerOf(shape.collection, ask, raws[at])
          cache.keep(ask, answer, charsOf(raws[at]))
          return answer
        })
        return known.map((answer) => (answer === undefined ? found.shift() : answer))
      })
      if (answered) return answered
      const raws = await readers.ask(asked.map(({ shape, ask }) => planOf(shape, ask)))
      return asked.map(({ shape, ask }, at) => answerOf(shape.collection, ask, raws[at]))
    },
    async run(plan) {
      const raws = await inTurn(() => here([plan]))
      return (raws ?? (await readers.ask([plan])))[0]
    },
  }
}

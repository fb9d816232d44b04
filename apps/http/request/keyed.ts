import type { Failure } from '../../../core/failure.ts'
import type { UseCase } from '../../../core/kernel/running/use-case.ts'
import type { Keys } from '../keys.ts'
import type { Dialect } from '../replies/dialect.ts'
import type { AnyRow } from '../row.ts'
import type { Encoded, Streamed } from './answer.ts'
import { callOf, type Step, type Turn } from './stages.ts'

interface Parts {
  readonly core: unknown
  readonly keys: Keys
  readonly dialect: Dialect
  /** The row's stage, which finds what `resume` is called with. */
  readonly record: Step | null
}

/** What a request with a key does instead of running its row alone. */
export interface Keyed {
  /** Runs the row and keeps its answer in its own commit; null for a request without a key. */
  first(turn: Turn, run: UseCase<unknown>): Promise<Failure | Encoded> | null
  /** Finishes what an earlier request has begun; null where there is nothing of the kind. */
  resume(turn: Turn): Promise<Failure | Encoded> | null
}

export const keyedOf = (row: AnyRow, { core, keys, dialect, record }: Parts): Keyed => {
  const { reply } = row
  const encoderFor = (turn: Turn) => (value: unknown) => stored(reply.encode(value, dialect, turn.asked))

  const takeUp = async (turn: Turn, claim: Parameters<Keys['resume']>[0], begun: Parameters<Keys['resume']>[1]) => {
    const missing = await record?.(turn)
    if (missing) return missing
    const useCase = row.resume?.(callOf(core, turn), begun.intent)
    return useCase ? keys.resume(claim, begun, useCase, encoderFor(turn)) : keys.running
  }

  return {
    first(turn, run) {
      if (turn.key?.standing.is !== 'free') return null
      return keys.first(turn.key.claim, turn.key.standing.expired, run, encoderFor(turn))
    },
    resume: (turn) => (turn.key?.standing.is === 'abandoned' ? takeUp(turn, turn.key.claim, turn.key.standing) : null),
  }
}

// The mount lets no row have keys whose reply streams.
const stored = (answer: Encoded | Streamed): Encoded => {
  if ('chunks' in answer) throw new TypeError('a streamed answer cannot be kept for its key')
  return answer
}

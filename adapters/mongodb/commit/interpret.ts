import { applyCommits, type BatchResult, type PendingCommit } from '../../../core/kernel/records/apply-commits.ts'
import type { Change } from '../../../core/kernel/records/change.ts'
import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
import type { At } from '../../../core/kernel/records/record.ts'
import type { DatabaseReader } from '../ask/reader.ts'
import type { ReadSet } from './read-set.ts'

/** Every round looks up what the last one lacked; what a change lacks hangs on the changes before it alone. */
const MAX_ROUNDS = 20

export interface Interpreted extends BatchResult {
  /** The records that a commit which holds has guarded, written or not. */
  readonly guarded: readonly At[]
}

/** Runs the batch through the one interpreter, as often as it takes to know all that it asks for. */
export const interpret = async (
  table: ReadonlyMap<string, AnyCollection>,
  batch: readonly PendingCommit[],
  known: ReadSet,
  reader: DatabaseReader,
  inTurn: boolean,
): Promise<Interpreted> => {
  for (const { changes } of batch) known.expect(changes)
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    await known.learn(reader, inTurn)
    const ridden: (readonly Change[])[] = []
    const listening = batch.map((pending, index) =>
      listened(pending, (changes) => {
        known.expect(changes)
        ridden[index] = changes
      }),
    )
    const applied = applyCommits(table, known, listening)
    if (known.lacks) continue
    const held = batch.flatMap(({ changes }, index) => {
      const outcome = applied.outcomes[index]
      return outcome && 'ok' in outcome && outcome.ok ? [...changes, ...(ridden[index] ?? [])] : []
    })
    return { ...applied, guarded: held.filter(({ kind }) => kind !== 'insert').map(({ at }) => at) }
  }
  throw new Error(`a batch of ${batch.length} commits asks for ever more records`)
}

const listened = ({ changes, hook }: PendingCommit, hear: (changes: readonly Change[]) => void): PendingCommit => {
  if (!hook) return { changes }
  return {
    changes,
    hook: (taken) => {
      const riding = hook(taken)
      hear(riding)
      return riding
    },
  }
}

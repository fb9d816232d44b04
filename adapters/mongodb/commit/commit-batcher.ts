import type { CommitResult, PendingCommit } from '../../../core/kernel/records/apply-commits.ts'
import type { Outcome } from '../../../core/kernel/records/change.ts'
import { MAX_WAITING_COMMITS } from '../../../core/limits.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { Write } from './write.ts'

interface Waiting {
  readonly pending: PendingCommit
  /** The records that its changes name. */
  readonly names: readonly string[]
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

/**
 * Where commits wait: those that are there together go in one batch, a few batches at once. Two batches of one process
 * never share a record, so that they do not get into each other's way, and postings on one account go together.
 */
export interface CommitBatcher {
  commit(pending: PendingCommit): Promise<Outcome>
  /** Lets nothing in any more, and waits for what is in. */
  close(): Promise<void>
}

/** Batches under way at once. */
export const MAX_BATCHES = 4
/** Bounds how much one transaction writes. */
const MAX_CHANGES_TOGETHER = 500

export const commitBatcher = (write: Write): CommitBatcher => {
  let waiting: Waiting[] = []
  let going = 0
  let isScheduled = false
  let closed: (() => void) | null = null
  let closing: Promise<void> | null = null
  /** The records of the batch in each slot. */
  const slots: (ReadonlySet<string> | null)[] = Array.from({ length: MAX_BATCHES }, () => null)

  const start = async (slot: number, batch: readonly Waiting[]): Promise<void> => {
    slots[slot] = new Set(batch.flatMap(({ names }) => names))
    going += batch.length
    try {
      const outcomes = await write(
        batch.map(({ pending }) => pending),
        slot,
      )
      for (const [index, one] of batch.entries()) resolveWaiting(one, outcomes[index])
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    going -= batch.length
    slots[slot] = null
    schedule()
  }

  const dispatch = (): void => {
    isScheduled = false
    for (let slot = slots.indexOf(null); slot !== -1; slot = slots.indexOf(null)) {
      const { batch, rest } = together(waiting, slots)
      waiting = rest
      if (batch.length === 0) break
      void start(slot, batch)
    }
    if (closed && waiting.length + going === 0) closed()
  }

  // Not at once: what comes in the same turn of the loop goes together.
  const schedule = (): void => {
    if (!isScheduled) setImmediate(dispatch)
    isScheduled = true
  }

  return {
    commit: (pending) => {
      if (closed) return Promise.reject(new StoreUnavailable('the store is closed'))
      if (waiting.length + going >= MAX_WAITING_COMMITS)
        return Promise.reject(new StoreUnavailable('too much is waiting'))
      return new Promise((resolve, reject) => {
        waiting.push({ pending, names: pending.changes.map(({ at }) => JSON.stringify(at)), resolve, reject })
        schedule()
      })
    },
    close: () => {
      closing ??= new Promise((resolve) => {
        closed = resolve
        schedule()
      })
      return closing
    },
  }
}

const resolveWaiting = ({ resolve, reject }: Waiting, outcome: CommitResult | undefined): void => {
  if (outcome && 'ok' in outcome) resolve(outcome)
  else reject(outcome?.error ?? new Error('a commit was not resolved'))
}

/** The first of those that wait and share no record with a batch under way, nor with one that must wait for it. */
const together = (waiting: readonly Waiting[], slots: readonly (ReadonlySet<string> | null)[]) => {
  const busy = new Set(slots.flatMap((names) => [...(names ?? [])]))
  const batch: Waiting[] = []
  const rest: Waiting[] = []
  let changes = 0
  for (const one of waiting) {
    const isFree = changes < MAX_CHANGES_TOGETHER && one.names.every((name) => !busy.has(name))
    if (isFree) {
      batch.push(one)
      changes += one.pending.changes.length
    } else {
      rest.push(one)
      for (const name of one.names) busy.add(name)
    }
  }
  return { batch, rest }
}

import type { CommitResult, PendingCommit } from '../../../core/kernel/records/apply-commits.ts'
import type { Outcome } from '../../../core/kernel/records/change.ts'
import { MAX_WAITING_COMMITS } from '../../../core/limits.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { Connection } from '../file/connection.ts'
import { patiently } from '../file/patience.ts'
import type { Write } from './write.ts'

interface Waiting<Work, Result> {
  readonly work: Work
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

type Commit = Waiting<PendingCommit, Outcome>
/** What is no commit of records but is done in the same transaction. */
type SideWork = Waiting<() => void, void>

/** Where commits wait for the turn of the loop: those that are there together go in one transaction, with one flush. */
export interface CommitBatcher {
  commit(pending: PendingCommit): Promise<Outcome>
  run(sideWork: () => void): Promise<void>
  /** Lets nothing in any more, and waits for what is in. */
  close(): Promise<void>
}

/** Bounds how long one transaction keeps the loop. */
const MAX_CHANGES_TOGETHER = 500

interface Options {
  readonly connection: Connection
  readonly write: Write
  /** Called first in every transaction; throws where nothing may be written. */
  readonly guard: () => void
  readonly busyWaitMs: number
}

export const commitBatcher = ({ connection, write, guard, busyWaitMs }: Options): CommitBatcher => {
  let commits: Commit[] = []
  let sideWorks: SideWork[] = []
  let going = 0
  let running: Promise<void> | null = null
  let closed = false

  const flush = async (): Promise<void> => {
    const [members, sideWork] = [together(commits), sideWorks]
    commits = commits.slice(members.length)
    sideWorks = []
    going = members.length + sideWork.length
    const batch = (): readonly CommitResult[] => {
      guard()
      for (const { work } of sideWork) work()
      return write.run(members.map(({ work }) => work))
    }
    const inTransaction = (): readonly CommitResult[] => {
      let isCommitted = false
      try {
        const outcomes = connection.transaction(batch)
        isCommitted = true
        return outcomes
      } finally {
        write.ended(isCommitted)
      }
    }
    try {
      const outcomes = await patiently(inTransaction, busyWaitMs)
      for (const { resolve } of sideWork) resolve()
      for (const [index, outcome] of outcomes.entries()) resolve(members[index], outcome)
    } catch (error) {
      for (const waiting of [...members, ...sideWork]) waiting.reject(error)
    }
    going = 0
  }

  const batches = async (): Promise<void> => {
    while (commits.length + sideWorks.length > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      await flush()
    }
    running = null
  }

  const join = <Work, Result>(list: Waiting<Work, Result>[], work: Work): Promise<Result> => {
    const isFull = commits.length + sideWorks.length + going >= MAX_WAITING_COMMITS
    if (closed || isFull)
      return Promise.reject(new StoreUnavailable(closed ? 'the store is closed' : 'too much is waiting'))
    const result = new Promise<Result>((resolve, reject) => list.push({ work, resolve, reject }))
    running ??= batches()
    return result
  }

  return {
    commit: (pending) => join(commits, pending),
    run: (sideWork) => join(sideWorks, sideWork),
    close: async () => {
      closed = true
      await running
    },
  }
}

const resolve = (commit: Commit | undefined, outcome: CommitResult): void => {
  if ('error' in outcome) commit?.reject(outcome.error)
  else commit?.resolve(outcome)
}

/** The first of those that wait, at least one. */
const together = (commits: readonly Commit[]): Commit[] => {
  let changes = 0
  const end = commits.findIndex(({ work }) => {
    const isFull = changes >= MAX_CHANGES_TOGETHER
    changes += work.changes.length
    return isFull
  })
  return end === -1 ? [...commits] : commits.slice(0, end)
}

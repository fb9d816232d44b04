import { MAX_WAITING_WALKS } from '../../../core/limits.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { type SideThread, sideThread, threadEntry } from '../../concurrency/side-thread.ts'
import type { RawResult } from '../execute.ts'
import type { Plan } from '../plan.ts'

/**
 * Reader threads for long queries. Each owner has a queue of its own and at most one query in progress, and the queues
 * take turns: an owner with many queries delays only itself.
 */
export interface ReaderPool {
  /** Executes plans as of one instant, when the turn of their owner comes. */
  run(plans: readonly Plan[]): Promise<readonly RawResult[]>
  /** Waits for the queries in progress and rejects the queued ones. */
  close(): Promise<void>
}

/** More would compete with the main thread for processors. */
const THREADS = 2

interface Waiting {
  readonly plans: readonly Plan[]
  readonly resolve: (raws: readonly RawResult[]) => void
  readonly reject: (error: unknown) => void
}

interface OwnerQueue {
  readonly waiting: Waiting[]
  isRunning: boolean
}

export const readerPool = (path: string, start: (path: string) => ReaderThread = readerThread): ReaderPool => {
  const threads = Array.from({ length: THREADS }, () => start(path))
  const free = [...threads]
  // In the order of their turns: a queue moves to the end after its turn.
  const queues = new Map<string, OwnerQueue>()
  let isClosed = false

  const next = (): void => {
    // A query would start the thread, and open the file, again.
    if (isClosed) return
    for (const [owner, queue] of queues) {
      if (free.length === 0) return
      if (!queue.isRunning) void serve(owner, queue)
    }
  }

  const serve = async (owner: string, queue: OwnerQueue): Promise<void> => {
    const first = queue.waiting.shift()
    const thread = free.pop()
    if (!first || !thread) return
    queue.isRunning = true
    try {
      first.resolve(await thread.run(first.plans))
    } catch (error) {
      first.reject(error)
    }
    queue.isRunning = false
    queues.delete(owner)
    if (queue.waiting.length > 0) queues.set(owner, queue)
    free.push(thread)
    next()
  }

  return {
    run: (plans) => {
      if (isClosed) return Promise.reject(closed())
      const owner = plans.find((plan) => plan.owner !== '')?.owner ?? ''
      const queue = queues.get(owner) ?? { waiting: [], isRunning: false }
      if (queue.waiting.length >= MAX_WAITING_WALKS)
        return Promise.reject(new StoreUnavailable('too many long queries are waiting'))
      queues.set(owner, queue)
      const result = new Promise<readonly RawResult[]>((resolve, reject) =>
        queue.waiting.push({ plans, resolve, reject }),
      )
      next()
      return result
    },
    close: async () => {
      isClosed = true
      for (const { waiting } of queues.values()) for (const { reject } of waiting.splice(0)) reject(closed())
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

const closed = (): StoreUnavailable => new StoreUnavailable('the store is closed')

/** Executes plans as of one instant. Sees all acknowledged commits. */
type ReaderThread = SideThread<readonly Plan[], readonly RawResult[]>

export const readerThread = (path: string): ReaderThread =>
  sideThread('reader', threadEntry(import.meta.url, 'reader'), path)

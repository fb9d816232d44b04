import { MAX_WAITING_WALKS } from '../../../core/limits.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { type SideThread, sideThread, threadEntry } from '../../concurrency/side-thread.ts'
import type { RawResult } from '../execute.ts'
import type { Plan } from '../plan.ts'

/** Threads that walk, and lines before them. */
export interface ReaderPool {
  /** Several plans at one instant, when it is the turn of those for whom they are asked. */
  run(plans: readonly Plan[]): Promise<readonly RawResult[]>
  /** What is with a thread is answered first; what still waits is not. */
  close(): Promise<void>
}

/** More would only share the processors with the thread that serves everybody. */
const THREADS = 2

interface Waiting {
  readonly plans: readonly Plan[]
  readonly resolve: (raws: readonly RawResult[]) => void
  readonly reject: (error: unknown) => void
}

/** Those of one owner, one after the other. */
interface Line {
  readonly waiting: Waiting[]
  isAsking: boolean
}

/**
 * Each owner stands in a line of their own, and the lines take turns: whoever asks for much waits for themselves, since no line
 * has more than one question with the threads.
 */
export const readerPool = (path: string, start: (path: string) => ReaderThread = readerThread): ReaderPool => {
  const threads = Array.from({ length: THREADS }, () => start(path))
  const free = [...threads]
  // In the order of their turns: whoever was served goes to the end.
  const lines = new Map<string, Line>()
  let isClosed = false

  const next = (): void => {
    // A thread that was asked now would open the file again.
    if (isClosed) return
    for (const [whose, line] of lines) {
      if (free.length === 0) return
      if (!line.isAsking) void serve(whose, line)
    }
  }

  const serve = async (whose: string, line: Line): Promise<void> => {
    const first = line.waiting.shift()
    const thread = free.pop()
    if (!first || !thread) return
    line.isAsking = true
    try {
      first.resolve(await thread.run(first.plans))
    } catch (error) {
      first.reject(error)
    }
    line.isAsking = false
    lines.delete(whose)
    if (line.waiting.length > 0) lines.set(whose, line)
    free.push(thread)
    next()
  }

  return {
    run: (plans) => {
      if (isClosed) return Promise.reject(closed())
      const whose = plans.find((plan) => plan.owner !== '')?.owner ?? ''
      const line = lines.get(whose) ?? { waiting: [], isAsking: false }
      if (line.waiting.length >= MAX_WAITING_WALKS)
        return Promise.reject(new StoreUnavailable('too many long questions are waiting'))
      lines.set(whose, line)
      const answer = new Promise<readonly RawResult[]>((resolve, reject) =>
        line.waiting.push({ plans, resolve, reject }),
      )
      next()
      return answer
    },
    close: async () => {
      isClosed = true
      for (const { waiting } of lines.values()) for (const { reject } of waiting.splice(0)) reject(closed())
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

const closed = (): StoreUnavailable => new StoreUnavailable('the store is closed')

/** For what walks long: several plans at one instant. Sees every commit that was acknowledged before. */
export type ReaderThread = SideThread<readonly Plan[], readonly RawResult[]>

export const readerThread = (path: string): ReaderThread =>
  sideThread('reader', threadEntry(import.meta.url, 'reader'), path)

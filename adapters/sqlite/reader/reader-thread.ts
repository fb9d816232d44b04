import { Worker } from 'node:worker_threads'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { Raw } from '../ask/execute.ts'
import type { Plan } from '../ask/plan-kinds.ts'
import type { FromReader, ToReader } from './reader-messages.ts'

/** A thread with a connection of its own for what walks long: the driver works in the thread that calls it. */
export interface ReaderThread {
  /** Several plans at one instant. Sees every commit that was acknowledged before. */
  ask(plans: readonly Plan[]): Promise<readonly Raw[]>
  close(): Promise<void>
}

type Answer = Exclude<FromReader, string>

interface Waiting {
  readonly resolve: (raws: readonly Raw[]) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly worker: Worker
  readonly ready: Promise<void>
  /** Resolved once its connection is closed, or it is gone. */
  readonly closed: Promise<void>
}

const entry = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./reader-start.mjs', import.meta.url)
    : new URL('./reader.js', import.meta.url)

const start = (path: string, deliver: (answer: Answer) => void, fail: (cause: unknown) => void): Thread => {
  const worker = new Worker(entry(), { workerData: path })
  const said = (word: FromReader) =>
    new Promise<void>((resolve) => {
      worker.on('message', (message: FromReader) => message === word && resolve())
      worker.once('exit', () => resolve())
    })
  let cause: unknown
  worker.on('message', (message: FromReader) => typeof message !== 'string' && deliver(message))
  worker.on('error', (error) => {
    cause = error
  })
  worker.on('exit', () => fail(cause))
  return { worker, ready: said('ready'), closed: said('closed') }
}

const post = async ({ worker, ready }: Thread, message: ToReader): Promise<void> => {
  worker.ref()
  await ready
  worker.postMessage(message)
}

/** Starts at the first question, and holds the process only while one is open. */
export const readerThread = (path: string): ReaderThread => {
  const waiting = new Map<number, Waiting>()
  let thread: Thread | null = null
  let asked = 0

  const deliver = (message: Answer): void => {
    const caller = waiting.get(message.number)
    waiting.delete(message.number)
    if (waiting.size === 0) thread?.worker.unref()
    if ('raws' in message) caller?.resolve(message.raws)
    else caller?.reject(message.isUnavailable ? new StoreUnavailable(message.failure) : new Error(message.failure))
  }

  const fail = (cause: unknown): void => {
    thread = null
    for (const { reject } of waiting.values()) reject(new StoreUnavailable('the reader thread stopped', { cause }))
    waiting.clear()
  }

  return {
    ask: (plans) => {
      thread ??= start(path, deliver, fail)
      asked += 1
      const number = asked
      const answer = new Promise<readonly Raw[]>((resolve, reject) => waiting.set(number, { resolve, reject }))
      void post(thread, { number, plans })
      return answer
    },
    close: async () => {
      const closing = thread
      if (!closing) return
      await post(closing, 'close')
      // First the file, then the thread: one that is ended with an open database may leave its log behind.
      await closing.closed
      await closing.worker.terminate()
    },
  }
}

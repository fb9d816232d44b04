import { parentPort, Worker } from 'node:worker_threads'
import { StoreUnavailable } from '../../core/ports/store.ts'

/** A thread for what would hold up everybody else: a driver that works in the thread that calls it, a long drawing. */
export interface SideThread<Work, Result> {
  run(work: Work): Promise<Result>
  close(): Promise<void>
}

interface Waiting<Result> {
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly worker: Worker
  readonly ready: Promise<void>
  /** Resolved once it has let go of what it holds open, or is gone. */
  readonly closed: Promise<void>
}

type Answer<Result> = Exclude<FromThread<Result>, string>

/** What a thread begins with, by the module beside which it lies and what is built of it. */
export const threadEntry = (beside: string, name: string): URL =>
  beside.endsWith('.ts') ? new URL(`./${name}-start.mjs`, beside) : new URL(`./${name}.js`, beside)

const start = <Result>(
  entry: URL,
  data: unknown,
  deliver: (answer: Answer<Result>) => void,
  fail: (cause: unknown) => void,
): Thread => {
  const worker = new Worker(entry, { workerData: data })
  const said = (word: 'ready' | 'closed') =>
    new Promise<void>((resolve) => {
      worker.on('message', (message: FromThread<Result>) => message === word && resolve())
      worker.once('exit', () => resolve())
    })
  let cause: unknown
  worker.on('message', (message: FromThread<Result>) => typeof message !== 'string' && deliver(message))
  worker.on('error', (error) => {
    cause = error
  })
  worker.on('exit', () => fail(cause))
  return { worker, ready: said('ready'), closed: said('closed') }
}

const post = async <Work>({ worker, ready }: Thread, message: ToThread<Work>): Promise<void> => {
  worker.ref()
  await ready
  worker.postMessage(message)
}

/** Starts when it is first asked something, and holds the process only while something is asked. */
export const sideThread = <Work, Result>(name: string, entry: URL, data: unknown): SideThread<Work, Result> => {
  const waiting = new Map<number, Waiting<Result>>()
  let thread: Thread | null = null
  let asked = 0
  let isClosing = false

  const deliver = (message: Answer<Result>): void => {
    const caller = waiting.get(message.number)
    waiting.delete(message.number)
    // Whoever closes it waits for its word: the process must not end before.
    if (waiting.size === 0 && !isClosing) thread?.worker.unref()
    if ('result' in message) caller?.resolve(message.result)
    else caller?.reject(message.isUnavailable ? new StoreUnavailable(message.failure) : new Error(message.failure))
  }

  const fail = (cause: unknown): void => {
    thread = null
    for (const { reject } of waiting.values()) reject(new StoreUnavailable(`the ${name} thread stopped`, { cause }))
    waiting.clear()
  }

  return {
    run: (work) => {
      thread ??= start(entry, data, deliver, fail)
      asked += 1
      const number = asked
      const answer = new Promise<Result>((resolve, reject) => waiting.set(number, { resolve, reject }))
      void post(thread, { number, work })
      return answer
    },
    close: async () => {
      isClosing = true
      const closing = thread
      if (!closing) return
      await post(closing, 'close')
      // First the file, then the thread: one that is ended with an open database may leave its log behind.
      await closing.closed
      await closing.worker.terminate()
    },
  }
}

/** The other end of a side thread: one answer for each piece of work, and an end when it is told to close. */
export const serveThread = <Work, Result>(
  carryOut: (work: Work) => Promise<Result>,
  close: () => void = () => {},
): void => {
  const answer = async ({ number, work }: Exclude<ToThread<Work>, 'close'>): Promise<FromThread<Result>> => {
    try {
      return { number, result: await carryOut(work) }
    } catch (error) {
      return { number, failure: String(error), isUnavailable: error instanceof StoreUnavailable }
    }
  }

  parentPort?.on('message', async (message: ToThread<Work>) => {
    if (message !== 'close') parentPort?.postMessage(await answer(message))
    else {
      close()
      parentPort?.postMessage('closed')
    }
  })
  // Deno drops what comes before somebody listens.
  parentPort?.postMessage('ready')
}

/** What a thread is asked, or to close. */
export type ToThread<Work> = { readonly number: number; readonly work: Work } | 'close'

export type FromThread<Result> =
  | 'ready'
  | 'closed'
  | { readonly number: number; readonly result: Result }
  | { readonly number: number; readonly failure: string; readonly isUnavailable: boolean }

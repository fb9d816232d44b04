import { parentPort, Worker } from 'node:worker_threads'
import { StoreUnavailable } from '../../core/ports/store.ts'

/** A thread for work that would block the event loop: synchronous database queries, long documents. */
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
  /** Resolves when the thread has released its resources, or has ended. */
  readonly closed: Promise<void>
}

type Reply<Result> = Exclude<FromThread<Result>, string>

/** Returns the entry file of a thread beside a module: `NAME-start.mjs` in the sources, `NAME.js` in the build. */
export const threadEntry = (beside: string, name: string): URL =>
  beside.endsWith('.ts') ? new URL(`./${name}-start.mjs`, beside) : new URL(`./${name}.js`, beside)

const start = <Result>(
  entry: URL,
  data: unknown,
  deliver: (reply: Reply<Result>) => void,
  fail: (cause: unknown) => void,
): Thread => {
  const worker = new Worker(entry, { workerData: data })
  const message = (word: 'ready' | 'closed') =>
    new Promise<void>((resolve) => {
      worker.on('message', (received: FromThread<Result>) => received === word && resolve())
      worker.once('exit', () => resolve())
    })
  let cause: unknown
  worker.on('message', (message: FromThread<Result>) => typeof message !== 'string' && deliver(message))
  worker.on('error', (error) => {
    cause = error
  })
  worker.on('exit', () => fail(cause))
  return { worker, ready: message('ready'), closed: message('closed') }
}

const post = async <Work>({ worker, ready }: Thread, message: ToThread<Work>): Promise<void> => {
  worker.ref()
  await ready
  worker.postMessage(message)
}

/** Creates a side thread. It starts with the first work, and keeps the process alive only while work is in progress. */
export const sideThread = <Work, Result>(name: string, entry: URL, data: unknown): SideThread<Work, Result> => {
  const waiting = new Map<number, Waiting<Result>>()
  let thread: Thread | null = null
  let sent = 0
  let isClosing = false

  const deliver = (message: Reply<Result>): void => {
    const caller = waiting.get(message.number)
    waiting.delete(message.number)
    // While closing, the process must wait for `closed`.
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
      sent += 1
      const number = sent
      const result = new Promise<Result>((resolve, reject) => waiting.set(number, { resolve, reject }))
      void post(thread, { number, work })
      return result
    },
    close: async () => {
      isClosing = true
      const closing = thread
      if (!closing) return
      await post(closing, 'close')
      // A thread that ends with an open database may leave its log file behind.
      await closing.closed
      await closing.worker.terminate()
    },
  }
}

/** Runs in the side thread: does each piece of work and replies with its result, until it receives `close`. */
export const serveThread = <Work, Result>(
  doWork: (work: Work) => Promise<Result>,
  close: () => void = () => {},
): void => {
  const reply = async ({ number, work }: Exclude<ToThread<Work>, 'close'>): Promise<FromThread<Result>> => {
    try {
      return { number, result: await doWork(work) }
    } catch (error) {
      return { number, failure: String(error), isUnavailable: error instanceof StoreUnavailable }
    }
  }

  parentPort?.on('message', async (message: ToThread<Work>) => {
    if (message !== 'close') parentPort?.postMessage(await reply(message))
    else {
      close()
      parentPort?.postMessage('closed')
    }
  })
  // Deno drops messages that arrive before the listener is registered.
  parentPort?.postMessage('ready')
}

type ToThread<Work> = { readonly number: number; readonly work: Work } | 'close'

type FromThread<Result> =
  | 'ready'
  | 'closed'
  | { readonly number: number; readonly result: Result }
  | { readonly number: number; readonly failure: string; readonly isUnavailable: boolean }

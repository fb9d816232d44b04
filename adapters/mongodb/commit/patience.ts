import { StoreUnavailable } from '../../../core/ports/store.ts'
import { NOBODY_KNOWS } from '../connection/transaction.ts'

/** How long a batch is tried again where others keep writing what it writes, or the server is changing. */
const COMMIT_WAIT_MS = 10_000
/** The same once this process was told to stop, which has to be over within 10 s. */
const STOPPING_WAIT_MS = 4_000

/** How long one batch waits for what others hold. */
export interface Patience {
  isOver(): boolean
  /** Waits no longer for a write that the server keeps waiting: nobody knows then what becomes of it. */
  within<T>(write: Promise<T>): Promise<T>
}

export const patienceOf = (stopping: AbortSignal, now = (): number => performance.now()): Patience => {
  const since = now()
  const leftMs = (): number => (stopping.aborted ? STOPPING_WAIT_MS : COMMIT_WAIT_MS) - (now() - since)
  return {
    isOver: () => leftMs() <= 0,
    within: (write) =>
      new Promise((resolve, reject) => {
        const giveUp = (): void => reject(new StoreUnavailable(NOBODY_KNOWS))
        let timer = setTimeout(giveUp, leftMs())
        const hurry = (): void => {
          clearTimeout(timer)
          timer = setTimeout(giveUp, leftMs())
        }
        stopping.addEventListener('abort', hurry)
        write.then(resolve, reject).finally(() => {
          clearTimeout(timer)
          stopping.removeEventListener('abort', hurry)
        })
      }),
  }
}

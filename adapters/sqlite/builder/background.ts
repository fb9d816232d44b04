import { emitWarning } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { Connection } from '../connection.ts'
import { retryWhileBusy } from '../connection.ts'
import type { Shape } from '../schema.ts'
import type { CurrentShapes } from '../tables/current-shapes.ts'
import { builderThread } from './builder-thread.ts'
import { fieldSlice, keySlice, type Slice } from './slices.ts'
import { nextTask } from './task.ts'

/** Makes what is missing of the records that are there, while the store serves. */
export interface Background {
  /** Resolves once nothing is missing, or it is closed. */
  settled(): Promise<void>
  close(): Promise<void>
}

interface Options {
  readonly file: string
  readonly connection: Connection
  readonly shapes: CurrentShapes
  readonly busyWaitMs: number
  /** Told at once when records were changed by this connection. */
  readonly rewrote: () => void
}

/** After each build, those who wait to write get their turn. */
const AFTER_A_BUILD_MS = 50
const LOOK_EVERY_MS = 1_000
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 60_000

/**
 * Keys come first, since their collections are not written meanwhile, then fields, since nothing can ask for them. Every
 * process on the file takes part: what one of them has done the others find done, wherever it was killed.
 */
export const background = ({ file, connection, shapes, busyWaitMs, rewrote }: Options): Background => {
  const builder = builderThread(file)
  const closing = new AbortController()
  /** Holds nobody who wants to end. */
  const pause = (ms: number): Promise<void> =>
    sleep(ms, undefined, { ref: false, signal: closing.signal }).catch(() => undefined)
  const look = (): Promise<void> => retryWhileBusy(() => connection.snapshot(shapes.refresh), busyWaitMs)

  const through = async (slice: Slice, { collection: { name } }: Shape): Promise<void> => {
    const inTurn = (): void => {
      shapes.refresh()
      const shape = shapes.now().get(name)
      if (shape) slice(connection, shape)
    }
    await retryWhileBusy(() => {
      connection.transaction(inTurn)
      rewrote()
    }, busyWaitMs)
  }

  /** Whether there was something to do. */
  const step = async (): Promise<boolean> => {
    await look()
    const all = [...shapes.now().values()]
    const keyed = all.find(({ missing }) => missing.keys.length > 0)
    const filled = all.find(({ missing }) => missing.fields.length > 0)
    const task = all.map(nextTask).find((one) => one !== null)
    if (!(keyed ?? filled ?? task)) return false
    const begun = performance.now()
    if (keyed) await through(keySlice, keyed)
    else if (filled) await through(fieldSlice, filled)
    else if (task) await builder.run(task)
    // Fields are filled in half of the time, the other half is for those who write.
    await pause(keyed ? 0 : filled ? performance.now() - begun : AFTER_A_BUILD_MS)
    return true
  }

  const work = async (): Promise<void> => {
    let retryMs = FIRST_RETRY_MS
    while (!closing.signal.aborted) {
      try {
        if (!(await step())) return
        retryMs = FIRST_RETRY_MS
      } catch (error) {
        if (!closing.signal.aborted && !(error instanceof StoreUnavailable)) emitWarning(`${file}: ${error}`)
        await pause(retryMs)
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
      }
    }
  }

  const done = work()
  // What another process builds or takes over is seen by this one too, whether it writes or not.
  const watch = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS).unref()
  return {
    settled: () => {
      const held = setInterval(() => undefined, LOOK_EVERY_MS)
      return done.finally(() => clearInterval(held))
    },
    close: async () => {
      clearInterval(watch)
      closing.abort()
      // Nothing may be in the thread's hands, nor come into them, while its connection is closed and it ends.
      await done
      await builder.close()
    },
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { bundleOf } from '../../bundle.ts'

export interface Writer {
  readonly process: ChildProcess
  /** The acknowledged numbers so far. */
  readonly acknowledged: readonly number[]
  /** Resolves after `count` numbers, or when the process has ended. */
  waitFor(count: number): Promise<void>
  /** The exit code; null if it was killed. */
  readonly ended: Promise<number | null>
}

/** Starts a process that commits the numbers from `first` to `last`. */
export const startWriter = async (path: string, first: number, last: number): Promise<Writer> => {
  const args = [await bundleOf('tests/adapters/sqlite/writer.ts'), path, `${first}`, `${last}`]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const acknowledged: number[] = []
  const listeners = new Set<() => void>()
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => {
    acknowledged.push(Number(line))
    for (const listener of listeners) listener()
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  const waitFor = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (acknowledged.length >= count) resolve()
      }
      listeners.add(look)
      look()
      void ended.then(() => resolve())
    })
  return { process: child, acknowledged, waitFor, ended }
}

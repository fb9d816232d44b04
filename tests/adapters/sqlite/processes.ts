import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { bundleOf } from '../../bundle.ts'

export interface Writer {
  readonly process: ChildProcess
  /** What it said so far, whole lines only. */
  readonly said: readonly number[]
  /** Waits until it has said so many lines, or has ended. */
  heard(count: number): Promise<void>
  /** Its exit code, null when it was killed. */
  readonly ended: Promise<number | null>
}

/** Starts a second process that commits the numbers from `first` to `last`. */
export const startWriter = async (path: string, first: number, last: number): Promise<Writer> => {
  const args = [await bundleOf('tests/adapters/sqlite/writer.ts'), path, `${first}`, `${last}`]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const said: number[] = []
  const listeners = new Set<() => void>()
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => {
    said.push(Number(line))
    for (const listener of listeners) listener()
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  const heard = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (said.length >= count) resolve()
      }
      listeners.add(look)
      look()
      void ended.then(() => resolve())
    })
  return { process: child, said, heard, ended }
}

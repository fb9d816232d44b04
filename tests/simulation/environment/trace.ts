import { createHash } from 'node:crypto'

const TAIL = 60

/** What happened, line by line: a hash of all of it, and the last lines to read. */
export interface Trace {
  note(line: string): void
  hash(): string
  tail(): readonly string[]
  /** How often a kind of line was noted: its first word. */
  count(kind: string): number
}

export const traceOf = (nowMs: () => number, startMs: number): Trace => {
  const hash = createHash('sha256')
  const counts = new Map<string, number>()
  let lines: string[] = []
  return {
    note(line) {
      const [kind = ''] = line.split(' ', 1)
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      const timed = `${((nowMs() - startMs) / 1000).toFixed(3)} ${line}`
      hash.update(timed).update('\n')
      lines.push(timed)
      if (lines.length > 2 * TAIL) lines = lines.slice(-TAIL)
    },
    hash: () => hash.copy().digest('hex'),
    tail: () => lines.slice(-TAIL),
    count: (kind) => counts.get(kind) ?? 0,
  }
}

import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers'

/** The largest skew of the clock of a process that is not set ahead. */
export const MOST_SKEW_MS = 1_500

/** The time of a simulation: every wait is an entry in it, except calls to an outside store. */
export interface Agenda {
  nowMs(): number
  wait(milliseconds: number): Promise<void>
  /** Runs the entries due within this time. */
  run(milliseconds: number): Promise<void>
  /** Skips time: entries due in it run late, in their order. */
  jump(milliseconds: number): void
}

interface Entry {
  readonly atMs: number
  readonly order: number
  readonly done: () => void
}

const isBefore = (a: Entry, b: Entry): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)

export const agendaOf = (startMs: number, isAsked: () => boolean = () => false): Agenda => {
  let presentMs = startMs
  let order = 0
  const entries: Entry[] = []

  /** Waits until no promise is ready and no call to the outside store is pending. */
  const turn = async (): Promise<void> => {
    do await new Promise<void>((resolve) => void setImmediate(resolve))
    while (isAsked())
  }

  const next = (untilMs: number): Entry | null => {
    let first = 0
    for (const [index, entry] of entries.entries()) {
      const best = entries[first]
      if (best && isBefore(entry, best)) first = index
    }
    const found = entries[first]
    if (!found || found.atMs > untilMs) return null
    entries.splice(first, 1)
    return found
  }

  return {
    nowMs: () => presentMs,
    wait: (milliseconds) =>
      new Promise((done) => {
        order += 1
        entries.push({ atMs: presentMs + Math.max(0, Math.ceil(milliseconds)), order, done })
      }),
    async run(milliseconds) {
      const untilMs = presentMs + milliseconds
      await turn()
      for (let entry = next(untilMs); entry; entry = next(untilMs)) {
        presentMs = Math.max(presentMs, entry.atMs)
        entry.done()
        await turn()
      }
      presentMs = Math.max(presentMs, untilMs)
    },
    jump(milliseconds) {
      presentMs += milliseconds
    },
  }
}

const TAIL = 60

/** The events of a run, one line each: a hash of all and the last lines. */
export interface Trace {
  note(line: string): void
  hash(): string
  tail(): readonly string[]
  /** Returns how many lines begin with this word. */
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

import { setImmediate } from 'node:timers'

/** How far the clock of a process may be from this time, where nobody has set it ahead. */
export const MOST_SKEW_MS = 1_500

/** The time of a simulation: nothing happens but what is written in here, and what somebody outside is asked meanwhile. */
export interface Agenda {
  nowMs(): number
  wait(milliseconds: number): Promise<void>
  /** Lets the environment go on for so long. */
  run(milliseconds: number): Promise<void>
  /** Time passes in which nothing could happen: what was due meanwhile happens late, one after the other. */
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

  /** Everything that is ready has happened when the next turn of the event loop begins, and nobody waits for what is outside. */
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

import type { Queue, Waiting } from './queue.ts'
import type { Runtime } from './use-case.ts'

/** Calls that one outside machine gets at once from one queue of a process. */
export const MAX_PER_HOST = 4
/** Records looked at together: few, since most of a page may be one busy host's. */
const MAX_LOOK = 16

/** What one process has in hand of one queue. */
export interface Desk {
  readonly name: string
  /** Claims and begins what is due, as much as there is room for; how many records that were. */
  fill(): Promise<number>
  isIdle(): boolean
  /** Resolves when all that was begun has ended. */
  idle(): Promise<void>
}

interface Around {
  /** Called with whatever a record's work rejects with. */
  readonly report: (error: unknown, at: string) => void
  /** Called whenever there is room again. */
  readonly freed: () => void
  /** Whether nothing more is to be begun. */
  readonly isClosed: () => boolean
}

export const desk = (queue: Queue, { store, clock }: Pick<Runtime, 'store' | 'clock'>, around: Around): Desk => {
  const inHand = new Set<Promise<void>>()
  const held = places(queue.atOnce)

  const begin = (waiting: Waiting, work: () => Promise<void>): void => {
    const done = Promise.resolve()
      .then(work)
      .catch((error: unknown) => around.report(error, `${queue.name}/${waiting.id}`))
      .finally(() => {
        inHand.delete(done)
        held.leave(waiting)
        around.freed()
      })
    inHand.add(done)
  }
  const claim = async (waiting: Waiting, now: string): Promise<boolean> => {
    const work = await waiting.claim(store, now).catch((error: unknown) => {
      held.leave(waiting)
      throw error
    })
    if (work) begin(waiting, work)
    else held.leave(waiting)
    return work !== null
  }

  const fill = async (): Promise<number> => {
    let begun = 0
    for (;;) {
      const limit = Math.min(MAX_LOOK, held.free())
      if (limit <= 0 || around.isClosed()) return begun
      const now = clock.now()
      const found = await queue.due(store, now, held.busyHosts(), limit)
      const chosen = around.isClosed() ? [] : found.filter(held.take)
      const claims = await Promise.allSettled(chosen.map((waiting) => claim(waiting, now)))
      begun += claims.filter((result) => result.status === 'fulfilled' && result.value).length
      const failed = claims.find((result) => result.status === 'rejected')
      if (failed) throw failed.reason
      // A page of one host's records hides those of the others: they are looked for until none is left out.
      if (found.length < limit || chosen.length === 0) return begun
    }
  }

  return {
    name: queue.name,
    fill,
    isIdle: () => held.free() === queue.atOnce,
    idle: async () => {
      await Promise.all(inHand)
    },
  }
}

/** The places of a queue, and of each host in them. */
const places = (atOnce: number) => {
  const hosts = new Map<string, number>()
  let taken = 0
  const callsOf = (host: string | null): number => (host === null ? 0 : (hosts.get(host) ?? 0))
  const count = ({ host }: Waiting, change: 1 | -1): void => {
    taken += change
    const calls = callsOf(host) + change
    if (host !== null && calls > 0) hosts.set(host, calls)
    else if (host !== null) hosts.delete(host)
  }
  return {
    free: () => atOnce - taken,
    busyHosts: () => [...hosts].filter(([, calls]) => calls >= MAX_PER_HOST).map(([host]) => host),
    /** Takes a place, before anything is awaited, so that nobody else does meanwhile; false where there is none. */
    take: (waiting: Waiting): boolean => {
      const fits = taken < atOnce && callsOf(waiting.host) < MAX_PER_HOST
      if (fits) count(waiting, 1)
      return fits
    },
    leave: (waiting: Waiting): void => count(waiting, -1),
  }
}

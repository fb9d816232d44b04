import { listOf, StoreUnavailable } from '../../ports/store.ts'
import { all, always, type Collection, eq, insert, patch, record, remove, t } from '../records/record.ts'
import type { Queue, Report } from './queue.ts'
import { freshOf, type LeaseMark, type Runtime } from './use-case.ts'

const workerProcess = record({
  /** Six random digits. */
  id: t.string,
  /** Incremented by each heartbeat. */
  beats: t.number,
})

/** The record of a process that runs the worker of a business. */
export type WorkerProcess = t.TypeOf<typeof workerProcess>

export const processCollection = (name: string): Collection<WorkerProcess> => ({
  name,
  ids: 'text',
  codec: workerProcess,
  owner: null,
})

const BEAT_MS = 2_000
/**
 * A process that has missed four heartbeats is dead. Observers measure the silence by their own clock, so that clock
 * differences between machines do not matter.
 */
const SILENT_MS = 8_000
/** The most that counts between two observations, in case the observer itself was held up. */
const MAX_STEP_MS = 2 * BEAT_MS
const MAX_PROCESSES = 1_000

const DIGITS = '0123456789'
// Nine fractional digits with the milliseconds: every runtime parses that many.
const ID_LENGTH = 6

/** Announces a process to the other processes of a store, and ends the leases of dead ones. */
export interface Presence extends LeaseMark {
  /** Starts heartbeats and the observation of other processes. Never rejects. */
  begin(): Promise<void>
  /** Stops both; resolves when the record of this process is removed. */
  end(): Promise<void>
}

interface PresenceOptions {
  readonly queues: readonly Queue[]
  readonly report: Report
  /** Called with the collection of a queue whose leases were ended. */
  readonly released: (collection: string) => void
}

export const presenceOf = (
  runtime: Pick<Runtime, 'store' | 'clock' | 'random' | 'ids'>,
  processes: Collection<WorkerProcess>,
  { queues, report, released }: PresenceOptions,
): Presence => {
  const { store, clock } = runtime
  const silences = silencesOf()
  let own: string | null = null
  let isEnded = false

  const register = async (): Promise<void> => {
    const id = freshOf(runtime).fresh.text(DIGITS, ID_LENGTH)
    if ((await store.commit([insert(processes, { id, beats: 0 })])).ok && !isEnded) own = id
  }
  const beat = async (): Promise<void> => {
    const isRegistered =
      own !== null && (await store.commit([patch(processes, own, { add: { beats: 1 }, when: always })])).ok
    // Other processes took this one for dead and ended its leases: continue under a new id.
    if (!isRegistered) await register()
  }
  const endLeases = async (dead: readonly WorkerProcess[]): Promise<void> => {
    const ids = dead.map(({ id }) => id)
    for (const queue of queues) if ((await queue.endLeases(store, clock.steady(), ids)) > 0) released(queue.collection)
    // Removed last, so that another process ends the leases if this one dies before.
    for (const { id, beats } of dead) await store.commit([remove(processes, id, eq('beats', beats))])
  }
  const observe = async (): Promise<void> => {
    const { records } = await store.list(listOf(processes, { where: all(), limit: MAX_PROCESSES }))
    const dead = silences.observe(
      records.filter(({ id }) => id !== own),
      Date.parse(clock.steady()),
    )
    if (dead.length > 0) await endLeases(dead)
  }
  const turn = async (): Promise<void> => {
    try {
      await beat()
      await observe()
    } catch (error) {
      // The next turn tries again.
      if (!(error instanceof StoreUnavailable)) report(error, processes.name)
    }
  }
  const loop = async (): Promise<void> => {
    for (;;) {
      await clock.wait(BEAT_MS)
      if (isEnded) return
      await turn()
    }
  }
  return {
    mark: (end) => (own === null ? end : `${end.slice(0, -1)}${own}Z`),
    begin: async () => {
      await turn()
      void loop()
    },
    end: async () => {
      isEnded = true
      const id = own
      own = null
      if (id !== null) await store.commit([remove(processes, id, always)]).catch(() => {})
    },
  }
}

const silencesOf = () => {
  let seen = new Map<string, { readonly beats: number; readonly silentMs: number }>()
  let observedAtMs: number | null = null
  return {
    /** Returns the dead ones of the observed processes. */
    observe: (found: readonly WorkerProcess[], nowMs: number): readonly WorkerProcess[] => {
      const step = observedAtMs === null ? 0 : Math.min(Math.max(nowMs - observedAtMs, 0), MAX_STEP_MS)
      observedAtMs = nowMs
      seen = new Map(
        found.map(({ id, beats }) => {
          const before = seen.get(id)
          return [id, { beats, silentMs: before?.beats === beats ? before.silentMs + step : 0 }]
        }),
      )
      return found.filter(({ id }) => (seen.get(id)?.silentMs ?? 0) >= SILENT_MS)
    },
  }
}

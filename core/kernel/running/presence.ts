import { t } from '../../fp.ts'
import { listOf, StoreUnavailable } from '../../ports/store.ts'
import { insert, patch, remove } from '../records/change.ts'
import type { Collection } from '../records/collection.ts'
import { record } from '../records/record.ts'
import { all, always, eq } from '../records/where.ts'
import { freshOf, type LeaseMark } from './fresh.ts'
import type { Queue, Report } from './queue.ts'
import type { Runtime } from './use-case.ts'

const workerProcess = record({
  /** Six random digits. */
  id: t.string,
  /** Rises while the process lives. */
  beats: t.number,
})

/** A process that runs the worker of a business. */
export type WorkerProcess = t.TypeOf<typeof workerProcess>

export const processCollection = (name: string): Collection<WorkerProcess> => ({
  name,
  ids: 'text',
  codec: workerProcess,
  owner: null,
})

const BEAT_MS = 2_000
/**
 * A process whose beats have not risen for so long is dead: four beats missed. Observers count their own time, so that no
 * clock of another machine matters.
 */
const SILENT_MS = 8_000
/** An observer that was itself held up counts no more than this between two looks. */
const MAX_STEP_MS = 2 * BEAT_MS
const MAX_PROCESSES = 1_000

const DIGITS = '0123456789'
// With the three digits of a millisecond, as many as every runtime reads.
const ID_LENGTH = 6
/** The life of one process, as others see it, and the lives of others, as it sees them. */
export interface Presence extends LeaseMark {
  /** Begins to beat, and to end the leases of processes that do not beat any more, until it is ended. Never rejects. */
  begin(): Promise<void>
  /** Resolves once others know that the process holds nothing more. */
  end(): Promise<void>
}

interface PresenceOptions {
  readonly queues: readonly Queue[]
  readonly report: Report
  /** Called with the collection of a queue in which leases were ended. */
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

  const enter = async (): Promise<void> => {
    const id = freshOf(runtime).fresh.text(DIGITS, ID_LENGTH)
    if ((await store.commit([insert(processes, { id, beats: 0 })])).ok && !isEnded) own = id
  }
  const beat = async (): Promise<void> => {
    const beaten = own !== null && (await store.commit([patch(processes, own, { add: { beats: 1 }, when: always })])).ok
    // Others took it for dead, and its leases: what it holds from now on is another process's.
    if (!beaten) await enter()
  }
  const endLeases = async (dead: readonly WorkerProcess[]): Promise<void> => {
    const ids = dead.map(({ id }) => id)
    for (const queue of queues) if ((await queue.endLeases(store, clock.steady(), ids)) > 0) released(queue.collection)
    // Last, so that another process ends them if this one dies before.
    for (const { id, beats } of dead) await store.commit([remove(processes, id, eq('beats', beats))])
  }
  const look = async (): Promise<void> => {
    const { records } = await store.list(listOf(processes, { where: all(), limit: MAX_PROCESSES }))
    const dead = silences.look(
      records.filter(({ id }) => id !== own),
      Date.parse(clock.steady()),
    )
    if (dead.length > 0) await endLeases(dead)
  }
  const turn = async (): Promise<void> => {
    try {
      await beat()
      await look()
    } catch (error) {
      // The next turn tries again.
      if (!(error instanceof StoreUnavailable)) report(error, processes.name)
    }
  }
  const live = async (): Promise<void> => {
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
      void live()
    },
    end: async () => {
      isEnded = true
      const left = own
      own = null
      if (left !== null) await store.commit([remove(processes, left, always)]).catch(() => {})
    },
  }
}

/** Counts for how long the beats of each process have not risen. */
const silencesOf = () => {
  let seen = new Map<string, { readonly beats: number; readonly silentMs: number }>()
  let lookedAtMs: number | null = null
  return {
    /** Returns the processes that are dead, of all that there are. */
    look: (found: readonly WorkerProcess[], nowMs: number): readonly WorkerProcess[] => {
      const step = lookedAtMs === null ? 0 : Math.min(Math.max(nowMs - lookedAtMs, 0), MAX_STEP_MS)
      lookedAtMs = nowMs
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

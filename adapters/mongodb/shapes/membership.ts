import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database.ts'
import { SHAPES } from '../layout/shape.ts'
import { Overtaken, type Permit } from '../transactions.ts'
import { type Announced, type GenerationDoc, STORE_DOC } from './announce.ts'
import { fence } from './fence.ts'
import type { Leases, LeaseTimes } from './leases.ts'
import type { ShapeDoc } from './shape-docs.ts'

export interface Heard {
  /** Something of shapes has changed. */
  changed(): void
  /** A newer release has taken the store over. */
  overtaken(): void
}

/** What a process knows of the others, by saying again and again that it is there. */
export interface Membership {
  readonly permit: Permit
  known(): Announced
  isOver(): boolean
  /** Rejects with `Overtaken` once a newer release has taken the store over. */
  look(): Promise<void>
}

export const membershipOf = (
  base: Database,
  leases: Leases,
  announced: Announced,
  times: LeaseTimes,
  signal: AbortSignal,
  { changed, overtaken }: Heard,
): Membership => {
  const { generation } = announced.store
  const stores = base.db.collection<GenerationDoc>(SHAPES)
  const docs = base.db.collection<ShapeDoc>(SHAPES)
  let known = announced
  let isOver = false
  let held = { since: performance.now(), sessions: base.sessions.ids() }
  let renewing: Promise<void> | null = null

  const look = async (): Promise<void> => {
    const store = await base.withTimeout(() => stores.findOne({ _id: STORE_DOC }))
    if (store && store.generation > generation) {
      if (!isOver) overtaken()
      isOver = true
      throw new Overtaken()
    }
    if (!store || store.version === known.store.version) return
    const found = await base.withTimeout(() => docs.find({ _id: { $in: [...known.docs.keys()] } }).toArray())
    known = { store, docs: new Map(found.map((doc) => [doc._id, doc])) }
    changed()
  }
  /** Whether the sessions in which this process may write now are those that its lease names. */
  const namesAll = (): boolean => held.sessions === base.sessions.ids()
  const renewNow = async (): Promise<void> => {
    try {
      do {
        const sent = { since: performance.now(), sessions: base.sessions.ids() }
        await leases.hold(generation)
        await look()
        held = sent
      } while (!namesAll())
    } finally {
      // At once: whoever has replaced a session since must not join what does not name it.
      renewing = null
    }
  }
  const renew = (): Promise<void> => {
    renewing ??= renewNow()
    return renewing
  }
  const keepRenewing = async (): Promise<void> => {
    for (;;) {
      await pause(times.renewMs, signal)
      if (isOver || signal.aborted) return
      // Whoever wants to write tries again at once, and is told.
      await renew()
        .then(leases.sweep)
        .catch(() => {})
    }
  }
  void keepRenewing()
  return {
    permit: {
      generation,
      isHeld: () => namesAll() && performance.now() - held.since < times.voidMs,
      renew,
      refused: async () => {
        await renew()
        // It was refused for an earlier generation than this: what was late has put its own in the place.
        await fence(base, generation)
      },
    },
    known: () => known,
    isOver: () => isOver,
    look,
  }
}

/** Ends early, and keeps no process alive. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { ref: false, signal }).catch(() => {})

import type { AnyCollection } from '../../../core/kernel/records/collection.ts'
import { StoreUnavailable, type Superseded } from '../../../core/ports/store.ts'
import type { WithoutSocketTimeout } from '../connection.ts'
import { isUnavailable } from '../connection.ts'
import type { Database } from '../database.ts'
import { SHAPES, type Shape, shapeOf } from '../layout/shape.ts'
import { Overtaken, type Permit } from '../transactions.ts'
import { announce, type GenerationDoc, STORE_DOC } from './announce.ts'
import { fence } from './fence.ts'
import { fillAndFinish } from './finish.ts'
import { buildIndexes, checkIndexes, everyOne, makeIndexes, type Report } from './indexes.ts'
import { type Leases, type LeaseTimes, leasesOf } from './leases.ts'
import { type Membership, membershipOf, pause } from './membership.ts'
import { standingOf } from './shape-docs.ts'

export interface StewardOptions {
  readonly report: Report
  readonly times: LeaseTimes
  readonly patiently: WithoutSocketTimeout
  /** Waits for the commits that are in hand, and lets no more in. */
  drain(): Promise<void>
  /** Told once. */
  readonly superseded: Superseded
}

/** Sees to it that one release at a time writes, and that what it keeps of shapes is made beside what it serves. */
export interface Steward {
  readonly permit: Permit
  readonly shapes: ReadonlyMap<string, Shape>
  /** Throws `StoreUnavailable` while this process may not write. */
  assertWritable(): void
  /** Throws it once the newer release may have dropped what this one reads by. */
  assertReadable(): void
  /** Waits until nothing is left to be made. */
  settled(): Promise<void>
  end(): Promise<void>
}

const SUPERSEDED = 'MongoDB: a newer release has taken the store over: this process writes no more, and ends'
const LOOK_MS = 10

type Table = ReadonlyMap<string, AnyCollection>

export const stewardOf = async (base: Database, table: Table, options: StewardOptions): Promise<Steward> => {
  const { times, drain, superseded, report } = options
  const indexes = new Map<string, ReadonlySet<string>>()
  const check = async (collection: AnyCollection): Promise<void> => {
    indexes.set(collection.name, await checkIndexes(base, shapeOf(collection), report))
  }
  await everyOne([...table.values()].map(check))
  const leases = leasesOf(base, times, report)
  // What a killed process has open may be what is written now.
  await leases.sweep()
  const announced = await announce(base, leases, [...table.values()]).catch(async (error: unknown) => {
    await leases.end().catch(() => {})
    throw error
  })
  const ending = new AbortController()
  const { signal } = ending
  let hasGivenWay = false
  const giveWay = async (): Promise<void> => {
    await drain()
    hasGivenWay = true
    await leases.end().catch(() => {})
    if (!signal.aborted) superseded(SUPERSEDED)
  }
  const membership = membershipOf(base, leases, announced, times, signal, {
    changed: () => {
      work.take()
      work.begin()
    },
    overtaken: () => void giveWay(),
  })
  const work = workOf({ base, leases, membership, table, indexes, signal, options })
  const end = async (): Promise<void> => {
    ending.abort()
    await drain()
    await work.ended()
    await leases.end().catch(() => {})
  }
  try {
    await work.prepare()
  } catch (error) {
    await end()
    throw error
  }
  work.begin()
  return {
    permit: membership.permit,
    shapes: work.shapes,
    assertWritable: () => {
      if (membership.isOver()) throw new Overtaken()
      if (!isTaken(membership))
        throw new StoreUnavailable('another release is still serving this store, until it has given way')
    },
    assertReadable: () => {
      if (hasGivenWay) throw new Overtaken()
    },
    settled: async () => {
      while (!work.isSettled() && !membership.isOver() && !signal.aborted) await pause(LOOK_MS, signal)
    },
    end,
  }
}

/** Whether the store takes what is written for these shapes, and nothing else. */
const isTaken = ({ known, permit }: Membership): boolean => known().store.fenced >= permit.generation

interface Work {
  readonly base: Database
  readonly leases: Leases
  readonly membership: Membership
  readonly table: Table
  /** Names of those that there are. */
  readonly indexes: ReadonlyMap<string, ReadonlySet<string>>
  readonly signal: AbortSignal
  readonly options: StewardOptions
}

/** What is made beside what is served, and how the collections are taken meanwhile. */
const workOf = ({ base, leases, membership, table, indexes, signal, options: { report, times, patiently } }: Work) => {
  const { known, permit, look } = membership
  const shapes = new Map<string, Shape>()
  const unbuilt = new Map<string, ReadonlySet<string>>()
  let working: Promise<void> | null = null

  const take = (): void => {
    for (const [name, collection] of table) {
      const doc = known().docs.get(name)
      if (doc) shapes.set(name, shapeOf(collection, standingOf(doc, collection, unbuilt.get(name) ?? new Set())))
    }
  }
  const isEnded = (): boolean => membership.isOver() || signal.aborted
  const isSettled = (): boolean =>
    isTaken(membership) &&
    [...shapes].every(([name, shape]) => shape.unbuilt.size === 0 && known().docs.get(name)?.isDone)

  const make = async (name: string, shape: Shape): Promise<void> => {
    const missing = await makeIndexes(base, shape, indexes.get(name) ?? new Set(), patiently)
    const wanted = new Set(shape.made.map((index) => index.name))
    const begun = known().docs.get(name)?.building ?? []
    unbuilt.set(name, new Set([...missing, ...begun.filter((index) => wanted.has(index))]))
  }
  const build = async (shape: Shape): Promise<void> => {
    if (shape.unbuilt.size === 0) return
    await buildIndexes(base, shape, patiently)
    unbuilt.delete(shape.collection.name)
    take()
  }
  const fills = async (): Promise<void> => {
    // Those that cannot be written before come first.
    for (const name of [...shapes.values()].toSorted(closedFirst).map(({ collection }) => collection.name)) {
      const [shape, doc] = [shapes.get(name), known().docs.get(name)]
      if (!shape || !doc || doc.isDone) continue
      if (await fillAndFinish({ base, leases, permit, isEnded }, shape, doc)) await look()
    }
  }
  const turn = async (): Promise<void> => {
    if (!isTaken(membership) && !(await takeOver(base, leases, membership))) return
    await Promise.all([fills(), ...[...shapes.values()].map(build)])
  }
  const workOn = async (): Promise<void> => {
    while (!isSettled() && !isEnded()) {
      await turn().catch((error: unknown) => {
        if (!(error instanceof StoreUnavailable || isUnavailable(error)))
          report(`MongoDB: what this release needs of the store is not made yet: ${error}`)
      })
      if (!isSettled()) await pause(times.renewMs / 4, signal)
    }
  }
  return {
    shapes,
    take,
    isSettled,
    /** Makes what must be there before anything is served. */
    prepare: async (): Promise<void> => {
      take()
      await everyOne([...shapes].map(([name, shape]) => make(name, shape)))
      take()
      if (isTaken(membership)) await fence(base, permit.generation)
      // Where it cannot be done yet, it is done again, and said why not.
      else await takeOver(base, leases, membership).catch(() => {})
    },
    begin: (): void => {
      working ??= workOn().finally(() => {
        working = null
      })
    },
    ended: async (): Promise<void> => {
      await working
    },
  }
}

const closedFirst = (a: Shape, b: Shape): number => Number(a.isOpen) - Number(b.isOpen)

/** Nothing is made, and nothing written, while a process is there that writes for earlier shapes. */
const takeOver = async (base: Database, leases: Leases, { permit, look }: Membership): Promise<boolean> => {
  const { generation } = permit
  if (await leases.isThere({ $lt: generation })) return false
  // No collection is fenced while somebody has a transaction open on it.
  await leases.sweep()
  await fence(base, generation)
  const stores = base.db.collection<GenerationDoc>(SHAPES)
  const done = { $max: { fenced: generation }, $inc: { version: 1 } }
  await base.withTimeout(() => stores.updateOne({ _id: STORE_DOC, generation }, done))
  await look()
  return true
}

import type { Id } from '../records/collection.ts'

/** Calls that one outside machine gets at once from one queue of a process, for each owner: who shares it holds up nobody. */
export const MAX_PER_HOST = 4

/** How many of some places are one owner's while others wait: an eighth of them, and one at least. Source: decisions.md §12. */
export const fairShare = (places: number): number => Math.max(1, Math.floor(places / 8))

/** Whom a place is for: null for nobody. */
interface Claimant {
  readonly host: Id | null
  readonly owner: Id | null
}

/** A host, and whose records for it are meant; null for those of nobody. */
export type HostOfOwner = readonly [host: Id, owner: Id | null]

const hostKey = ({ host, owner }: Claimant): string | null => (host === null ? null : JSON.stringify([host, owner]))

/**
 * The places of a queue, and of each owner, and their hosts, in them. An owner has a share. Where nobody waits who has less, the owners may
 * have more, as many each, but of one half of the places: the other is there for whoever comes next, since nothing that
 * was begun can be put off.
 */
export const fairPlaces = (atOnce: number) => {
  const [hosts, owners] = [counts(), counts()]
  const share = fairShare(atOnce)
  const half = atOnce / 2
  let taken = 0
  let each = share

  const limitPerOwner = (): number => (taken < half ? each : share)
  const count = (claimant: Claimant, change: 1 | -1): void => {
    taken += change
    hosts.add(hostKey(claimant), change)
    owners.add(claimant.owner, change)
  }
  return {
    free: () => atOnce - taken,
    /** Of whom no more may be begun now. */
    busy: () => ({
      hosts: hosts.from(MAX_PER_HOST).map((key): HostOfOwner => JSON.parse(`${key}`)),
      owners: owners.from(limitPerOwner()),
    }),
    /** Takes a place, before anything is awaited, so that nobody else does meanwhile; false where there is none. */
    take: (waiting: Claimant): boolean => {
      const fits =
        taken < atOnce && hosts.of(hostKey(waiting)) < MAX_PER_HOST && owners.of(waiting.owner) < limitPerOwner()
      if (fits) count(waiting, 1)
      return fits
    },
    leave: (waiting: Claimant): void => {
      count(waiting, -1)
      // Whoever has less than a share again comes before those who have more.
      if (waiting.owner !== null && owners.of(waiting.owner) < share) each = share
    },
    /** Nobody waits who is not busy: the owners may have one share more each. False where there is none. */
    widen: (): boolean => {
      const isWider = taken < half && each < half
      if (isWider) each += share
      return isWider
    },
    /** Whether owners have been let have more than their share: nobody else waited then. */
    isWide: (): boolean => each > share,
    /** Whether they have all that they may: what is free is for others. */
    isSpent: (): boolean => each > share && taken >= half,
    /** Somebody may have come: nobody has more than a share until they are looked for. */
    narrow: (): void => {
      each = share
    },
  }
}

/** How many each has of what is shared; of nobody none are counted. */
export const counts = () => {
  const byKey = new Map<Id, number>()
  const of = (key: Id | null): number => (key === null ? 0 : (byKey.get(key) ?? 0))
  return {
    of,
    add: (key: Id | null, change: 1 | -1): void => {
      const count = of(key) + change
      if (key !== null && count > 0) byKey.set(key, count)
      else if (key !== null) byKey.delete(key)
    },
    /** Who has at least so many. */
    from: (least: number): readonly Id[] => [...byKey].filter(([, count]) => count >= least).map(([key]) => key),
  }
}

/** Runs tasks of one name one after the other, in the order they came; those of other names do not wait. */
export const serialByName = () => {
  const last = new Map<string, Promise<unknown>>()
  return <A>(name: string, task: () => Promise<A>): Promise<A> => {
    const mine = (last.get(name) ?? Promise.resolve()).then(task, task)
    last.set(name, mine)
    const leave = () => {
      if (last.get(name) === mine) last.delete(name)
    }
    mine.then(leave, leave)
    return mine
  }
}

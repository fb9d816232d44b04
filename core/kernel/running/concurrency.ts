import type { Id } from '../records/record.ts'

/** Calls at once to one host from one queue of a process, for each owner: a slow host delays only its own calls. */
export const MAX_PER_HOST = 4

/** Returns the share of one owner while other owners wait: an eighth of the places, at least one. */
export const fairShare = (places: number): number => Math.max(1, Math.floor(places / 8))

/** The host and the owner of a record; null if it has none. */
interface Claimant {
  readonly host: Id | null
  readonly owner: Id | null
}

/** A host, and the owner whose records are sent to it. */
export type HostOfOwner = readonly [host: Id, owner: Id | null]

const hostKey = ({ host, owner }: Claimant): string | null => (host === null ? null : JSON.stringify([host, owner]))

/**
 * The places of a queue, limited by owner and by host. Each owner has its fair share. While no record of another owner
 * waits, the limit of all owners can grow share by share, up to half of the places: the other half stays free for new
 * owners, since started work cannot be postponed.
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
    /** Returns the hosts and owners that are at their limit. */
    busy: () => ({
      hosts: hosts.from(MAX_PER_HOST).map((key): HostOfOwner => JSON.parse(`${key}`)),
      owners: owners.from(limitPerOwner()),
    }),
    /** Takes a place. Synchronous, so that no other record takes it meanwhile. False if there is none. */
    take: (claimant: Claimant): boolean => {
      const fits =
        taken < atOnce && hosts.of(hostKey(claimant)) < MAX_PER_HOST && owners.of(claimant.owner) < limitPerOwner()
      if (fits) count(claimant, 1)
      return fits
    },
    leave: (claimant: Claimant): void => {
      count(claimant, -1)
      // An owner below its share precedes owners above it.
      if (claimant.owner !== null && owners.of(claimant.owner) < share) each = share
    },
    /**
     * Raises the limit of each owner by one share, when only records of busy owners wait. False if it cannot be raised.
     */
    widen: (): boolean => {
      const isWider = taken < half && each < half
      if (isWider) each += share
      return isWider
    },
    /** Reports whether owners may exceed their share. */
    isWide: (): boolean => each > share,
    /** Reports whether half of the places are taken by owners above their share: the rest is for other owners. */
    isSpent: (): boolean => each > share && taken >= half,
    /** Resets the limit to one share, when records of another owner may have arrived. */
    narrow: (): void => {
      each = share
    },
  }
}

/** Counts by key; the key null is not counted. */
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
    /** Returns the keys with a count of at least `least`. */
    from: (least: number): readonly Id[] => [...byKey].filter(([, count]) => count >= least).map(([key]) => key),
  }
}

/**
 * Returns a runner of tasks by name: tasks of one name run one after another in call order; other names do not wait.
 */
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

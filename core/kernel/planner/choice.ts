import type { AccessPath } from './access-paths.ts'

/** What is known of how many entries a path leads to. */
export interface Figure {
  readonly entries: number
  /** Whether that is all of them, or as far as somebody counted. */
  readonly isAll: boolean
}

export const UNCOUNTED: Figure = { entries: 0, isAll: false }

/** What to do next: take a path, or count the entries of one, though no further than so many. */
export type Step = { readonly take: number } | { readonly count: number; readonly upTo: number }

type Path = Pick<AccessPath<unknown>, 'isOrdered' | 'isCovering' | 'isStraight'>

/** To read a record costs about as much as so many entries of an index, and so does to sort an entry. */
const READ = 10
const SORT = 2
const FIRST_COUNT = 1_000
const FURTHER = 10
/** Who leads to more is not worth counting. */
const MOST_COUNTED = 1_000_000

/** What an entry of the path costs who looks for a page, or who counts. */
const costOf = ({ isOrdered, isCovering }: Path, isPage: boolean): number =>
  (isCovering ? 1 : READ) + (isPage && !isOrdered ? SORT : 0)

/**
 * How to come to the cheapest path: each is counted a little further, as long as it may still be cheaper than the best that is
 * known; so the counting costs no more than what it finds. The choice is by these figures alone.
 */
export const nextStep = (paths: readonly Path[], figures: readonly Figure[], isPage: boolean): Step => {
  if (paths.length <= 1 || (isPage && paths[0]?.isOrdered && paths[0].isStraight)) return { take: 0 }
  const known = paths.map((path, at) => {
    const { entries, isAll } = figures[at] ?? UNCOUNTED
    const each = costOf(path, isPage)
    return { at, entries, isAll, each, cost: entries * each }
  })
  const best = Math.min(...known.filter(({ isAll }) => isAll).map(({ cost }) => cost))
  const open = known.filter(({ isAll, cost, entries }) => !isAll && cost < best && entries < MOST_COUNTED)
  const [least] = open.sort((a, b) => a.entries - b.entries)
  if (!least) {
    const [cheapest] = known.sort((a, b) => a.cost - b.cost)
    return { take: cheapest?.at ?? 0 }
  }
  const further = Math.max(FIRST_COUNT, least.entries * FURTHER)
  return { count: least.at, upTo: Math.min(further, Math.ceil(best / least.each) + 1, MOST_COUNTED) }
}

/** Where a page is, what matches may lie so many times thinner than everywhere. */
const THINNER = 8

/** How many entries a page is likely to walk through in its order, which so many records match of so many. */
export const expectedEntries = (upTo: number, matches: number, entries: number): Figure => ({
  entries: Math.min(entries, Math.ceil((upTo * entries * THINNER) / Math.max(1, matches))),
  isAll: true,
})

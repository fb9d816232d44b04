import {
  type AccessPath,
  accessPaths,
  conjuncts,
  type EntryCount,
  estimateEntries,
  isIdCondition,
  nextStep,
  UNCOUNTED,
} from '../../../core/kernel/planner/access-paths.ts'
import { toInstantRanges } from '../../../core/kernel/planner/day-fields.ts'
import type { Rec } from '../../../core/kernel/records/record.ts'
import type { List } from '../../../core/ports/store.ts'
import type { IndexShape, Shape } from '../layout/shape.ts'
import { conditionOf, tallyTotal } from './group.ts'
import type { DatabaseReader } from './reader.ts'

type Path = AccessPath<IndexShape>

/** The ways to a page; none where its ids are named, or where no index serves it. */
export const pathsTo = (shape: Shape, { where, when, sort }: List<Rec>): readonly Path[] => {
  const parts = toInstantRanges(shape.collection, conjuncts(where))
  return parts.some(isIdCondition) ? [] : accessPaths(shape, { parts, when, sort: sort?.by ?? 'id' })
}

interface Wanted {
  readonly paths: readonly Path[]
  readonly when: string | undefined
  /** How many match, where a tally tells, and how many of them come up to its end; null where only the total is asked for. */
  readonly page: { readonly matches: number | null; readonly upTo: number } | null
}

/** The cheapest of them, for a page or for its total: where there is a choice, the entries that they lead to are counted. */
export const cheapestPath = async (
  shape: Shape,
  { paths, when, page }: Wanted,
  reader: DatabaseReader,
): Promise<Path | null> => {
  const figures: EntryCount[] = []
  for (const path of paths) figures.push(paths.length > 1 ? await likely(path) : UNCOUNTED)
  for (;;) {
    const step = nextStep(paths, figures, page !== null)
    if ('take' in step) return paths[step.take] ?? null
    const path = paths[step.count]
    if (!path) return null
    const entries = await entriesOf(shape, path, step.upTo, reader)
    figures[step.count] = { entries, isComplete: entries < step.upTo }
  }

  /** What tallies tell of a path without counting. */
  async function likely({ isOrdered, isSpread, served }: Path): Promise<EntryCount> {
    if (page === null || page.matches === null || !isOrdered || !isSpread) return UNCOUNTED
    const entries = await tallyTotal(shape, { all: served }, when, reader)
    return entries === null ? UNCOUNTED : estimateEntries(page.upTo, page.matches, entries)
  }
}

const entriesOf = async (shape: Shape, { index, served }: Path, upTo: number, reader: DatabaseReader) => {
  const filter = conditionOf(shape, { all: served }, index.row.when)
  const [counted] = await reader.aggregate(
    shape.collection.name,
    [{ $match: filter }, { $limit: upTo }, { $count: 'n' }],
    index.name,
  )
  return Number(counted?.n ?? 0)
}

import { type AccessPath, accessPaths } from '../../../core/kernel/planner/access-paths.ts'
import { type Figure, nextStep, UNCOUNTED } from '../../../core/kernel/planner/choice.ts'
import { byMoments } from '../../../core/kernel/planner/moments.ts'
import type { Rec } from '../../../core/kernel/records/collection.ts'
import { conjuncts, namesIds } from '../../../core/kernel/records/index-choice.ts'
import type { List } from '../../../core/ports/store.ts'
import type { IndexShape, Shape } from '../layout/shape.ts'
import { conditionOf } from './group.ts'
import type { DatabaseReader } from './reader.ts'

type Path = AccessPath<IndexShape>

/** The ways to a page; none where its ids are named, or where no index serves it. */
export const pathsTo = (shape: Shape, { where, when, sort }: List<Rec>): readonly Path[] => {
  const parts = byMoments(shape.collection, conjuncts(where))
  return parts.some(namesIds) ? [] : accessPaths(shape, { parts, when, sort: sort?.by ?? 'id' })
}

/** The cheapest of them, for a page or for its total: where there is a choice, the entries that they lead to are counted. */
export const cheapestPath = async (
  shape: Shape,
  paths: readonly Path[],
  isPage: boolean,
  reader: DatabaseReader,
): Promise<Path | null> => {
  const figures: Figure[] = paths.map(() => UNCOUNTED)
  for (;;) {
    const step = nextStep(paths, figures, isPage)
    if ('take' in step) return paths[step.take] ?? null
    const path = paths[step.count]
    if (!path) return null
    const entries = await entriesOf(shape, path, step.upTo, reader)
    figures[step.count] = { entries, isAll: entries < step.upTo }
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

import { PLACES, type PlaceName } from './places.ts'
import { replayOf, type Seen, seenIn, together } from './seen.ts'

/** What came of some seeds: how the first that failed is replayed, and what was seen in all. */
export interface Batch {
  readonly replay: string | null
  readonly seen: Seen
}

/** Runs seeds of one place, one after the other, until one fails. */
export const batchOf = async (place: PlaceName, first: number, last: number): Promise<Batch> => {
  const seen: Seen[] = []
  let replay: string | null = null
  for (let seed = first; seed <= last && replay === null; seed += 1) {
    const run = await PLACES[place].run(seed)
    seen.push(seenIn(run))
    if (run.broken.length > 0) replay = replayOf(run)
  }
  return { replay, seen: together(seen) }
}

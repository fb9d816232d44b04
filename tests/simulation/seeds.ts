import { simulate } from './run.ts'
import { replayOf, type Seen, seenIn, together } from './seen.ts'

// Simulates seeds in a process of its own: `seeds.ts FIRST LAST`. It says what was wrong with the first that failed, and
// what was seen in all.
const [first = 1, last = 0] = process.argv.slice(2).map(Number)

const seen: Seen[] = []
let replay: string | null = null
for (let seed = first; seed <= last && replay === null; seed += 1) {
  const run = await simulate(seed)
  seen.push(seenIn(run))
  if (run.broken.length > 0) replay = replayOf(run)
}
process.stdout.write(JSON.stringify({ replay, seen: [...together(seen)] }))

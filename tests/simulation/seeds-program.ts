import { batchOf, PLACES, type PlaceName } from './seeds.ts'

// Simulates seeds in a process of its own, for `tests/long/simulation.ts`: `seeds-program.ts PLACE FIRST LAST`.
const [place = 'memory', first = '1', last = '0'] = process.argv.slice(2)
const { replay, seen } = await batchOf(place as PlaceName, Number(first), Number(last))
await PLACES[place as PlaceName].close()
process.stdout.write(JSON.stringify({ replay, seen: [...seen] }))

import { runOnMongodb } from './ava/on-mongodb.ts'
import { runAva } from './ava/run.ts'
import { keepTemporaryInMemory } from './ava/temporary.ts'

// `npm test`, after `npm run check`: all of AVA that is not of the long run, and again over MongoDB what is about
// money.
keepTemporaryInMemory()
// At once: races wait for the database, and leave the processors to the others.
const runs = await Promise.all([runAva([]), runOnMongodb([])])
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

console.log(`\n${sum(runs.map(({ passed }) => passed))} passed, ${sum(runs.map(({ failed }) => failed))} failed`)
for (const line of runs.flatMap(({ flaky }) => flaky)) console.log(line)
process.exitCode = runs.some(({ code }) => code !== 0) ? 1 : 0

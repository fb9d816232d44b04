import { runAva } from './run.ts'
import { keepTemporaryInMemory } from './temporary.ts'

// `npm run ava` runs the tests of `npm test`; `npm run ava -- tests/core tests/tidy.test.ts --match '*boleto*'` those.
keepTemporaryInMemory()
const { code, flaky } = await runAva(process.argv.slice(2))
for (const line of flaky) console.log(line)
process.exitCode = code

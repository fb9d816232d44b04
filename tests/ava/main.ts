import { runAva } from './run.ts'
import { keepTemporaryInMemory } from './temporary.ts'

// `npm run ava` runs all tests; `npm run ava -- tests/core tests/tidy.test.ts --match '*boleto*'` those.
keepTemporaryInMemory()
process.exitCode = await runAva(process.argv.slice(2))

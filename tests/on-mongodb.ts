import { runOnMongodb } from './ava/on-mongodb.ts'
import { keepTemporaryInMemory } from './ava/temporary.ts'

// `npm run test:mongodb` runs again over MongoDB what `npm test` does; with files named, those.
keepTemporaryInMemory()
const { code, flaky } = await runOnMongodb(process.argv.slice(2))
for (const line of flaky) console.log(line)
process.exitCode = code

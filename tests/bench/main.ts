import { availableParallelism, loadavg } from 'node:os'
import { agencyFigures } from './agency/figures.ts'
import { budgetFigures } from './budget/figures.ts'
import { exportFigures, pdfFigures } from './exports.ts'
import { httpFigures } from './http/figures.ts'
import { listFigures } from './lists/figures.ts'
import { mongoFigures } from './mongodb/figures.ts'
import { storeFigures } from './store.ts'
import { type Figure, tableOf } from './table.ts'

interface Part {
  readonly name: string
  readonly heading: string
  /** Resolves with null if it cannot be measured here. */
  readonly measure: () => Promise<readonly Figure[] | null>
}

/** The parts of `npm run bench`. Each figure has a floor of the same run, so that machines compare. */
const parts: readonly Part[] = [
  { name: 'store', heading: 'The store, on SQLite', measure: storeFigures },
  { name: 'budget', heading: 'The work of one request, on SQLite and MongoDB', measure: budgetFigures },
  { name: 'http', heading: 'The payments app over HTTP, on SQLite', measure: httpFigures },
  { name: 'lists', heading: 'Lists of an account with a million charges, on SQLite', measure: listFigures },
  { name: 'agency', heading: 'An agency with 100,000 records of each kind, on SQLite', measure: agencyFigures },
  { name: 'exports', heading: 'Exports of an account, on SQLite', measure: exportFigures },
  { name: 'pdf', heading: 'Bills as PDF', measure: pdfFigures },
  {
    name: 'mongodb',
    heading: 'The store, on a stand-in that speaks the protocol of MongoDB: only the ratios count',
    measure: mongoFigures,
  },
]

const SKIPPED = 'SKIPPED: MONGOMS_SYSTEM_BINARY names no mongod'

const [wanted] = process.argv.slice(2)
const chosen = parts.filter(({ name }) => wanted === undefined || name === wanted)
if (chosen.length === 0) throw new Error(`no part ${wanted}: ${parts.map(({ name }) => name).join(', ')}`)

const load = (): string => loadavg()[0]?.toFixed(1) ?? ''

const before = load()
for (const { name, heading, measure } of chosen) {
  const begun = performance.now()
  // A failed part does not stop the others.
  const table = await measure().then(
    (figures) => (figures === null ? SKIPPED : tableOf(figures)),
    (error: unknown) => {
      process.exitCode = 1
      return `FAILED: ${error instanceof Error ? error.stack : error}`
    },
  )
  console.error(`${name}: ${Math.round((performance.now() - begun) / 1_000)} s`)
  console.log(`\n${heading}\n\n${table}\n`)
}
console.log(`Load of the machine, on ${availableParallelism()} processors: ${before} before, ${load()} at the end`)

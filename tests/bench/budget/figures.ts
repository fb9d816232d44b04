import { type Server, startApp, startBare } from '../http/servers.ts'
import { inDirectory } from '../http/stage.ts'
import { inTurns, median } from '../rates.ts'
import type { Figure } from '../table.ts'
import { type Counts, countOnMongo, countOnSqlite } from './counts.ts'
import type { Kind } from './requests.ts'
import { measureUsage, type Usage } from './usage.ts'

const MEMORY_MB = 180
const STARTS = 3
const START_MS = 600

/** The limits of one kind of request; those without a limit are only shown. */
interface Budget {
  readonly kind: Kind
  readonly name: string
  readonly kb?: number
  /** Processor time, as a multiple of the bare server's. */
  readonly timesBare?: number
  readonly commits?: number
  readonly trips?: number
}

const BUDGETS: readonly Budget[] = [
  { kind: 'GET', name: 'GET of a charge', kb: 30, timesBare: 2.5, commits: 0, trips: 2 },
  { kind: 'list', name: 'page of 15 charges with its total', commits: 0, trips: 3 },
  { kind: 'POST', name: 'POST of a charge by Pix', commits: 2 },
  { kind: 'keyed POST', name: 'the same with an idempotency key', commits: 2, trips: 9 },
  { kind: 'confirmation', name: 'confirmation of a withdrawal' },
  { kind: 'page', name: "payer's page", commits: 0 },
  { kind: 'properties', name: 'page of 15 properties with its total', commits: 0 },
  { kind: 'dashboard', name: 'dashboard of an agency', commits: 0 },
]

type Aimed = Pick<Figure, 'unit' | 'ours'> & { readonly under?: number | undefined }

const figure = (name: string, { under, ...measured }: Aimed): Figure => ({
  name,
  ...measured,
  floor: null,
  of: '',
  aim: under === undefined ? null : { under },
})

const countFigures = ({ name, commits, trips }: Budget, sqlite: Counts, mongo: Counts | null): readonly Figure[] => [
  figure(`${name}: reads`, { unit: '', ours: sqlite.reads }),
  figure(`${name}: rounds of reads`, { unit: '', ours: sqlite.rounds }),
  figure(`${name}: commits before the answer`, { unit: '', ours: sqlite.commits, under: commits }),
  ...(sqlite.commitsAfter > 0 ? [figure(`${name}: commits after it`, { unit: '', ours: sqlite.commitsAfter })] : []),
  ...(mongo ? [figure(`${name}: round trips on MongoDB`, { unit: '', ours: mongo.trips, under: trips })] : []),
]

const usageFigures = ({ name, kb, timesBare }: Budget, usage: Usage): readonly Figure[] => [
  figure(`${name}: allocated`, { unit: 'KB', ours: usage.kb, under: kb }),
  ...(usage.usedMs
    ? [
        {
          name: `${name}: processor time`,
          unit: 'ms' as const,
          ...usage.usedMs,
          of: 'bare Koa, router, body parser and its statements',
          aim: timesBare === undefined ? null : { atMost: timesBare },
        },
      ]
    : []),
]

/**
 * Measures the work of one request: calls of the store, round trips, allocations and processor time. The counts do not
 * depend on the machine.
 */
export const budgetFigures = async (): Promise<readonly Figure[]> => {
  const [sqlite, mongo] = [await countOnSqlite(), await countOnMongo()]
  const { usages, residentMb } = await measureUsage()
  const figures = BUDGETS.flatMap((budget) => {
    const [counts, usage] = [sqlite.get(budget.kind), usages.get(budget.kind)]
    return counts && usage
      ? [...countFigures(budget, counts, mongo?.get(budget.kind) ?? null), ...usageFigures(budget, usage)]
      : []
  })
  const memory = figure('resident memory after it', { unit: 'MB', ours: residentMb, under: MEMORY_MB })
  return [...figures, await startFigure(), memory]
}

/** From start to ready, on an empty store. */
const startFigure = async (): Promise<Figure> => {
  const timed = (start: (directory: string) => Promise<Server>) => () =>
    inDirectory(async (directory) => {
      const server = await start(directory)
      await server.stop()
      return server.startMs
    })
  const taken = await inTurns(STARTS, timed(startApp), timed(startBare))
  const [ours, floor] = [median(taken.ours), median(taken.floor)]
  return { name: 'start to ready', unit: 'ms', ours, floor, of: 'the bare server', aim: { under: START_MS } }
}

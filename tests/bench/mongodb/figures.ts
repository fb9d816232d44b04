import { eq, insert } from '../../../core/kernel/records/record.ts'
import { listOf, type Store } from '../../../core/ports/store.ts'
import { inFlight, rates } from '../rates.ts'
import { note, notes } from '../records.ts'
import type { Figure } from '../table.ts'
import { postingFigures } from './medici.ts'
import { operationFigures } from './operations.ts'
import { onReplicaSet, type Stage } from './stage.ts'

export const mongoFigures = (): Promise<readonly Figure[] | null> =>
  onReplicaSet(async (stage) => [
    ...(await operationFigures(stage)),
    ...(await postingFigures(stage)),
    await pageFigure(stage),
  ])

const FEW = 1_000
/** The largest power of ten that the stand-in, which keeps everything in memory, takes in reasonable time. */
const MANY = 100_000
const BATCH = 500
const LANES = 4
const PAGE = 15
const ACCOUNT = 7
const TURNS = { rounds: 7, roundMs: 600 }

/** A page of 15 with its total, of few records of an account and of many. */
const pageFigure = async (stage: Stage): Promise<Figure> => {
  const [few, many] = [await filled(stage, FEW), await filled(stage, MANY)]
  const taken = await rates(pages(many), pages(few), TURNS)
  return {
    name: `page of ${PAGE} with total, of ${MANY.toLocaleString('en')} records`,
    unit: 'ms',
    ours: 1_000 / taken.ours,
    floor: 1_000 / taken.floor,
    of: `the same of ${FEW.toLocaleString('en')}`,
    aim: { atMost: 1.3 },
  }
}

const filled = async (stage: Stage, count: number): Promise<Store> => {
  const store = await stage.store()
  for (let first = 1; first <= count; first += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, index) => ({ ...note(first + index), accountId: ACCOUNT }))
    await store.commit(batch.map((one) => insert(notes, one)))
  }
  return store
}

const pages = (store: Store) => {
  const sort = { by: 'createdAt', dir: 'desc' } as const
  const query = listOf(notes, { where: eq('accountId', ACCOUNT), sort, limit: PAGE, total: true })
  return inFlight(LANES, () => store.list(query))
}

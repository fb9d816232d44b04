import { setClock } from '../../../adapters/clock/set-clock.ts'
import { memoryEstatePorts } from '../../../adapters/memory/memory-ports.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { isLeft } from '../../../core/fp.ts'
import { type RealEstate, realEstate, realEstateCollections } from '../../../core/real-estate/real-estate.ts'
import { tookMs } from '../rates.ts'
import type { Figure } from '../table.ts'
import { agencyOf, FEW, MANY, NOW } from './history.ts'
import { agencyPageFigures } from './pages.ts'
import { type AgencyQuestion, agencyQuestions } from './questions.ts'

const opened = async (count: number) => {
  const store = await sqliteStore(await agencyOf(count), realEstateCollections)
  return { agency: realEstate(memoryEstatePorts({ store, clock: setClock(NOW) })), close: () => store.close() }
}

const asking =
  (agency: RealEstate, { name, asks }: AgencyQuestion) =>
  async (): Promise<void> => {
    const answer = await asks(agency)
    if (isLeft(answer)) throw new Error(`${name}: ${JSON.stringify(answer.left)}`)
  }

/** The lists, searches and sums of an agency with a hundred thousand records of each kind, beside those of one with a thousand. */
export const agencyFigures = async (): Promise<readonly Figure[]> => {
  const [few, many] = [await opened(FEW), await opened(MANY)]
  const figures: Figure[] = []
  for (const question of agencyQuestions) {
    const floor = await tookMs(asking(few.agency, question))
    const ours = await tookMs(asking(many.agency, question))
    const of = `the same of ${FEW.toLocaleString('en')}`
    figures.push({ name: question.name, unit: 'ms', ours, floor, of, aim: question.aim })
  }
  await few.close()
  await many.close()
  return [...(await agencyPageFigures()), ...figures]
}

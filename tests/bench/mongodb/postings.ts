import { insert } from '../../../core/kernel/records/record.ts'
import type { Store } from '../../../core/ports/store.ts'
import { inFlight, rates, type Work } from '../rates.ts'
import { book, books, posting } from '../records.ts'
import type { Figure } from '../table.ts'
import type { Stage } from './stage.ts'

const LANES = 64
const ACCOUNTS = 100
const TURNS = { rounds: 5, roundMs: 1_000 }

/** Postings that wait for the same account, against those of many. */
export const postingFigure = async (stage: Stage): Promise<Figure> => {
  const store = await stage.store()
  for (let id = 0; id <= ACCOUNTS; id += 1) await store.commit([insert(books, book(id))])
  const on = postings(store)
  return {
    name: `postings on 1 account, ${LANES} at once`,
    unit: '/s',
    ...(await rates(on(1), on(ACCOUNTS), TURNS)),
    of: `the same on ${ACCOUNTS} accounts`,
    aim: { atLeast: 0.33 },
  }
}

const postings = (store: Store) => {
  let last = 0
  return (accounts: number): Work =>
    inFlight(LANES, async (number) => {
      last += 1
      const outcome = await store.commit(posting(accounts === 1 ? 0 : 1 + (number % accounts), last))
      if (!outcome.ok) throw new Error(`a posting was answered ${JSON.stringify(outcome)}`)
    })
}

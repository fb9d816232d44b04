import { insert } from '../../core/kernel/records/record.ts'
import type { Store } from '../../core/ports/store.ts'
import { inFlight, rates } from './rates.ts'
import { book, books, posting } from './records.ts'
import type { Figure } from './table.ts'

const LANES = 64

/** Measures postings that wait for the same account, against those of as many accounts as are in flight. */
export const postingFigure = async (store: Store, atLeast: number): Promise<Figure> => {
  for (let id = 0; id <= LANES; id += 1) await store.commit([insert(books, book(id))])
  let last = 0
  const post = (accounts: number) =>
    inFlight(LANES, async (number) => {
      last += 1
      const outcome = await store.commit(posting(accounts === 1 ? 0 : 1 + (number % accounts), last))
      if (!outcome.ok) throw new Error(`a posting was answered ${JSON.stringify(outcome)}`)
    })
  return {
    name: `postings on one account, ${LANES} at once`,
    unit: '/s',
    of: `postings on ${LANES} accounts`,
    aim: { atLeast },
    ...(await rates(post(1), post(LANES))),
  }
}

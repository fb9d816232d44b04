import { createRequire } from 'node:module'
import { Book, initModels, mongoTransaction } from 'medici'
import { insert } from '../../../core/kernel/records/record.ts'
import type { Store } from '../../../core/ports/store.ts'
import { inFlight, rates, type Work } from '../rates.ts'
import { book, books, posting } from '../records.ts'
import type { Figure } from '../table.ts'
import type { Stage } from './stage.ts'

const LANES = 64
const ACCOUNTS = 100
const TURNS = { rounds: 5, roundMs: 1_000 }

interface Mongoose {
  connect(url: string): Promise<unknown>
  disconnect(): Promise<void>
}

/** The one that medici itself is connected through. */
const mongoose: Mongoose = createRequire(import.meta.resolve('medici'))('mongoose')

/** Postings that wait for the same account or for many, against a ledger that many use on the same server. */
export const postingFigures = async (stage: Stage): Promise<readonly Figure[]> => {
  const store = await stage.store()
  for (let id = 0; id <= ACCOUNTS; id += 1) await store.commit([insert(books, book(id))])
  await mongoose.connect(stage.url())
  await initModels()
  try {
    const [ours, floor] = [postings(store), mediciPostings()]
    const one = await rates(ours(1), floor(1), TURNS)
    const many = await rates(ours(ACCOUNTS), floor(ACCOUNTS), TURNS)
    const hot = await rates(ours(1), ours(ACCOUNTS), TURNS)
    const common = { unit: '/s', of: 'medici, journal and legs in one transaction', aim: { atLeast: 5 } } as const
    return [
      { ...common, name: `postings on 1 account, ${LANES} at once`, ...one },
      { ...common, name: `postings on ${ACCOUNTS} accounts, ${LANES} at once`, ...many },
      {
        name: `postings on 1 account, ${LANES} at once`,
        unit: '/s',
        ...hot,
        of: `our own on ${ACCOUNTS} accounts`,
        aim: { atLeast: 0.33 },
      },
    ]
  } finally {
    await mongoose.disconnect()
  }
}

const accountOf = (number: number, accounts: number): number => (accounts === 1 ? 0 : 1 + (number % accounts))

const postings = (store: Store) => {
  let last = 0
  return (accounts: number): Work =>
    inFlight(LANES, async (number) => {
      last += 1
      const outcome = await store.commit(posting(accountOf(number, accounts), last))
      if (!outcome.ok) throw new Error(`a posting was answered ${JSON.stringify(outcome)}`)
    })
}

/** As its own page shows it, without the lock and the sum that a running balance would take. */
const mediciPostings = () => {
  const ledger = new Book('main')
  const cents = 100
  return (accounts: number): Work =>
    inFlight(LANES, (number) =>
      mongoTransaction(async (session) => {
        const entry = ledger.entry('payment').debit('clearing', cents)
        await entry.credit(`main:${accountOf(number, accounts)}`, cents).commit({ session })
      }),
    )
}

import { writeSync } from 'node:fs'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { type Change, insert } from '../../../core/kernel/records/record.ts'
import { posting } from '../../contracts/store/commits.ts'
import { account, accounts, claim, claims, thing, thingCollections, things } from '../../fixtures/things.ts'

/** One commit over four tables, two keys and three tallies. */
export const work = (number: number): readonly Change[] => [
  ...posting('a', number, (number % 7) + 1),
  insert(claims, claim(`c${number}`)),
  insert(things, thing(number, { document: `d${number}`, status: 'open', valueCents: number })),
]

const LANES = 16

/** Prints synchronously, so that a killed process has printed whole lines, and waits while the pipe is full. */
const print = (line: string): void => {
  for (;;)
    try {
      writeSync(1, line)
      return
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    }
}

/** Runs in its own process: `writer.ts path first last` commits these numbers and prints each acknowledged one. */
const main = async ([path = '', first = '', last = '']: readonly string[]): Promise<void> => {
  const store = await sqliteStore(path, thingCollections)
  // Only the first process creates the account.
  await store.commit([insert(accounts, account('a'))])
  let next = Number(first)
  const lane = async (): Promise<void> => {
    while (next <= Number(last)) {
      const number = next
      next += 1
      const outcome = await store.commit(work(number))
      if (!outcome.ok) throw new Error(`${number} was not committed`)
      print(`${number}\n`)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  await store.close()
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2))

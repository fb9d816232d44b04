import { setClock } from '../../../adapters/clock/set-clock.ts'
import { memoryPorts } from '../../../adapters/memory/memory-ports.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { isLeft } from '../../../core/fp.ts'
import { type Payments, payments, paymentsCollections } from '../../../core/payments/payments.ts'
import { median } from '../rates.ts'
import type { Figure } from '../table.ts'
import { BESIDE, FEW, GROWING, historyOf, MANY, NOW } from './history.ts'
import { type Question, questions } from './questions.ts'

const actorOf = (accountId: number) => ({ userId: 1, accountId, roleId: 1, permissions: [] })

/** A page of some account, asked of the facade as an app would: from checking what is asked to the records. */
const askOf =
  (pay: Payments, accountId: number, { asks }: Question, count: number) =>
  async (): Promise<void> => {
    const actor = actorOf(accountId)
    const page =
      'charges' in asks
        ? await pay.charges.list(actor, asks.charges(count))()
        : await pay.statements.listTransactions(actor, asks.lines(count))()
    if (isLeft(page)) throw new Error(JSON.stringify(page.left))
  }

const TIMES = 15
/** What takes long is not asked as often. */
const LONGEST_MS = 3_000

/** How long it takes: the median of several times, in milliseconds, after some that do not count. */
const tookMs = async (ask: () => Promise<void>, times = TIMES): Promise<number> => {
  for (let time = 0; time < 3; time += 1) await ask()
  const taken: number[] = []
  const begun = performance.now()
  while (taken.length < times && performance.now() - begun < LONGEST_MS) {
    const start = performance.now()
    await ask()
    taken.push(performance.now() - start)
  }
  return median(taken)
}

/** The lists of an account, on SQLite: with a million charges behind it and with a thousand. */
export const listFigures = async (): Promise<readonly Figure[]> => {
  const [few, many] = [await opened(FEW), await opened(MANY)]
  const figures: Figure[] = []
  for (const question of questions) {
    const [floor, ours] = [
      await tookMs(askOf(few.pay, GROWING, question, FEW)),
      await tookMs(askOf(many.pay, GROWING, question, MANY)),
    ]
    figures.push({ name: question.name, unit: 'ms', ours, floor, of: 'the same of 1,000', aim: question.aim })
  }
  const beside = await besideFigures(many.pay)
  await few.close()
  await many.close()
  return [...figures, ...beside]
}

const opened = async (count: number) => {
  const store = await sqliteStore(await historyOf(count), paymentsCollections)
  return { pay: payments(memoryPorts({ store, clock: setClock(NOW) })), close: () => store.close() }
}

const WORST: Question = { name: '', aim: null, asks: { charges: () => ({ search: 'joaquina' }) } }
/** So many of it does one account ask at once. */
const AT_ONCE = 4

const besideOf: readonly Question[] = [
  { name: 'a page', aim: { atMost: 3 }, asks: { charges: () => ({}) } },
  { name: 'a page that walks', aim: { atMost: 3 }, asks: { charges: () => ({ search: 'maria da silva 77' }) } },
]

/** Pages of another account of the same store while one asks its worst. */
const besideFigures = async (pay: Payments): Promise<readonly Figure[]> => {
  const figures: Figure[] = []
  for (const question of besideOf) {
    const ask = askOf(pay, BESIDE, question, FEW)
    const floor = await tookMs(ask)
    let isOver = false
    const worst = askOf(pay, GROWING, WORST, MANY)
    const lane = async (): Promise<void> => {
      while (!isOver) await worst()
    }
    const lanes = Array.from({ length: AT_ONCE }, lane)
    const ours = await tookMs(ask)
    isOver = true
    await Promise.all(lanes)
    figures.push({
      name: `${question.name} of another account, while one asks its worst`,
      unit: 'ms',
      ours,
      floor,
      of: 'the same alone',
      aim: question.aim,
    })
  }
  return figures
}

import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { isLeft } from '../../../core/failure.ts'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import type { ChargeFilter } from '../../../core/payments/charges/queries/list.ts'
import { type Payments, paymentsCollections } from '../../../core/payments/payments.ts'
import { openPayments } from '../../core/payments/world.ts'
import { tookMs } from '../rates.ts'
import type { Figure } from '../table.ts'
import { moneyOutQuestions, periodQuestions, sameQuestions } from './facade-questions.ts'
import { BESIDE, FEW, FEW_LINES, GROWING, historyOf, MANY } from './history.ts'
import { type Question, questions, statementQuestions } from './questions.ts'

const actorOf = (accountId: number) => ({ userId: 1, accountId, roleId: 1, permissions: [] as const })

/** Sends a request to the facade as an app does, input validation included. */
const askOf =
  (pay: Payments, accountId: number, { asks }: Pick<Question, 'asks'>, count: number) =>
  async (): Promise<void> => {
    const page = await asks(pay, actorOf(accountId), count)
    if (isLeft(page)) throw new Error(JSON.stringify(page.left))
  }

/**
 * Measures the lists and statements of an account on SQLite: with a million charges and entries, and with a thousand
 * charges or ten thousand entries, of which every day has some.
 */
export const listFigures = async (): Promise<readonly Figure[]> => {
  const many = await opened(MANY)
  const figures = [...(await figuresOf(many, questions, FEW)), ...(await figuresOf(many, ofLines, FEW_LINES))]
  const beside = await besideFigures(many.pay)
  await many.close()
  return [...figures, ...beside]
}

const ofLines = [...statementQuestions, ...periodQuestions, ...moneyOutQuestions, ...sameQuestions]

/** Each request reads the file, not the cache of the store. */
const figuresOf = async (many: Opened, asked: readonly Question[], count: number): Promise<readonly Figure[]> => {
  const few = await opened(count)
  const of = `the same of ${count.toLocaleString('en')}`
  const figures: Figure[] = []
  for (const question of asked) {
    const [floor, ours] = [
      await tookMs(askOf(few.pay, GROWING, question, count), few.forget),
      await tookMs(askOf(many.pay, GROWING, question, MANY), many.forget),
    ]
    figures.push({ name: question.name, unit: 'ms', ours, floor, of, aim: question.aim })
  }
  await few.close()
  return figures
}

const opened = async (count: number) => {
  const file = await historyOf(count)
  const store = await sqliteStore(file, paymentsCollections)
  const another = await sqliteStore(file, paymentsCollections)
  let commits = 0
  /** A commit of another process invalidates every cached answer. */
  const forget = async (): Promise<void> => {
    commits += 1
    await another.commit([patch(accounts, BESIDE, { set: { name: `Beside ${commits}` }, when: always })])
  }
  const close = () => Promise.all([store.close(), another.close()])
  return { pay: openPayments({ store }).pay, forget, close }
}

type Opened = Awaited<ReturnType<typeof opened>>

const pageOf = (filter: ChargeFilter): Pick<Question, 'asks'> => ({
  asks: (pay, actor) => pay.charges.list(actor, filter)(),
})
const AT_ONCE = 4

/** Measures pages of another account while one account sends its slowest requests. */
const besideFigures = async (pay: Payments): Promise<readonly Figure[]> => {
  const figures: Figure[] = []
  for (const [name, filter] of [
    ['a page', {}],
    ['a page that walks', { search: 'maria da silva 77' }],
  ] as const) {
    const ask = askOf(pay, BESIDE, pageOf(filter), FEW)
    const floor = await tookMs(ask)
    let isOver = false
    const worst = askOf(pay, GROWING, pageOf({ search: 'joaquina' }), MANY)
    const lane = async (): Promise<void> => {
      while (!isOver) await worst()
    }
    const lanes = Array.from({ length: AT_ONCE }, lane)
    const ours = await tookMs(ask)
    isOver = true
    await Promise.all(lanes)
    const beside = `${name} of another account, beside slow requests`
    figures.push({ name: beside, unit: 'ms', ours, floor, of: 'the same alone', aim: { atMost: 3 } })
  }
  return figures
}

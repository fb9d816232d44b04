import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { isLeft } from '../../../core/failure.ts'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
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
  (pay: Payments, accountId: number, { asks }: Question, count: number) =>
  async (): Promise<void> => {
    const actor = actorOf(accountId)
    const page = await answerOf(pay, actor, asks, count)
    if (isLeft(page)) throw new Error(JSON.stringify(page.left))
  }

const answerOf = (pay: Payments, actor: ReturnType<typeof actorOf>, asks: Question['asks'], count: number) => {
  if ('charges' in asks) return pay.charges.list(actor, asks.charges(count))()
  if ('lines' in asks) return pay.statements.listTransactions(actor, asks.lines(count))()
  if ('facade' in asks) return asks.facade(pay, actor)
  return asks.statement(pay.statements, actor)
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

const WORST: Question = { name: '', aim: null, asks: { charges: () => ({ search: 'joaquina' }) } }
/** Concurrent requests of one account. */
const AT_ONCE = 4

const besideOf: readonly Question[] = [
  { name: 'a page', aim: { atMost: 3 }, asks: { charges: () => ({}) } },
  { name: 'a page that walks', aim: { atMost: 3 }, asks: { charges: () => ({ search: 'maria da silva 77' }) } },
]

/** Measures pages of another account while one account sends its slowest requests. */
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
      name: `${question.name} of another account, beside slow requests`,
      unit: 'ms',
      ours,
      floor,
      of: 'the same alone',
      aim: question.aim,
    })
  }
  return figures
}

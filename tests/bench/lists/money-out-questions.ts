import type { Question } from './questions.ts'

type Asks = Extract<Question['asks'], { readonly facade: unknown }>['facade']

const ALIKE: Question['aim'] = { atMost: 1.5, orMoreByMs: 5 }
/** What walks is linear: 50 ms for each 100,000. */
const SEARCHED: Question['aim'] = { underMs: 500 }

const asked = (name: string, facade: Asks, aim: Question['aim'] = ALIKE): Question => ({ name, aim, asks: { facade } })

/** What has left an account and whom it reached: a tenth as many as there are lines. */
export const moneyOutQuestions: readonly Question[] = [
  asked('withdrawals', (pay, actor) => pay.withdrawals.list(actor, {})()),
  asked('withdrawals: a page far in', (pay, actor) => pay.withdrawals.list(actor, { page: 40 })()),
  asked('withdrawals: search', (pay, actor) => pay.withdrawals.list(actor, { search: 'silva 999' })(), SEARCHED),
  asked('paid parties', (pay, actor) => pay.withdrawals.listPaidParties(actor, {})()),
  asked('paid parties: search', (pay, actor) => pay.withdrawals.listPaidParties(actor, { search: '999' })(), SEARCHED),
  asked('frequent recipients', (pay, actor) => pay.withdrawals.frequentRecipients(actor, {})()),
  asked(
    'frequent recipients: search',
    (pay, actor) => pay.withdrawals.frequentRecipients(actor, { search: 'silva 999' })(),
    SEARCHED,
  ),
]

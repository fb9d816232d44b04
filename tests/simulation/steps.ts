import { payByLink } from './actors/cards.ts'
import type { Act } from './actors/cast.ts'
import { changeCharge, deleteCharge } from './actors/changes.ts'
import { orderByKey, repeatOrder } from './actors/keyed.ts'
import { openByKey, repeatOpening } from './actors/keyed-openings.ts'
import { issueCard, issueCharge, listCharges, readStatement } from './actors/merchants.ts'
import { refund, transfer, withdraw, withdrawSales } from './actors/money-out.ts'
import { changeWeather, jump, jumpInRequest, kill, setAhead, setTerms, stop } from './actors/operators.ts'
import { cancel, pay, payTwice, tellNonsense } from './actors/payers.ts'
import { findMerchants, logIn, logOut, openAccount, register } from './actors/people.ts'

interface Step {
  readonly weight: number
  readonly name: string
  readonly act: Act
}

/** What may come next, and how often it does. */
export const STEPS: readonly Step[] = [
  { weight: 4, name: 'register', act: register },
  { weight: 4, name: 'log in', act: logIn },
  { weight: 1, name: 'log out', act: logOut },
  { weight: 5, name: 'open an account', act: openAccount },
  { weight: 3, name: 'find merchants', act: findMerchants },
  { weight: 16, name: 'issue', act: issueCharge },
  { weight: 6, name: 'issue by card', act: issueCard },
  { weight: 4, name: 'pay by link', act: payByLink },
  { weight: 10, name: 'order by key', act: orderByKey },
  { weight: 12, name: 'repeat an order', act: repeatOrder },
  { weight: 3, name: 'open by key', act: openByKey },
  { weight: 4, name: 'repeat an opening', act: repeatOpening },
  { weight: 5, name: 'delete a charge', act: deleteCharge },
  { weight: 8, name: 'change a charge', act: changeCharge },
  { weight: 24, name: 'pay', act: pay },
  { weight: 5, name: 'pay twice', act: payTwice },
  { weight: 4, name: 'cancel', act: cancel },
  { weight: 4, name: 'tell nonsense', act: tellNonsense },
  { weight: 12, name: 'withdraw', act: withdraw },
  { weight: 10, name: 'transfer', act: transfer },
  { weight: 6, name: 'refund', act: refund },
  { weight: 6, name: 'withdraw sales', act: withdrawSales },
  { weight: 3, name: 'list charges', act: listCharges },
  { weight: 2, name: 'read a statement', act: readStatement },
  { weight: 2, name: 'set terms', act: setTerms },
  { weight: 4, name: 'weather', act: changeWeather },
  { weight: 2, name: 'kill', act: kill },
  { weight: 1, name: 'stop', act: stop },
  { weight: 4, name: 'jump', act: jump },
  { weight: 3, name: 'jump in a request', act: jumpInRequest },
  { weight: 5, name: 'set a clock ahead', act: setAhead },
]

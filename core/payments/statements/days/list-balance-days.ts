import { readUseCase } from '../../../kernel/running/use-case.ts'
import { addDays, type Day, dayOf } from '../../../kernel/values/day.ts'
import { byId } from '../../../ports/store.ts'
import { accounts } from '../../accounts/account.ts'
import { type AccountDetail, accountDetail } from '../../accounts/account-view.ts'
import type { Actor } from '../../actor.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type DayBalances, dayAsks, dayBalancesOf } from './day-balances.ts'
import { type Lines, linesAt } from './lines-of-days.ts'
import type { Places } from './span.ts'

/** Today is one of them. Source: decisions.md §4. */
const BALANCE_DAYS = 30

/** A day with the balance at its end, in cents, and its lines, the oldest first. */
export interface BalanceDay {
  readonly day: Day
  readonly balanceCents: number
  readonly transactions: Lines
}

export interface AccountDays extends AccountDetail {
  readonly days: readonly BalanceDay[]
}

/**
 * The account with the balances and lines of each of its last 30 days. Fails: `account.unknown`.
 * Source: 02-billing.md, Statements and reports; decisions.md §4, §11.
 */
export const listBalanceDays =
  (ports: PaymentsPorts) =>
  ({ accountId, permissions }: Pick<Actor, 'accountId' | 'permissions'>) =>
    readUseCase('account.unknown', async (): Promise<AccountDays | null> => {
      const { store } = ports
      const to = dayOf(ports.clock.steady())
      const from = addDays(to, 1 - BALANCE_DAYS)
      const { account, ...answers } = await store.read({
        ...dayAsks(accountId, { from, to }),
        account: byId(accounts, accountId),
      })
      if (account === null || account.removedAt !== null) return null
      const days = everyDay(from, dayBalancesOf(answers)).map(({ places, ...day }) => ({
        ...day,
        transactions: linesAt(store, accountId, places),
      }))
      return { ...accountDetail(ports, account, permissions), days }
    })

interface EmptyDay {
  readonly day: Day
  readonly balanceCents: number
  readonly places: Places
}

/** A day on which nothing was posted ends as the one before it did. */
const everyDay = (from: Day, { openingCents, places, days }: DayBalances): readonly EmptyDay[] => {
  const moved = new Map(days.map((day) => [day.period, day]))
  let [balanceCents, until] = [openingCents, places.after]
  return Array.from({ length: BALANCE_DAYS }, (_, at) => {
    const day = addDays(from, at)
    const after = until
    const known = moved.get(day)
    balanceCents = known?.closingCents ?? balanceCents
    until = known?.places.until ?? until
    return { day, balanceCents, places: { after, until } }
  })
}

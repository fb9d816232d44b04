import { right } from '../../fp.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { UseCase } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { ledgerAccountId, ledgerAccounts } from '../ledger/ledger-account.ts'
import type { PaymentsPorts } from '../payments-ports.ts'

/** What an account has at this instant. */
export interface Balance {
  readonly balanceCents: number
}

/** The account's balance in cents: the sum of its confirmed entries. Source: decisions.md §4; never cached. */
export const readBalance =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>): UseCase<Balance, never> =>
  async () => {
    const book = await ports.store.find(byId(ledgerAccounts, ledgerAccountId(accountId, 'main')))
    return right({ balanceCents: book?.balanceCents ?? 0 })
  }

/** Source: 02-billing.md, Statements and reports. */
export const balanceView = view(
  'Balance',
  { balanceCents: output.money({ wire: 'balance', about: 'Saldo' }) },
  (balance: Balance) => balance,
)

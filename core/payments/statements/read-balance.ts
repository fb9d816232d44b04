import { right } from '../../fp.ts'
import type { UseCase } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { ledgerAccountId, ledgerAccounts } from '../ledger/ledger-account.ts'
import type { PaymentsPorts } from '../payments-ports.ts'

/** The account's balance in cents: the sum of its confirmed entries. Source: decisions.md §4; never cached. */
export const readBalance =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>): UseCase<{ readonly balanceCents: number }, never> =>
  async () => {
    const book = await ports.store.find(byId(ledgerAccounts, ledgerAccountId(accountId, 'main')))
    return right({ balanceCents: book?.balanceCents ?? 0 })
  }

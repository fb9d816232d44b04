import { withValidInput } from '../../../kernel/running/use-case.ts'
import { byId, type Store } from '../../../ports/store.ts'
import { accounts } from '../../accounts/account.ts'
import type { Actor } from '../../actor.ts'
import { mayStartOperation } from '../../bank/run-operation.ts'
import { ledgerAccountId, ledgerAccounts } from '../../ledger/ledger.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { findCharge } from '../find-charge.ts'
import { type ChargeChange, chargeChange } from './charge-change.ts'
import { decideUpdate, type UpdateFacts } from './decide-update.ts'
import { replaceTitle, sendReplacement } from './replace-title.ts'

/**
 * Changes a pending charge. One whose title says something else afterwards gets another: the charge is as it was until the
 * bank has made the new title and closed the old one.
 * Fails: `fields`, `charge.unknown` (another account's too), `charge.not-pending`, `charge.busy` (the bank is still being asked of it),
 * `bank.unsupported`, `bank.refused` and `bank.unavailable` (nothing changed). Source: decisions.md §9, Charges.
 */
export const updateCharge =
  (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId'>, chargeId: number, given: ChargeChange) =>
    withValidInput(ports, chargeChange, given, (asked) =>
      mayStartOperation(
        ports,
        (store) => readUpdate(ports, store, actor, chargeId),
        (facts, fresh) => decideUpdate(ports, facts, asked, fresh),
        (begun) => replaceTitle(ports).first(begun, sendReplacement(ports)),
        replaceTitle(ports).again,
      ),
    )

const readUpdate = async (
  ports: PaymentsPorts,
  store: Store,
  { accountId }: Pick<Actor, 'accountId'>,
  chargeId: number,
): Promise<UpdateFacts | null> => {
  const detail = await findCharge(ports, { id: chargeId })
  if (detail?.charge.accountId !== accountId) return null
  const { account, book } = await store.read({
    account: byId(accounts, accountId),
    book: byId(ledgerAccounts, ledgerAccountId(accountId, 'main')),
  })
  return account && { detail, account, book }
}

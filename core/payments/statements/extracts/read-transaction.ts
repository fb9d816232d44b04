import { readUseCase } from '../../../kernel/running/use-case.ts'
import { parseId } from '../../../kernel/values/text.ts'
import { byId } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { entries } from '../../ledger/entry.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'

/**
 * One of the account's entries, by its id.
 * Fails: `transaction.unknown`, for another account's too. Source: 02-billing.md, Statements.
 */
export const readTransaction =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, transactionId: string) =>
    readUseCase('transaction.unknown', async () => {
      const id = parseId(transactionId)
      const found = id === null ? null : await store.find(byId(entries, id))
      return found?.accountId === accountId ? found : null
    })

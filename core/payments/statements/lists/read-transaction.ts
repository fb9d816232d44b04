import { readUseCase } from '../../../kernel/running/use-case.ts'
import { byId } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { entries } from '../../ledger/entry.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'

/** A line of the account's own statement. Fails: `transaction.unknown`. Source: 02-billing.md, Statements and reports. */
export const readTransaction =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, id: number) =>
    readUseCase('transaction.unknown', async () => {
      const entry = await store.find(byId(entries, id))
      return entry?.accountId === accountId ? entry : null
    })

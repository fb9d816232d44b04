import { decided, type UseCase, useCase } from '../../kernel/running/use-case.ts'
import type { Store } from '../../ports/store.ts'
import type { Person } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type AccountDetail, accountDetail } from './account-view.ts'
import { everySeat } from './links.ts'

/** Every account that somebody works in, the newest link first. */
export const ownAccounts = async (
  ports: Pick<PaymentsPorts, 'cipher' | 'settings'>,
  store: Store,
  userId: number,
): Promise<readonly AccountDetail[]> => {
  const own: AccountDetail[] = []
  for await (const { account, link } of everySeat(store, userId)) own.push(accountDetail(ports, account, link.roleId))
  return own
}

/** Every account that the caller works in, the newest link first. Source: 01-access.md, GET /access/accounts. */
export const listOwnAccounts =
  (ports: PaymentsPorts) =>
  ({ userId }: Pick<Person, 'userId'>): UseCase<readonly AccountDetail[]> =>
    useCase(
      ports,
      (store) => ownAccounts(ports, store, userId),
      (own) => decided(own),
    )

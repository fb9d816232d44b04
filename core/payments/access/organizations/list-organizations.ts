import { right } from '../../../fp.ts'
import { type Paging, paging } from '../../../kernel/input/query.ts'
import { useCaseOf, withValidInput } from '../../../kernel/running/use-case.ts'
import type { Listing } from '../../../kernel/values/page.ts'
import { offsetOf } from '../../../kernel/values/page.ts'
import { type ShownAccount, shownAccount } from '../../accounts/account.ts'
import { openAccountMemberships } from '../../members/membership.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import type { Caller } from '../sessions/authenticate.ts'

/**
 * The organizations that the caller belongs to, the newest membership first: a page, or all of them.
 * Fails: `fields`. Source: 01-access.md, GET /v1/organizations.
 */
export const listOrganizations =
  (ports: PaymentsPorts) => (caller: Pick<Caller, 'userId' | 'boundTo' | 'memberships'>, given: Paging | null) =>
    withValidInput(ports, paging, given ?? {}, (page) =>
      useCaseOf<Listing<ShownAccount>>()(async () => {
        const all = organizations(ports, caller)
        if (given === null) return right({ all })
        // Which of them were removed only the accounts tell, and nobody belongs to more than a few.
        const records: ShownAccount[] = []
        for await (const organization of all) records.push(organization)
        const start = offsetOf(page)
        return right({ ...page, records: records.slice(start, start + page.perPage), total: records.length })
      }),
    )

async function* organizations(
  { store }: PaymentsPorts,
  caller: Pick<Caller, 'userId' | 'boundTo' | 'memberships'>,
): AsyncIterable<ShownAccount> {
  for await (const { account } of openAccountMemberships(store, caller, caller.memberships)) yield shownAccount(account)
}

import { failure } from '../../../failure.ts'
import { isLeft, left } from '../../../fp.ts'
import { allOptional, type DecodedOf, type InputOf, input } from '../../../kernel/input/input.ts'
import { pick } from '../../../kernel/input/table.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, useCase, useCaseOf, withValidInput } from '../../../kernel/running/use-case.ts'
import { byId } from '../../../ports/store.ts'
import { type Account, accountFields, accounts, type ShownAccount, shownAccount } from '../../accounts/account.ts'
import { accountLine, changeAccount } from '../../accounts/change-account.ts'
import type { Actor } from '../../actor.ts'
import { type Claim, claimId, claims } from '../../claim.ts'
import type { By } from '../../office.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'

/** What of an organization may change; what is left out stays. The e-mail alone may be cleared. */
export const organizationChangeFields = allOptional(pick(accountFields, 'name', 'email', 'document', 'status'))

export const organizationChange = input('OrganizationChange', organizationChangeFields)

export type OrganizationChange = InputOf<typeof organizationChange>

interface Facts {
  readonly account: Account | null
  /** Who has the new document. */
  readonly claim: Claim | null
}

type Acting = Pick<Actor, 'accountId' | 'userId' | 'origin'>

const UNKNOWN = failure('not-found', 'organization.unknown')

/**
 * Changes an organization: name, e-mail and document are its account's too, and any status may follow any other.
 * Fails: `organization.unknown`, `fields` (`document.taken`). Source: 01-access.md, PUT /v1/organizations/{id};
 * decisions.md §1, Organization status.
 */
export const updateOrganization = (ports: PaymentsPorts) => {
  const line = accountLine(ports.store)
  return (actor: Acting, given: OrganizationChange) =>
    withValidInput(ports, organizationChange, given, (change) => {
      const update = useCase(
        ports,
        async (store): Promise<Facts> => ({
          account: await store.find(byId(accounts, actor.accountId)),
          claim: change.document ? await store.find(byId(claims, claimId('document', change.document))) : null,
        }),
        (facts, fresh) => decideUpdate(facts, actor, change, fresh),
      )
      return useCaseOf<ShownAccount>()((hooks) => line(actor.accountId)(() => update(hooks)))
    })
}

export const decideUpdate = (
  { account, claim }: Facts,
  actor: By,
  change: DecodedOf<typeof organizationChange>,
  fresh: Fresh,
) => {
  if (!account || account.removedAt !== null) return left(UNKNOWN)
  const about = { claim, by: actor, action: 'account.updated' } as const
  const changed = changeAccount(account, change, about, fresh)
  return isLeft(changed) ? changed : accept(shownAccount(changed.right.account), ...changed.right.changes)
}

import { failure } from '../../../failure.ts'
import { isLeft, left } from '../../../fp.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { decided, useCase, useCaseOf } from '../../../kernel/running/use-case.ts'
import { byId } from '../../../ports/store.ts'
import { type Account, accounts, type OrganizationStatus } from '../../accounts/account.ts'
import { accountLine } from '../../accounts/settings/account-line.ts'
import { changeAccount } from '../../accounts/settings/change-account.ts'
import type { Actor } from '../../actor.ts'
import type { By } from '../../audit/audited.ts'
import { type Claim, claimId, claims } from '../../claim.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'

/** What of an organization is to change; what is left out stays. */
export interface OrganizationChange {
  readonly name?: string | undefined
  readonly email?: string | null | undefined
  /** Letters and digits, with right check digits. */
  readonly document?: string | undefined
  readonly status?: OrganizationStatus | undefined
}

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
  return (actor: Acting, input: OrganizationChange) => {
    const update = useCase(
      ports,
      async (store): Promise<Facts> => ({
        account: await store.find(byId(accounts, actor.accountId)),
        claim: input.document ? await store.find(byId(claims, claimId('document', input.document))) : null,
      }),
      (facts, fresh) => decideUpdate(facts, actor, input, fresh),
    )
    return useCaseOf<Account>()((hooks) => line(actor.accountId)(() => update(hooks)))
  }
}

export const decideUpdate = (
  { account, claim }: Facts,
  actor: By,
  { name, email, document, status }: OrganizationChange,
  fresh: Fresh,
) => {
  if (!account || account.removedAt !== null) return left(UNKNOWN)
  const about = { claim, by: actor, action: 'account.updated' } as const
  const changed = changeAccount(account, { name, email, document, status }, about, fresh)
  return isLeft(changed) ? changed : decided(changed.right.account, ...changed.right.changes)
}

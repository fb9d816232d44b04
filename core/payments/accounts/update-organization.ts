import { left } from '../../fp.ts'
import { type Change, patch } from '../../kernel/change.ts'
import { type Failure, failure, invalid, issue } from '../../kernel/failure.ts'
import type { Fresh } from '../../kernel/fresh.ts'
import { type Decided, decided, type UseCase, useCase } from '../../kernel/use-case.ts'
import { all, eq } from '../../kernel/where.ts'
import { byId } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { type Claim, claimId, claims, release, stake } from '../claim.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Account, accounts, type OrganizationStatus } from './account.ts'

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

const UNKNOWN: Failure = failure('not-found', 'organization.unknown')

/**
 * Changes an organization: name, e-mail and document are its account's too, and any status may follow any other.
 * Fails: `organization.unknown`, `fields` (`document.taken`). Source: 01-access.md, PUT /v1/organizations/{id};
 * decisions.md §1, Organization status.
 */
export const updateOrganization =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, input: OrganizationChange): UseCase<Account> =>
    useCase(
      ports,
      async (store): Promise<Facts> => ({
        account: await store.find(byId(accounts, accountId)),
        claim: input.document ? await store.find(byId(claims, claimId('document', input.document))) : null,
      }),
      (facts, fresh) => decideUpdate(facts, input, fresh),
    )

export const decideUpdate = (
  { account, claim }: Facts,
  { name, email, document, status }: OrganizationChange,
  { now }: Fresh,
): Decided<Account> => {
  if (!account || account.removedAt !== null) return left(UNKNOWN)
  if (claim && claim.holder !== account.id) return left(invalid([issue('document', 'document.taken')]))
  const sent = { name, email, document, status }
  const fields: Partial<Account> = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
  if (Object.keys(fields).length === 0) return decided(account)
  const set = { ...fields, updatedAt: now }
  const when = all(eq<keyof Account & string>('removedAt', null), eq('document', account.document))
  return decided(
    { ...account, ...set },
    patch(accounts, account.id, { set, when }),
    ...movedDocument(account, document ?? account.document),
  )
}

/** A new document is claimed, and the old one is free. */
const movedDocument = ({ id, document: old }: Account, document: string): readonly Change[] =>
  document === old ? [] : [release('document', old), stake('document', document, id, id)]

/**
 * Removes an organization for good: it is in no list and answers 404. Nothing of it is erased, and its document stays
 * taken. Fails: `organization.unknown`. Source: 01-access.md, DELETE /v1/organizations/{id}; decisions.md §1.
 */
export const removeOrganization =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>): UseCase<null> =>
    useCase(
      ports,
      (store) => store.find(byId(accounts, accountId)),
      (account, { now }) => {
        if (!account || account.removedAt !== null) return left(UNKNOWN)
        const set = { status: 'DELETED', removedAt: now, updatedAt: now } as const
        return decided(null, patch(accounts, account.id, { set, when: eq('removedAt', null) }))
      },
    )

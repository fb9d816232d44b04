import { invalid, issue } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { type Checked, type GivenFor, input } from '../../../kernel/input/input.ts'
import { pick } from '../../../kernel/input/table.ts'
import { insert, patch } from '../../../kernel/records/change.ts'
import { all, eq, lte } from '../../../kernel/records/where.ts'
import { checked } from '../../../kernel/running/checked.ts'
import type { Fresh } from '../../../kernel/running/fresh/fresh.ts'
import { decided, operationUseCase, startOperation } from '../../../kernel/running/use-case.ts'
import { plusSeconds } from '../../../kernel/values/day.ts'
import { byId, type Store } from '../../../ports/store.ts'
import { accountFields } from '../../accounts/account-fields.ts'
import type { Person } from '../../actor.ts'
import { type Claim, claimId, claims, reserveUnique } from '../../claim.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { OPENING_LEASE_SECONDS, type Opening, openings } from './opening.ts'
import { resumeOpening } from './resume-opening.ts'

/** An organization to be. Source: 01-access.md, POST /v1/organizations. */
export const newOrganization = input('NewOrganization', pick(accountFields, 'name', 'email', 'document'))

export type NewOrganization = GivenFor<typeof newOrganization>

interface Facts {
  readonly claim: Claim | null
  /** What holds the document, while it is no account yet. */
  readonly opening: Opening | null
}

/**
 * Opens a payment account at the bank with its organization, INACTIVE, whose first ADMIN is who asked.
 * Fails: `fields` (`document.taken`), `opening.unknown`, `bank.refused`, `bank.unavailable` (the bank is asked again, by whoever is first:
 * the worker, or the same person with the same document).
 * Source: 01-access.md, POST /v1/organizations; decisions.md §1.
 */
export const openAccount = (ports: PaymentsPorts) => (by: Pick<Person, 'userId' | 'origin'>, given: NewOrganization) =>
  checked(ports, newOrganization, given, (organization) =>
    operationUseCase(
      startOperation(
        ports,
        (store) => readFacts(store, organization.document),
        (facts, fresh) => decideOpening(facts, by, organization, fresh),
      ),
      resumeOpening(ports),
    ),
  )

const readFacts = async (store: Store, document: string): Promise<Facts> => {
  const claim = await store.find(byId(claims, claimId('document', document)))
  const holder = claim?.holder
  return { claim, opening: typeof holder === 'string' ? await store.find(byId(openings, holder)) : null }
}

/** What the bank is to be asked for, its document held meanwhile; value: the opening's id. */
export const decideOpening = (
  { claim, opening }: Facts,
  { userId, origin = null }: Pick<Person, 'userId' | 'origin'>,
  { name, email, document }: Checked<typeof newOrganization>,
  fresh: Fresh,
) => {
  const { now } = fresh
  const dueAt = plusSeconds(now, OPENING_LEASE_SECONDS)
  if (opening && mayTakeUp(opening, userId, now)) {
    const when = all(eq('state', 'asking'), lte('dueAt', now))
    return decided(opening.id, patch(openings, opening.id, { set: { name, email, dueAt }, add: { attempts: 1 }, when }))
  }
  if (claim) return left(invalid([issue('document', 'document.taken')]))
  const asking: Opening = {
    id: fresh.uuid(),
    userId,
    name,
    email,
    document,
    address: origin?.address ?? null,
    device: origin?.device ?? null,
    state: 'asking',
    reason: null,
    dueAt,
    attempts: 0,
    createdAt: now,
  }
  return decided(asking.id, insert(openings, asking), reserveUnique('document', document, asking.id, null))
}

// Whoever was told that the bank cannot be reached comes again, and finds their own opening in the way.
const mayTakeUp = ({ userId, state, dueAt }: Opening, callerId: number, now: string): boolean =>
  userId === callerId && state === 'asking' && dueAt !== null && dueAt <= now

import { invalid, issue, throttled } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../../kernel/input/input.ts'
import { pick } from '../../../kernel/input/table.ts'
import { insert, patch } from '../../../kernel/records/change.ts'
import { eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, operationUseCase, startOperation, withValidInput } from '../../../kernel/running/use-case.ts'
import { addSeconds, secondsBetween } from '../../../kernel/values/day.ts'
import { byId, byKey, type Store } from '../../../ports/store.ts'
import { type CodeTries, codeTryCounts, countTry, isReached } from '../../access/codes/code-tries.ts'
import { accounts } from '../../accounts/account.ts'
import { accountFields } from '../../accounts/account-fields.ts'
import type { Person } from '../../actor.ts'
import { bankOperations, newOperation, type Operation, subjectOf } from '../../bank/operation.ts'
import type { Claim } from '../../claim.ts'
import { memberKey, memberships } from '../../members/membership.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { ADMIN } from '../../role.ts'
import { claimDocument, FOUNDINGS, foundingsId, type Held, isTaken, readHeldDocument } from '../founding.ts'
import { ACCOUNT_CALLS, type AccountOrder, OPEN_ACCOUNT, sendAccount } from './account-order.ts'
import { earlierOpening } from './earlier-opening.ts'
import { holdOnly, isGiven, NO_ACCOUNT, onlyAccount } from './only-account.ts'
import { type Opening, openings } from './opening.ts'
import { accountOpenings, resumeOpening } from './resume-opening.ts'

/** An organization to be. Source: 01-access.md, POST /v1/organizations. */
export const newOrganization = input('NewOrganization', pick(accountFields, 'name', 'email', 'document'))

export type NewOrganization = InputOf<typeof newOrganization>

interface Facts {
  readonly document: Held | null
  /** The count of organizations that the person founded in the last day. */
  readonly foundings: CodeTries | null
  /** Who has the bank's one account, where it opens none. */
  readonly only: Claim | null
  /** What holds the document: what is being opened, or was by whoever asks. */
  readonly held: { readonly id: string; readonly opening: Opening | null; readonly operation: Operation | null } | null
}

/**
 * Opens a payment account at the bank with its organization, INACTIVE, whose first ADMIN is who asked.
 * Fails: `bank.unsupported` (the bank has one account, and it is taken), `fields` (`document.taken`), `organization.limit` (30 in
 * a day), `opening.unknown`, `bank.refused`, `bank.unavailable` (the worker asks the bank again, or the same person by the
 * same document or key).
 * Source: 01-access.md, POST /v1/organizations.
 */
export const openAccount = (ports: PaymentsPorts) => (by: Pick<Person, 'userId' | 'origin'>, given: NewOrganization) =>
  withValidInput(ports, newOrganization, given, (organization) =>
    operationUseCase(
      startOperation(
        ports,
        (store) => readFacts(store, organization.document, by.userId),
        (facts, fresh) => decideOpening(ports, facts, by, organization, fresh),
      ),
      ({ intent, order }) =>
        order ? accountOpenings(ports).first({ intent, order }, sendAccount(ports)) : resumeOpening(ports)(intent),
      resumeOpening(ports),
    ),
  )

const readFacts = async (store: Store, document: string, userId: number): Promise<Facts> => {
  const asks = { only: onlyAccount, foundings: byId(codeTryCounts, foundingsId(userId)) }
  const [{ only, foundings }, claimed] = await Promise.all([
    store.read(asks),
    readHeldDocument(store, document, userId),
  ])
  const claim = claimed?.claim ?? null
  const facts = { document: claimed, foundings, only }
  const id = claim && (typeof claim.holder === 'string' ? claim.holder : await ownAccount(store, claim.holder, userId))
  if (id === null) return { ...facts, held: null }
  const held = await store.read({ opening: byId(openings, id), operation: byId(bankOperations, id) })
  return { ...facts, held: { id, ...held } }
}

/** Our own id of an account, for its administrator alone. */
const ownAccount = async (store: Store, accountId: number, userId: number): Promise<string | null> => {
  const { account, membership } = await store.read({
    account: byId(accounts, accountId),
    membership: byKey(memberships, 'member', memberKey(accountId, userId)),
  })
  return account && membership?.roleId === ADMIN.id ? account.uuid : null
}

/** The time in which a request may be repeated after the bank was unreachable: as long as an idempotency key lives. */
const COMES_AGAIN_SECONDS = 86_400

/** Reports whether the person who requested the opening may not know its result. */
const isUnheard = ({ held }: Facts, userId: number, steady: string): boolean => {
  if (!held) return false
  const { opening, operation } = held
  if (opening) return opening.userId === userId && !(operation && isInFirstHands(operation, steady))
  // Ended by another request than the one that began it.
  const isEnded = operation?.kind === OPEN_ACCOUNT && operation.state === 'done' && operation.attempts > 0
  return isEnded && addSeconds(operation.createdAt, COMES_AGAIN_SECONDS) > steady
}

/** Reports whether the first request still works on it: a second one at the same time gets `document.taken`. */
const isInFirstHands = ({ attempts, dueAt, createdAt }: Operation, steady: string): boolean =>
  attempts === 0 &&
  dueAt !== null &&
  dueAt > steady &&
  addSeconds(dueAt, 0) === addSeconds(createdAt, ACCOUNT_CALLS.leaseSeconds)

/** The opening to be continued; with its order if it began just now. */
interface BegunOpening {
  readonly intent: string
  readonly order: AccountOrder | null
}

/**
 * What the bank is to be asked for, its document held meanwhile. Whoever was told that the bank cannot be reached comes again, and
 * finds their own opening: they carry it on, whoever else has taken it up, by the order that it was begun with.
 */
export const decideOpening = (
  { cipher, bank }: Pick<PaymentsPorts, 'cipher' | 'bank'>,
  facts: Facts,
  { userId, origin = null }: Pick<Person, 'userId' | 'origin'>,
  { name, email, document }: DecodedOf<typeof newOrganization>,
  fresh: Fresh,
) => {
  const { now } = fresh
  if (facts.held && isUnheard(facts, userId, fresh.steady)) {
    const { id: intent, opening } = facts.held
    const named = { set: { name, email }, when: eq<'document'>('document', document) }
    const changes = opening ? [...earlierOpening(opening), patch(openings, intent, named)] : []
    return accept<BegunOpening>({ intent, order: null }, ...changes)
  }
  if (isGiven(bank, facts.only)) return left(NO_ACCOUNT)
  if (isReached(facts.foundings, FOUNDINGS, fresh.steady)) {
    return left(throttled('organization.limit', secondsBetween(fresh.steady, facts.foundings.expiresAt)))
  }
  if (isTaken(facts.document, fresh)) return left(invalid([issue('document', 'document.taken')]))
  const id = fresh.uuid()
  const order: AccountOrder = { reference: id, name, document }
  const asked = { id, accountId: null, kind: OPEN_ACCOUNT, subject: subjectOf(openings, id), order }
  const dueAt = addSeconds(now, ACCOUNT_CALLS.leaseSeconds)
  const opened: Opening = {
    id,
    userId,
    name,
    email,
    document,
    address: origin?.address ?? null,
    device: origin?.device ?? null,
    operationId: id,
    createdAt: now,
  }
  return accept<BegunOpening>(
    { intent: id, order },
    insert(openings, opened),
    insert(bankOperations, newOperation(cipher, { ...asked, dueAt }, fresh)),
    ...claimDocument('document', document, id, facts.document, fresh),
    ...countTry(facts.foundings, foundingsId(userId), FOUNDINGS, fresh.steady),
    ...holdOnly(bank, id),
  )
}

import { failure, invalid, issue, left, refusal, right, throttled } from '../../failure.ts'
import { type DecodedOf, type InputOf, input, pick, storedTypes } from '../../kernel/input/mod.ts'
import {
  type Change,
  type Collection,
  eq,
  insert,
  orNull,
  patch,
  record,
  remove,
  t,
} from '../../kernel/records/record.ts'
import {
  accept,
  type Fresh,
  operationUseCase,
  startOperation,
  unavailable,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { addSeconds, secondsBetween } from '../../kernel/values/day.ts'
import type { OpenedAccount } from '../../ports/bank.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { type CodeTries, codeTryCounts, countTry, isLimitReached } from '../access/code-tries.ts'
import { type Account, accountFields, accounts, type ShownAccount, shownAccount } from '../accounts/account.ts'
import {
  type BankReply,
  bankOperations,
  beginOperation,
  type JoinedOperation,
  type Operation,
  type OperationResult,
  type StartedBankOperation,
  secondsToRetry,
  subjectOf,
  type Verdict,
} from '../bank/operation.ts'
import { operationsOf } from '../bank/run-operation.ts'
import { type Claim, releaseUnique } from '../claim.ts'
import { membershipOf } from '../members/membership.ts'
import { type User, users } from '../members/user.ts'
import { ADMIN, type PaymentsPorts, type Person } from '../payments-ports.ts'
import {
  claimDocument,
  type DocumentHolder,
  FOUNDINGS,
  foundingsId,
  isTaken,
  readDocumentHolder,
} from './document-claims.ts'
import {
  ACCOUNT_CALLS,
  type AccountOrder,
  claimOnlyAccount,
  isOnlyAccountTaken,
  NO_ACCOUNT,
  newAccount,
  onlyAccountClaim,
  releaseOnlyAccount,
  sendAccount,
} from './new-account.ts'

const opening = record({
  /** Our id of the account at the bank, and the future uuid of the organization. */
  id: t.string,
  userId: t.number,
  ...storedTypes(pick(accountFields, 'name', 'email', 'document')),
  address: orNull(t.string),
  device: orNull(t.string),
  /** The running bank operation, with the id of the opening. */
  operationId: orNull(t.string),
  createdAt: t.string,
})

/** An account that is requested from the bank. Removed when the account is stored or refused. */
export type Opening = t.TypeOf<typeof opening>

export const openings: Collection<Opening> = {
  name: 'payments.openings',
  ids: 'text',
  codec: opening,
  owner: null,
  // Since 0.4.0 these are fields of the bank operation.
  retired: ['state', 'reason', 'dueAt', 'attempts'],
}

const newOrganization = input('NewOrganization', pick(accountFields, 'name', 'email', 'document'))
export type NewOrganization = InputOf<typeof newOrganization>

interface Facts {
  readonly document: DocumentHolder | null
  /** The count of organizations that the caller founded in the last day. */
  readonly foundings: CodeTries | null
  /** The claim on the bank's only account. */
  readonly only: Claim | null
  /** The holder of the document, if it is an opening, or an account that the caller administers. */
  readonly holder: {
    readonly id: string
    readonly opening: Opening | null
    readonly operation: Operation | null
  } | null
}

/** Opens an account. A repeated request with the same document or key after `bank.unavailable` resumes the opening. */
export const openAccount =
  (ports: PaymentsPorts) => (by: Pick<Person, 'userId' | 'origin'>, submitted: NewOrganization) =>
    withValidInput(ports, newOrganization, submitted, (organization) =>
      operationUseCase(
        startOperation(
          ports,
          (store) => readFacts(store, organization.document, by.userId),
          (facts, fresh) => decideOpening(ports, facts, by, organization, fresh),
        ),
        (started) => accountOpenings(ports).send(started, sendAccount(ports)),
        accountOpenings(ports).repeat,
      ),
    )

const readFacts = async (store: Store, document: string, userId: number): Promise<Facts> => {
  const [common, claimed] = await Promise.all([
    store.read({ only: onlyAccountClaim, foundings: byId(codeTryCounts, foundingsId(userId)) }),
    readDocumentHolder(store, document, userId),
  ])
  const facts = { ...common, document: claimed, holder: null }
  const holderId = claimed?.claim.holder ?? null
  const id = typeof holderId === 'number' ? await findAdministeredAccount(store, holderId, userId) : holderId
  if (id === null) return facts
  const holder = await store.read({ opening: byId(openings, id), operation: byId(bankOperations, id) })
  return { ...facts, holder: { id, ...holder } }
}

/** Returns our id of an account; null if the user is not its ADMIN. */
const findAdministeredAccount = async (store: Store, accountId: number, userId: number): Promise<string | null> => {
  const { account, membership } = await store.read({
    account: byId(accounts, accountId),
    membership: membershipOf(accountId, userId),
  })
  return account && membership?.roleId === ADMIN.id ? account.uuid : null
}

/** The time in which a request may be repeated after the bank was unreachable: the lifetime of an idempotency key. */
const REPEAT_SECONDS = 86_400

/** Reports whether the caller requested the opening and may not have received its result. */
const mayContinue = ({ holder }: Facts, userId: number, steady: string): boolean => {
  if (!holder) return false
  const { opening, operation } = holder
  if (opening) return opening.userId === userId && !(operation && isFirstRequestRunning(operation, steady))
  // More than one attempt: another request, or the worker, received the result.
  const isEnded = operation?.kind === OPEN_ACCOUNT.kind && operation.state === 'done' && operation.attempts > 0
  return isEnded && addSeconds(operation.createdAt, REPEAT_SECONDS) > steady
}

/** Reports whether the first request still holds its lease: a simultaneous second one gets `document.taken`. */
const isFirstRequestRunning = ({ attempts, dueAt, createdAt }: Operation, steady: string): boolean =>
  attempts === 0 &&
  dueAt !== null &&
  dueAt > steady &&
  addSeconds(dueAt, 0) === addSeconds(createdAt, OPEN_ACCOUNT.leaseSeconds)

type Started = StartedBankOperation<AccountOrder> | JoinedOperation

/**
 * Stores the opening with its bank operation, and claims the document. A repeated request after `bank.unavailable`
 * continues the stored opening with its original order.
 */
export const decideOpening = (
  { cipher, bank }: Pick<PaymentsPorts, 'cipher' | 'bank'>,
  facts: Facts,
  { userId, origin = null }: Pick<Person, 'userId' | 'origin'>,
  { name, email, document }: DecodedOf<typeof newOrganization>,
  fresh: Fresh,
) => {
  if (facts.holder && mayContinue(facts, userId, fresh.steady)) {
    const { id: intent, opening } = facts.holder
    const named = { set: { name, email }, when: eq('document', document) }
    const changes = opening ? [patch(openings, intent, named)] : []
    return accept<Started>({ intent, order: null }, ...changes)
  }
  if (isOnlyAccountTaken(bank, facts.only)) return left(NO_ACCOUNT)
  if (isLimitReached(facts.foundings, FOUNDINGS, fresh.steady)) {
    return left(throttled('organization.limit', secondsBetween(fresh.steady, facts.foundings.expiresAt)))
  }
  if (isTaken(facts.document, fresh)) return left(invalid([issue('document', 'document.taken')]))
  const id = fresh.uuid()
  const order: AccountOrder = { reference: id, name, document }
  const subject = subjectOf(openings, id)
  const { started, change } = beginOperation(cipher, OPEN_ACCOUNT, { id, accountId: null, subject, order }, fresh)
  const { address = null, device = null } = origin ?? {}
  const opened: Opening = { id, userId, name, email, document, address, device, operationId: id, createdAt: fresh.now }
  return accept<Started>(
    started,
    insert(openings, opened),
    change,
    ...claimDocument('document', document, id, facts.document, fresh),
    ...countTry(facts.foundings, foundingsId(userId), FOUNDINGS, fresh.steady),
    ...claimOnlyAccount(bank, id),
  )
}

interface OpeningFacts {
  readonly opening: Opening | null
  /** The account of the opening, once stored. */
  readonly account: Account | null
  /** The founder. */
  readonly user: User | null
  /** The claim on the bank's only account. */
  readonly only: Claim | null
}

type Code = 'opening.unknown' | 'bank.refused' | 'bank.unavailable'
type Ports = Pick<PaymentsPorts, 'cipher' | 'digest' | 'bank'>
type Outcome = Verdict<ShownAccount, Code>

const UNKNOWN = failure('not-found', 'opening.unknown')

const OPEN_ACCOUNT = { kind: 'open-account', ...ACCOUNT_CALLS } as const

/** The bank operations of openings, by our id of the account. */
export const accountOpenings = (ports: PaymentsPorts) =>
  operationsOf<OpeningFacts, AccountOrder, OpenedAccount, ShownAccount, Code>(ports, {
    ...OPEN_ACCOUNT,
    read: (store, { id }) => readOpening(store, id),
    isWanted: (_, { opening, user }) => opening !== null && (user?.removedAt ?? null) === null,
    send: sendAccount(ports),
    find: null,
    decide: (operation, facts, ...more) =>
      releaseOnlyAccount(operation, facts.only, decideOpened(ports, operation, facts, ...more)),
    ended: decideEnded,
    unknown: UNKNOWN,
  })

const readOpening = async (store: Store, id: string): Promise<OpeningFacts> => {
  const facts = await store.read({
    opening: byId(openings, id),
    account: byKey(accounts, 'uuid', id),
    only: onlyAccountClaim,
  })
  return { ...facts, user: facts.opening && (await store.find(byId(users, facts.opening.userId))) }
}

/** Stores the account that the bank opened, or removes the opening. Returns a stored account unchanged. */
const decideOpened = (
  ports: Ports,
  operation: Operation,
  { opening, account, user }: Omit<OpeningFacts, 'only'>,
  reply: BankReply<OpenedAccount>,
  fresh: Fresh,
): Outcome => {
  if (account) return { is: 'done', value: right(shownAccount(account)) }
  if (!opening) return { is: 'withdrawn', value: left(UNKNOWN) }
  if (reply.outcome === 'refused') {
    const { reason } = reply
    return { is: 'refused', reason, value: left(refusal('bank.refused', reason)), changes: endOpening(opening) }
  }
  const isFounderRemoved = user !== null && user.removedAt !== null
  // An account without members would block its document for ever.
  if (reply.outcome === 'withdrawn' || (reply.outcome === 'done' && isFounderRemoved))
    return { is: 'withdrawn', value: left(UNKNOWN), changes: endOpening(opening) }
  if (reply.outcome === 'done') return opened(ports, opening, user, reply.value, fresh)
  const retryAfterSeconds = secondsToRetry(OPEN_ACCOUNT, operation)
  return { is: 'asking', value: left(unavailable('bank.unavailable', retryAfterSeconds)) }
}

const decideEnded = ({ state, reason }: Operation, { account }: OpeningFacts): OperationResult<ShownAccount, Code> => {
  if (account) return { value: right(shownAccount(account)) }
  return { value: left(state === 'refused' ? refusal('bank.refused', reason) : UNKNOWN) }
}

/** Ends an opening without an account, and releases its document. */
const endOpening = ({ id, document }: Opening): readonly Change[] => [
  remove(openings, id, eq('operationId', id)),
  releaseUnique('document', document),
]

const opened = (
  ports: Ports,
  { id: uuid, userId, name, email, document, address, device }: Opening,
  user: User | null,
  atBank: OpenedAccount,
  fresh: Fresh,
): Outcome => {
  // An embedder may have users that are not in this store.
  const owner = user ?? { id: userId, name: '', email: '', document: null }
  const by = { userId, origin: address === null ? null : { address, device } }
  const { account, changes } = newAccount(
    ports,
    { uuid, name, email, document, status: 'INACTIVE', atBank, by },
    owner,
    fresh,
  )
  return {
    is: 'done',
    value: right(shownAccount(account)),
    changes: [
      remove(openings, uuid, eq('operationId', uuid)),
      ...changes,
      // If the user is removed at the same time, one of the two commits must fail.
      ...(user ? [patch(users, user.id, { set: { updatedAt: fresh.now }, when: eq('removedAt', null) })] : []),
    ],
  }
}

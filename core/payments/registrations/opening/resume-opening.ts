import { failure, refusal } from '../../../failure.ts'
import { left, right } from '../../../fp.ts'
import { type Change, patch, remove } from '../../../kernel/records/change.ts'
import { eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, finishOperation, unavailable, useCaseOf } from '../../../kernel/running/use-case.ts'
import type { OpenedAccount } from '../../../ports/bank.ts'
import { byId, byKey, type Store } from '../../../ports/store.ts'
import { type Account, accounts } from '../../accounts/account.ts'
import { type ShownAccount, shownAccount } from '../../accounts/shown-account.ts'
import { type BankReply, secondsToNextAsk, type Told, type Verdict } from '../../bank/handler.ts'
import type { Operation } from '../../bank/operation.ts'
import { operationsOf } from '../../bank/resume-operation.ts'
import { type Claim, releaseUnique } from '../../claim.ts'
import { type User, users } from '../../members/user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { ACCOUNT_CALLS, type AccountOrder, OPEN_ACCOUNT, sendAccount } from './account-order.ts'
import { earlierOpening } from './earlier-opening.ts'
import { newAccount } from './new-account.ts'
import { freeOnly, onlyAccount } from './only-account.ts'
import { type Opening, openings } from './opening.ts'

export interface OpeningFacts {
  readonly opening: Opening | null
  /** What the opening became. */
  readonly account: Account | null
  /** Who asked for it. */
  readonly user: User | null
  /** Who has the bank's one account, where it opens none. */
  readonly only: Claim | null
}

type Code = 'opening.unknown' | 'bank.refused' | 'bank.unavailable'
type Ports = Pick<PaymentsPorts, 'cipher' | 'digest' | 'bank'>
type Outcome = Verdict<ShownAccount, Code>

const UNKNOWN = failure('not-found', 'opening.unknown')

/** Openings that the bank is asked for, by our own id of the account to be. */
export const accountOpenings = (ports: PaymentsPorts) =>
  operationsOf<OpeningFacts, AccountOrder, OpenedAccount, ShownAccount, Code>(ports, {
    kind: OPEN_ACCOUNT,
    ...ACCOUNT_CALLS,
    read: (store, { id }) => readOpening(store, id),
    wanted: (_, { opening, user }) => opening !== null && (user?.removedAt ?? null) === null,
    orderOf: async ({ opening }) =>
      opening && { reference: opening.id, name: opening.name, document: opening.document },
    send: sendAccount(ports),
    find: null,
    decide: (operation, facts, ...more) =>
      freeOnly(operation, facts.only, decideOpened(ports, operation, facts, ...more)),
    ended: decideEnded,
    unknown: UNKNOWN,
  })

const readOpening = async (store: Store, id: string): Promise<OpeningFacts> => {
  const facts = await store.read({
    opening: byId(openings, id),
    account: byKey(accounts, 'uuid', id),
    only: onlyAccount,
  })
  return { ...facts, user: facts.opening && (await store.find(byId(users, facts.opening.userId))) }
}

/**
 * Carries on an opening by our own id, for somebody who repeats its request. One that ended before is not asked again.
 * Fails: `bank.refused`, `bank.unavailable`, `opening.unknown`. Source: decisions.md §1.
 */
export const resumeOpening = (ports: PaymentsPorts) => (id: string) =>
  useCaseOf<ShownAccount>()(async (hooks) => {
    const { opening, account } = await readOpening(ports.store, id)
    const moving = opening ? earlierOpening(opening) : []
    if (moving.length > 0) await ports.store.commit(moving)
    if (!account) return accountOpenings(ports).again(id)(hooks)
    return finishOperation(
      ports,
      () => account,
      (found) => accept(right(shownAccount(found))),
    )(hooks)
  })

/** Turns the bank's answer into the account, or into the reason why there is none: once. */
export const decideOpened = (
  ports: Ports,
  operation: Operation,
  { opening, account, user }: Omit<OpeningFacts, 'only'>,
  reply: BankReply<OpenedAccount>,
  fresh: Fresh,
): Outcome => {
  if (account) return { is: 'done', value: right(shownAccount(account)) }
  if (!opening) return { is: 'withdrawn', value: left(UNKNOWN) }
  if (reply.outcome === 'refused') return refused(opening, reply.reason)
  const isForsaken = user !== null && user.removedAt !== null
  if (reply.outcome === 'withdrawn' || (reply.outcome === 'done' && isForsaken)) return forsaken(opening)
  if (reply.outcome === 'done') return opened(ports, opening, user, reply.value, fresh)
  const retryAfterSeconds = secondsToNextAsk(ACCOUNT_CALLS, operation)
  return { is: 'asking', value: left(unavailable('bank.unavailable', retryAfterSeconds)) }
}

/** What whoever comes after the bank's answer is told of it. */
const decideEnded = ({ state, reason }: Operation, { account }: OpeningFacts): Told<ShownAccount, Code> => {
  if (account) return { value: right(shownAccount(account)) }
  return { value: left(state === 'refused' ? refusal('bank.refused', reason) : UNKNOWN) }
}

/** The opening is no more, and its document is free again. */
const ended = ({ id, document }: Opening): readonly Change[] => [
  remove(openings, id, eq('operationId', id)),
  releaseUnique('document', document),
]

// Whoever asked for it is a user no more: an account that nobody is in would hold its document for ever.
const forsaken = (opening: Opening): Outcome => ({ is: 'withdrawn', value: left(UNKNOWN), changes: ended(opening) })

const refused = (opening: Opening, reason: string): Outcome => ({
  is: 'refused',
  reason,
  value: left(refusal('bank.refused', reason)),
  changes: ended(opening),
})

const opened = (
  ports: Ports,
  { id: uuid, userId, name, email, document, address, device }: Opening,
  user: User | null,
  atBank: OpenedAccount,
  fresh: Fresh,
): Outcome => {
  // Whoever embeds the core may know people that this store does not.
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
      // Another account may be letting go of them just now: one of the two must see what the other did.
      ...(user ? [patch(users, user.id, { set: { updatedAt: fresh.now }, when: eq('removedAt', null) })] : []),
    ],
  }
}

import { type Failure, failure, refusal } from '../../../failure.ts'
import { type Either, left, right } from '../../../fp.ts'
import { type Change, patch, remove } from '../../../kernel/records/change.ts'
import { always, eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh/fresh.ts'
import { type Decided, decided, finishOperation, unavailable, useCaseOf } from '../../../kernel/running/use-case.ts'
import { plusSeconds } from '../../../kernel/values/day.ts'
import type { BankAnswer, OpenedAccount } from '../../../ports/bank.ts'
import { byId, byKey, type Store } from '../../../ports/store.ts'
import { type Account, accounts } from '../../accounts/account.ts'
import { type ShownAccount, shownAccount } from '../../accounts/shown-account.ts'
import { releaseUnique } from '../../claim.ts'
import { type User, users } from '../../members/user.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { newAccount } from './new-account.ts'
import { type Opening, openings, REFUSED_OPENING_SECONDS, secondsToNextAsk } from './opening.ts'

export interface OpeningFacts {
  readonly opening: Opening | null
  /** What the opening became. */
  readonly account: Account | null
  /** Who asked for it. */
  readonly user: User | null
}

type BankReply = BankAnswer<OpenedAccount> | null
type Opened = Either<Failure<'opening.unknown' | 'bank.refused' | 'bank.unavailable'>, ShownAccount>

/**
 * Asks the bank for the account of an opening, by our own id, and records its answer: called by the request that began
 * it, by a repeat of it and by the worker. An opening that ended before is not asked again.
 * Fails: `bank.refused`, `bank.unavailable`, `opening.unknown`. Source: decisions.md §1.
 */
export const resumeOpening = (ports: PaymentsPorts) => (id: string) =>
  useCaseOf<ShownAccount>()(async (hooks) => {
    const read = async (store: Store): Promise<OpeningFacts> => {
      const facts = await store.read({ opening: byId(openings, id), account: byKey(accounts, 'uuid', id) })
      return { ...facts, user: facts.opening && (await store.find(byId(users, facts.opening.userId))) }
    }
    const { opening } = await read(ports.store)
    const answer = opening?.state === 'asking' ? await ask(ports, opening) : null
    return finishOperation(ports, read, (facts, fresh) => decideOpened(ports, facts, answer, fresh))(hooks)
  })

const ask = ({ bank }: PaymentsPorts, { id, name, document }: Opening): Promise<BankAnswer<OpenedAccount>> =>
  bank.openAccount({ reference: id, name, document })

/** Turns the bank's answer into the account, or into the reason why there is none: once. */
export const decideOpened = (
  ports: Pick<PaymentsPorts, 'cipher' | 'digest' | 'bank'>,
  { opening, account, user }: OpeningFacts,
  answer: BankReply,
  fresh: Fresh,
): Decided<Opened, never> => {
  if (account) return decided(right(shownAccount(account)))
  if (!opening) return decided(left(failure('not-found', 'opening.unknown')))
  if (opening.state === 'refused' || !answer)
    return decided(left(refusal('bank.refused', opening.reason)), ...forgetting(opening, fresh))
  if (answer.outcome === 'refused') return refused(opening, answer.reason, fresh)
  if (answer.outcome !== 'done') return askLater(opening, fresh)
  if (user && user.removedAt !== null) return forsaken(opening)
  return opened(ports, opening, user, answer.value, fresh)
}

// Whoever asked for it is a user no more: an account that nobody is in would hold its document for ever.
const forsaken = ({ id, document }: Opening) =>
  decided(
    left(failure('not-found', 'opening.unknown')),
    remove(openings, id, eq('state', 'asking')),
    releaseUnique('document', document),
  )

const opened = (
  ports: Pick<PaymentsPorts, 'cipher' | 'digest' | 'bank'>,
  { id: uuid, userId, name, email, document, address, device }: Opening,
  user: User | null,
  atBank: OpenedAccount,
  fresh: Fresh,
) => {
  // Whoever embeds the core may know people that this store does not.
  const owner = user ?? { id: userId, name: '', email: '', document: null }
  const by = { userId, origin: address === null ? null : { address, device } }
  const { account, changes } = newAccount(
    ports,
    { uuid, name, email, document, status: 'INACTIVE', atBank, by },
    owner,
    fresh,
  )
  return decided(
    right(shownAccount(account)),
    remove(openings, uuid, eq('state', 'asking')),
    ...changes,
    // Another account may be letting go of them just now: one of the two must see what the other did.
    ...(user ? [patch(users, user.id, { set: { updatedAt: fresh.now }, when: eq('removedAt', null) })] : []),
  )
}

// Nobody repeats its request any more.
const forgetting = ({ id, createdAt }: Opening, { now }: Fresh): readonly Change[] =>
  plusSeconds(createdAt, REFUSED_OPENING_SECONDS) <= now ? [remove(openings, id, always)] : []

const refused = ({ id, document }: Opening, reason: string, { now }: Fresh) => {
  const set = { state: 'refused', reason, dueAt: plusSeconds(now, REFUSED_OPENING_SECONDS) } as const
  return decided(
    left(refusal('bank.refused', reason)),
    patch(openings, id, { set, when: eq('state', 'asking') }),
    releaseUnique('document', document),
  )
}

const askLater = ({ id, attempts }: Opening, { now }: Fresh) => {
  const retryAfterSeconds = secondsToNextAsk(attempts)
  return decided(
    left(unavailable('bank.unavailable', retryAfterSeconds)),
    patch(openings, id, { set: { dueAt: plusSeconds(now, retryAfterSeconds) }, when: eq('state', 'asking') }),
  )
}

import { type Either, left, right } from '../../fp.ts'
import { insert, patch } from '../../kernel/records/change.ts'
import { eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import { decided, finishOperation, useCaseOf } from '../../kernel/running/use-case.ts'
import { plusSeconds } from '../../kernel/values/day.ts'
import type { BankAnswer, OpenedAccount } from '../../ports/bank.ts'
import { byId } from '../../ports/store.ts'
import { newPasswordLink } from '../access/codes/password-link.ts'
import { type User, users } from '../members/user.ts'
import { audited, type By } from '../office/audit.ts'
import { queueMail } from '../office/mails.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { openedMail, readyMail, refusedMail } from './codes/registration-mail.ts'
import { newAccount } from './opening/new-account.ts'
import { secondsToNextAsk } from './opening/opening.ts'
import {
  handToUser,
  NO_REGISTRATION,
  type Registration,
  registrations,
  releaseAll,
  type ShownRegistration,
  shownRegistration,
} from './registration.ts'

const LINK_SECONDS = 7 * 24 * 3_600

type BankReply = BankAnswer<OpenedAccount> | null
type Reviewed = Either<never, ShownRegistration>
type Ports = Pick<PaymentsPorts, 'cipher' | 'digest' | 'bank' | 'settings'>

/**
 * Asks the bank for the account of a registration under review, by our own id, and records its answer: called by the
 * request that sent the images, and by the worker. What is decided is not asked again.
 * Fails: `registration.unknown`. Source: decisions.md §1, Onboarding.
 */
export const reviewRegistration = (ports: PaymentsPorts) => (id: number) =>
  useCaseOf<ShownRegistration>()(async (hooks) => {
    const found = await ports.store.find(byId(registrations, id))
    const answer = found?.state === 'UNDER_REVIEW' ? await ask(ports, found) : null
    return finishOperation(
      ports,
      (store) => store.find(byId(registrations, id)),
      (known, fresh) => decideReview(ports, known, answer, fresh),
    )(hooks)
  })

const ask = ({ bank }: Ports, { uuid, name, document }: Registration): Promise<BankAnswer<OpenedAccount>> =>
  bank.openAccount({ reference: uuid, name, document })

/** Turns the bank's answer into user and account, or into the reason why there are none: once. */
export const decideReview = (ports: Ports, found: Registration | null, answer: BankReply, fresh: Fresh) => {
  if (!found) return left(NO_REGISTRATION)
  if (found.state !== 'UNDER_REVIEW' || !answer) return decided<Reviewed>(right(shownRegistration(found)))
  if (answer.outcome === 'refused') return rejected(ports, found, answer.reason, fresh)
  if (answer.outcome !== 'done') return askLater(found, fresh)
  return approved(ports, found, answer.value, fresh)
}

const UNDER_REVIEW = eq('state', 'UNDER_REVIEW')

const askLater = (found: Registration, { now }: Fresh) => {
  const set = { dueAt: plusSeconds(now, secondsToNextAsk(found.attempts)) }
  return decided<Reviewed>(
    right(shownRegistration({ ...found, ...set })),
    patch(registrations, found.id, { set, when: UNDER_REVIEW }),
  )
}

// Its e-mail and document are free again: whoever was refused may try anew.
const rejected = ({ cipher }: Ports, found: Registration, reason: string, fresh: Fresh) => {
  const set = { state: 'REJECTED', reason, passwordHash: null, dueAt: null, updatedAt: fresh.now } as const
  return decided<Reviewed>(
    right(shownRegistration({ ...found, ...set })),
    patch(registrations, found.id, { set, when: UNDER_REVIEW }),
    ...releaseAll(found),
    queueMail(cipher, fresh, { to: found.email, ...refusedMail(found.name, reason) }),
  )
}

const approved = (ports: Ports, found: Registration, atBank: OpenedAccount, fresh: Fresh) => {
  const { now } = fresh
  // Who registers is nobody yet.
  const by: By = { userId: null, origin: found.origin }
  const user = userOf(found, fresh)
  const { account, changes } = newAccount(ports, { ...found, status: 'ACTIVE', atBank, by }, user, fresh)
  const set = {
    state: 'APPROVED',
    // It is the user's now.
    passwordHash: null,
    accountId: account.id,
    userId: user.id,
    dueAt: null,
    updatedAt: now,
  } as const
  return decided<Reviewed>(
    right(shownRegistration({ ...found, ...set })),
    patch(registrations, found.id, { set, when: UNDER_REVIEW }),
    insert(users, user),
    ...handToUser(found, user.id),
    ...changes,
    ...audited(fresh, by, { chain: `user:${user.id}`, action: 'user.registered', subject: `user:${user.id}` }),
    ...welcome(ports, user, fresh),
  )
}

const userOf = ({ name, email, phone, document, passwordHash, confirmedAt }: Registration, fresh: Fresh): User => ({
  id: fresh.id(users),
  name,
  email,
  phone,
  document,
  passwordHash,
  emailVerifiedAt: confirmedAt,
  createdAt: fresh.now,
  updatedAt: fresh.now,
  removedAt: null,
})

const welcome = ({ cipher, digest, settings }: Ports, { id, name, email, passwordHash }: User, fresh: Fresh) => {
  if (passwordHash !== null) return [queueMail(cipher, fresh, { to: email, ...readyMail(name) })]
  const { token, change } = newPasswordLink(digest, fresh, { userId: id, codeId: null, lifeSeconds: LINK_SECONDS })
  const mail = openedMail(name, `${settings.publicUrl}/password?token=${token}`)
  return [change, queueMail(cipher, fresh, { to: email, ...mail })]
}

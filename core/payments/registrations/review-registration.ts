import { left, right } from '../../fp.ts'
import { insert, patch } from '../../kernel/records/change.ts'
import { eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import type { OpenedAccount } from '../../ports/bank.ts'
import { byId } from '../../ports/store.ts'
import { newPasswordLink } from '../access/codes/password-link.ts'
import type { BankReply, Verdict } from '../bank/handler.ts'
import { operationsOf } from '../bank/resume-operation.ts'
import type { Claim } from '../claim.ts'
import { type User, users } from '../members/user.ts'
import { type By, recordAudit } from '../office/audit.ts'
import { queueMail } from '../office/mails.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { openedMail, readyMail, refusedMail } from './codes/registration-mail.ts'
import { REVIEW_REGISTRATION, reviewOrder } from './new-review.ts'
import { ACCOUNT_CALLS, type AccountOrder, sendAccount } from './opening/account-order.ts'
import { newAccount } from './opening/new-account.ts'
import { freeOnly, onlyAccount } from './opening/only-account.ts'
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

type Outcome = Verdict<ShownRegistration, 'registration.unknown'>
type Ports = Pick<PaymentsPorts, 'cipher' | 'digest' | 'bank' | 'settings'>

interface ReviewFacts {
  readonly found: Registration | null
  /** Who has the bank's one account, where it opens none. */
  readonly only: Claim | null
}

/** Registrations that the bank reviews, by our own id of the account to be. Source: decisions.md §1, Onboarding. */
export const registrationReviews = (ports: PaymentsPorts) =>
  operationsOf<ReviewFacts, AccountOrder, OpenedAccount, ShownRegistration, 'registration.unknown'>(ports, {
    kind: REVIEW_REGISTRATION,
    ...ACCOUNT_CALLS,
    read: (store, { subject: [, id] }) => store.read({ found: byId(registrations, id), only: onlyAccount }),
    wanted: (_, { found }) => found?.state === 'UNDER_REVIEW',
    orderOf: async ({ found }) => found && reviewOrder(found),
    send: sendAccount(ports),
    find: null,
    decide: (operation, { found, only }, ...more) => freeOnly(operation, only, decideReview(ports, found, ...more)),
    ended: (_, { found }) => ({ value: found ? right(shownRegistration(found)) : left(NO_REGISTRATION) }),
    unknown: NO_REGISTRATION,
  })

/** Turns the bank's answer into user and account, or into the reason why there are none: once. */
export const decideReview = (
  ports: Ports,
  found: Registration | null,
  reply: BankReply<OpenedAccount>,
  fresh: Fresh,
): Outcome => {
  if (!found) return { is: 'withdrawn', value: left(NO_REGISTRATION) }
  const value = right(shownRegistration(found))
  if (found.state !== 'UNDER_REVIEW' || reply.outcome === 'withdrawn') return { is: 'withdrawn', value }
  if (reply.outcome === 'refused') return rejected(ports, found, reply.reason, fresh)
  return reply.outcome === 'done' ? approved(ports, found, reply.value, fresh) : { is: 'asking', value }
}

const UNDER_REVIEW = eq('state', 'UNDER_REVIEW')
const ENDED = { operationId: null, dueAt: null } as const

// Its e-mail and document are free again: whoever was refused may try anew.
const rejected = ({ cipher }: Ports, found: Registration, reason: string, fresh: Fresh): Outcome => {
  const set = { state: 'REJECTED', reason, passwordHash: null, ...ENDED, updatedAt: fresh.now } as const
  return {
    is: 'refused',
    reason,
    value: right(shownRegistration({ ...found, ...set })),
    changes: [
      patch(registrations, found.id, { set, when: UNDER_REVIEW }),
      ...releaseAll(found),
      queueMail(cipher, fresh, { to: found.email, ...refusedMail(found.name, reason) }),
    ],
  }
}

const approved = (ports: Ports, found: Registration, atBank: OpenedAccount, fresh: Fresh): Outcome => {
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
    ...ENDED,
    updatedAt: now,
  } as const
  return {
    is: 'done',
    value: right(shownRegistration({ ...found, ...set })),
    changes: [
      patch(registrations, found.id, { set, when: UNDER_REVIEW }),
      insert(users, user),
      ...handToUser(found, user.id),
      ...changes,
      ...recordAudit(fresh, by, { chain: `user:${user.id}`, action: 'user.registered', subject: `user:${user.id}` }),
      ...welcome(ports, user, fresh),
    ],
  }
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
  documentPassedAt: null,
})

const welcome = ({ cipher, digest, settings }: Ports, { id, name, email, passwordHash }: User, fresh: Fresh) => {
  if (passwordHash !== null) return [queueMail(cipher, fresh, { to: email, ...readyMail(name) })]
  const { token, change } = newPasswordLink(digest, fresh, { userId: id, codeId: null, lifeSeconds: LINK_SECONDS })
  const mail = openedMail(name, `${settings.publicUrl}/password?token=${token}`)
  return [change, queueMail(cipher, fresh, { to: email, ...mail })]
}

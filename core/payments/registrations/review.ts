import { invalid, isLeft, issue, left, right } from '../../failure.ts'
import { image } from '../../kernel/input/image.ts'
import { type InputOf, input } from '../../kernel/input/mod.ts'
import { all, type Change, eq, insert, patch } from '../../kernel/records/record.ts'
import {
  accept,
  type Fresh,
  operationUseCase,
  startOperation,
  useCaseOf,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import type { OpenedAccount } from '../../ports/bank.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId } from '../../ports/store.ts'
import { newPasswordLink } from '../access/password-reset.ts'
import {
  type BankReply,
  beginOperation,
  type JoinedOperation,
  type StartedBankOperation,
  subjectOf,
  type Verdict,
} from '../bank/operation.ts'
import { operationsOf } from '../bank/run-operation.ts'
import type { Claim } from '../claim.ts'
import { auditUser, mailUser, newUser, type User, users } from '../members/user.ts'
import { type AuditActor, attachImage, detachImage, queueMail, saveImage } from '../office.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { openedMail, readyMail, refusedMail } from './mails.ts'
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
import {
  findRegistration,
  NO_REGISTRATION,
  pairFields,
  type Registration,
  registrationMoves,
  registrations,
  releaseClaims,
  type ShownRegistration,
  shownRegistration,
  transferToUser,
} from './registration.ts'

const photoTypes = { types: ['image/png', 'image/jpeg'] } as const

/** The two images of a document: front and back, or page and portrait. */
export const imageFields = {
  image1: image({ ...photoTypes, wire: 'image01', about: 'Frente do documento' }),
  image2: image({ ...photoTypes, wire: 'image02', about: 'Verso do documento, ou retrato' }),
}
const registrationImages = input('RegistrationImages', { ...pairFields, ...imageFields })
export type RegistrationImages = InputOf<typeof registrationImages>

export const submitImages = (ports: PaymentsPorts) => (submitted: RegistrationImages) =>
  withValidInput(ports, registrationImages, submitted, ({ image1, image2, ...pair }) =>
    useCaseOf<ShownRegistration>()(async (hooks) => {
      // Reject before the images are stored: only a registration that accepts images may use disk space.
      const refusal = refusalOf(await findRegistration(ports.store, pair))
      if (refusal) return left(refusal)
      const first = await saveImage(ports, 'registration', image1)
      if (isLeft(first)) return first
      const second = await saveImage(ports, 'registration', image2)
      if (isLeft(second)) return second
      const reviews = registrationReviews(ports)
      return operationUseCase(
        startOperation(
          ports,
          async (store) => ({ found: await findRegistration(store, pair), only: await store.find(onlyAccountClaim) }),
          (facts, fresh) => decideImages(ports, facts, [first.right, second.right], fresh),
        ),
        (started) => reviews.send(started, sendAccount(ports)),
        reviews.repeat,
      )(hooks)
    }),
  )

const refusalOf = (found: Registration | null) => {
  if (!found) return NO_REGISTRATION
  if (registrationMoves.can(found.state, 'UNDER_REVIEW')) return null
  const code = found.state === 'PENDING_EMAIL' ? 'registration.unconfirmed' : 'registration.over'
  return invalid([issue('registrationId', code)])
}

/** Puts the registration under review with these images, and stores the bank operation of the review. */
const decideImages = (
  { cipher, bank }: Pick<PaymentsPorts, 'cipher' | 'bank'>,
  { found, only }: ReviewFacts,
  [image1Id, image2Id]: readonly [string, string],
  fresh: Fresh,
) => {
  const refusal = refusalOf(found)
  if (!found || refusal) return left(refusal ?? NO_REGISTRATION)
  const review = found.state === 'UNDER_REVIEW' ? null : beginReview(cipher, found, fresh)
  if (review && isOnlyAccountTaken(bank, only)) return left(NO_ACCOUNT)
  const old = [found.image1Id, found.image2Id].filter((id) => id !== null)
  const set = { state: 'UNDER_REVIEW', image1Id, image2Id, dueAt: null, updatedAt: fresh.now } as const
  const changes: readonly Change[] = [
    patch(registrations, found.id, {
      set: { ...set, ...(review ? { operationId: found.uuid } : {}) },
      // Of two simultaneous requests, only one may detach the earlier images.
      when: all(eq('state', found.state), eq('image1Id', found.image1Id)),
    }),
    ...(review ? [review.change, ...claimOnlyAccount(bank, found.uuid)] : []),
    attachImage(image1Id),
    attachImage(image2Id),
    ...old.map((id) => detachImage(id, fresh)),
  ]
  return accept<StartedBankOperation<AccountOrder> | JoinedOperation>(
    review?.started ?? { intent: found.uuid, order: null },
    ...changes,
  )
}

const REVIEW_REGISTRATION = { kind: 'review-registration', ...ACCOUNT_CALLS } as const

export const beginReview = (cipher: Pick<Cipher, 'seal'>, { id, uuid, name, document }: Registration, fresh: Fresh) => {
  const order: AccountOrder = { reference: uuid, name, document }
  const subject = subjectOf(registrations, id)
  return beginOperation(cipher, REVIEW_REGISTRATION, { id: uuid, accountId: null, subject, order }, fresh)
}

const LINK_SECONDS = 7 * 24 * 3_600

type Outcome = Verdict<ShownRegistration, 'registration.unknown'>
type Ports = Pick<PaymentsPorts, 'cipher' | 'digest' | 'bank' | 'settings'>

interface ReviewFacts {
  readonly found: Registration | null
  /** The claim on the bank's only account. */
  readonly only: Claim | null
}

/** The bank operations of reviews, by our id of the account. */
export const registrationReviews = (ports: PaymentsPorts) =>
  operationsOf<ReviewFacts, AccountOrder, OpenedAccount, ShownRegistration, 'registration.unknown'>(ports, {
    ...REVIEW_REGISTRATION,
    read: (store, { subject: [, id] }) => store.read({ found: byId(registrations, id), only: onlyAccountClaim }),
    isWanted: (_, { found }) => found?.state === 'UNDER_REVIEW',
    send: sendAccount(ports),
    find: null,
    decide: (operation, { found, only }, ...more) =>
      releaseOnlyAccount(operation, only, decideReview(ports, found, ...more)),
    ended: (_, { found }) => ({ value: found ? right(shownRegistration(found)) : left(NO_REGISTRATION) }),
    unknown: NO_REGISTRATION,
  })

/** Stores the user and account of an approval, or the reason of a refusal. A decided registration stays as it is. */
const decideReview = (
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
const CLOSED = { operationId: null, dueAt: null } as const

// Releases e-mail and document: a rejected applicant may register again.
const rejected = ({ cipher }: Ports, found: Registration, reason: string, fresh: Fresh): Outcome => {
  const set = { state: 'REJECTED', reason, passwordHash: null, ...CLOSED, updatedAt: fresh.now } as const
  return {
    is: 'refused',
    reason,
    value: right(shownRegistration({ ...found, ...set })),
    changes: [
      patch(registrations, found.id, { set, when: UNDER_REVIEW }),
      ...releaseClaims(found),
      queueMail(cipher, fresh, { to: found.email, ...refusedMail(found.name, reason) }),
    ],
  }
}

const approved = (ports: Ports, found: Registration, atBank: OpenedAccount, fresh: Fresh): Outcome => {
  // No user exists before the approval.
  const by: AuditActor = { userId: null, origin: found.origin }
  const { name, email, phone, document, passwordHash, confirmedAt } = found
  const user = newUser(fresh, { name, email, phone, document, passwordHash, emailVerifiedAt: confirmedAt })
  const { account, changes } = newAccount(ports, { ...found, status: 'ACTIVE', atBank, by }, user, fresh)
  const set = {
    state: 'APPROVED',
    // The hash moves to the user.
    passwordHash: null,
    accountId: account.id,
    userId: user.id,
    ...CLOSED,
    updatedAt: fresh.now,
  } as const
  return {
    is: 'done',
    value: right(shownRegistration({ ...found, ...set })),
    changes: [
      patch(registrations, found.id, { set, when: UNDER_REVIEW }),
      insert(users, user),
      ...transferToUser(found, user.id),
      ...changes,
      ...auditUser(fresh, by, user.id, 'user.registered'),
      ...welcomeMail(ports, user, fresh),
    ],
  }
}

const welcomeMail = ({ cipher, digest, settings }: Ports, user: User, fresh: Fresh) => {
  const { id, name, passwordHash } = user
  if (passwordHash !== null) return [mailUser(cipher, fresh, user, readyMail(name))]
  const { token, change } = newPasswordLink(digest, fresh, { userId: id, codeId: null, lifeSeconds: LINK_SECONDS })
  const mail = openedMail(name, `${settings.publicUrl}/password?token=${token}`)
  return [change, mailUser(cipher, fresh, user, mail)]
}

import { invalid, issue } from '../../failure.ts'
import { isLeft, left } from '../../fp.ts'
import { image } from '../../kernel/input/image.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { type Change, insert, patch } from '../../kernel/records/change.ts'
import { all, eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, operationUseCase, startOperation, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { bankOperations } from '../bank/operation.ts'
import type { Claim } from '../claim.ts'
import { attachImage, detachImage, saveImage } from '../office/files.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { earlierReview, newReview } from './new-review.ts'
import { sendAccount } from './opening/account-order.ts'
import { holdOnly, isGiven, NO_ACCOUNT, onlyAccount } from './opening/only-account.ts'
import {
  findRegistration,
  NO_REGISTRATION,
  type Registration,
  registrationMoves,
  registrations,
  type ShownRegistration,
} from './registration.ts'
import { pairFields } from './registration-fields.ts'
import { registrationReviews } from './review-registration.ts'

const photo = { types: ['image/png', 'image/jpeg'] } as const

/** The two images of a document: front and back, or page and portrait. Source: decisions.md §12, Onboarding. */
export const imageFields = {
  image1: image({ ...photo, wire: 'image01', about: 'Frente do documento' }),
  image2: image({ ...photo, wire: 'image02', about: 'Verso do documento, ou retrato' }),
}
export const registrationImages = input('RegistrationImages', { ...pairFields, ...imageFields })

export type RegistrationImages = InputOf<typeof registrationImages>

/**
 * Keeps the images of a registration, in the place of those it had, and has the bank review it: it is approved or rejected
 * at once, or stays under review until the bank answers.
 * Fails: `bank.unsupported` (the bank has one account, and it is somebody's), `fields` (`registration.unconfirmed`, `registration.over`), `registration.unknown`.
 * Source: 01-access.md, POST /access/register/images; decisions.md §1 and §12, Onboarding.
 */
export const submitImages = (ports: PaymentsPorts) => (given: RegistrationImages) =>
  withValidInput(ports, registrationImages, given, ({ image1, image2, ...pair }) =>
    useCaseOf<ShownRegistration>()(async (hooks) => {
      // Nobody fills our disk who has no registration that waits for images.
      const refusal = refusalOf(await findRegistration(ports.store, pair))
      if (refusal) return left(refusal)
      const first = await saveImage(ports, 'registration', image1)
      if (isLeft(first)) return first
      const second = await saveImage(ports, 'registration', image2)
      if (isLeft(second)) return second
      const kept = [first.right, second.right] as const
      const reviews = registrationReviews(ports)
      return operationUseCase(
        startOperation(
          ports,
          async (store) => ({ found: await findRegistration(store, pair), only: await store.find(onlyAccount) }),
          (facts, fresh) => decideImages(ports, facts, kept, fresh),
        ),
        ({ intent, order }) => (order ? reviews.first({ intent, order }, sendAccount(ports)) : reviews.again(intent)),
        reviews.again,
      )(hooks)
    }),
  )

const refusalOf = (found: Registration | null) => {
  if (!found) return NO_REGISTRATION
  if (registrationMoves.can(found.state, 'UNDER_REVIEW')) return null
  const code = found.state === 'PENDING_EMAIL' ? 'registration.unconfirmed' : 'registration.over'
  return invalid([issue('registrationId', code)])
}

/** The registration under review with these images, and the operation by which the bank reviews it. */
export const decideImages = (
  { cipher, bank }: Pick<PaymentsPorts, 'cipher' | 'bank'>,
  { found, only }: { readonly found: Registration | null; readonly only: Claim | null },
  [image1Id, image2Id]: readonly [string, string],
  fresh: Fresh,
) => {
  const refusal = refusalOf(found)
  if (!found || refusal) return left(refusal ?? NO_REGISTRATION)
  const review = found.state === 'UNDER_REVIEW' ? null : newReview(cipher, found, fresh)
  if (review && isGiven(bank, only)) return left(NO_ACCOUNT)
  const old = [found.image1Id, found.image2Id].filter((id) => id !== null)
  const set = { state: 'UNDER_REVIEW', image1Id, image2Id, dueAt: null, updatedAt: fresh.now } as const
  const changes: readonly Change[] = [
    ...earlierReview(found),
    patch(registrations, found.id, {
      set: { ...set, ...(review ? { operationId: review.intent } : {}) },
      // What is let go is what nobody else has let go.
      when: all(eq<keyof Registration & string>('state', found.state), eq('image1Id', found.image1Id)),
    }),
    ...(review ? [insert(bankOperations, review.operation), ...holdOnly(bank, found.uuid)] : []),
    attachImage(image1Id),
    attachImage(image2Id),
    ...old.map((id) => detachImage(id, fresh)),
  ]
  return accept({ intent: found.uuid, order: review?.order ?? null }, ...changes)
}

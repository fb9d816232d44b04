import { type Either, left, right } from '../../fp.ts'
import type { Failure } from '../../kernel/failure.ts'
import { patch } from '../../kernel/records/change.ts'
import { all, eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { inLine } from '../../kernel/running/in-line.ts'
import { attempt, type Decided, decided, type UseCase } from '../../kernel/running/use-case.ts'
import type { Comparing } from '../identity/codes/code.ts'
import { wrongCode } from '../identity/codes/verify-email.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { undocumentedUntil } from './lapse-registration.ts'
import { findRegistration, NO_REGISTRATION, type Pair, type Registration, registrations } from './registration.ts'
import { areLetters, hasLetters } from './registration-code.ts'

/**
 * Confirms the e-mail of a registration by the letters that were mailed to it.
 * Fails: `registration.unknown`, `code.invalid` (also where it is confirmed already).
 * Source: decisions.md §1, Onboarding; §12, Codes.
 */
export const confirmRegistration = (ports: PaymentsPorts) => {
  // Guesses at one code wait for each other: each is decided on how many tries are left.
  const line = inLine()
  return (pair: Pair, typed: string): UseCase<Registration> =>
    (rider) =>
      line(`${pair.registrationId}`, () =>
        attempt(
          ports,
          (store) => findRegistration(store, pair),
          (found, fresh) => decideConfirmation(ports, found, typed, fresh),
        )(rider),
      )
}

type Confirmed = Either<Failure, Registration>

export const decideConfirmation = (
  ports: Comparing,
  found: Registration | null,
  typed: string,
  { now }: Fresh,
): Decided<Confirmed> => {
  if (!found) return left(NO_REGISTRATION)
  if (found.state !== 'PENDING_EMAIL' || !hasLetters(found, now)) return left(wrongCode())
  const { id, codeId, codeTriesLeft } = found
  // Of any number of tries at once no more are compared than a code has.
  const when = all(
    eq<keyof Registration & string>('codeId', codeId),
    eq('codeTriesLeft', codeTriesLeft),
    eq('state', 'PENDING_EMAIL'),
  )
  if (!areLetters(ports, found, typed)) {
    return decided<Confirmed>(left(wrongCode()), patch(registrations, id, { add: { codeTriesLeft: -1 }, when }))
  }
  const set = {
    state: 'PENDING_DOCUMENTS',
    codeHash: null,
    confirmedAt: now,
    dueAt: undocumentedUntil(now),
    updatedAt: now,
  } as const
  return decided<Confirmed>(right({ ...found, ...set }), patch(registrations, id, { set, when }))
}

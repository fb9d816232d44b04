import { failure, refusal } from '../../failure.ts'
import { type Either, left, right } from '../../fp.ts'
import type { ChargeDetail } from './find-charge.ts'

export const NO_CHARGE = failure('not-found', 'charge.unknown')

/** What a charge's `failure` says when the bank, or its acquirer, could not be reached; else it is their own reason. */
export const UNAVAILABLE = 'unavailable'
/** The charge was over before there was anything to pay it by: nobody is to be told of it. */
export const WITHDRAWN = 'withdrawn'

/** What a charge says whose bank gave something else than was ordered. */
export const MISTAKEN = 'O banco devolveu um título que não confere com a cobrança.'

/** What whoever asks for a charge is told of why it failed: `refused` is the code of a reason that is not ours. */
export const failedBy = <const C extends string>(why: string, refused: C) =>
  why === UNAVAILABLE ? failure('refused', 'bank.unavailable') : refusal(refused, why)

/** What whoever comes after the answer is told of it. */
export const toldOfCharge = <const C extends string>(
  detail: ChargeDetail,
  refused: C,
): Either<ReturnType<typeof failedBy<C>>, ChargeDetail> => {
  const { failure: why } = detail.charge
  return why === null || why === WITHDRAWN ? right(detail) : left(failedBy(why, refused))
}

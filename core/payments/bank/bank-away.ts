import { type Failure, refusal } from '../../failure.ts'

/** What a record's `failure` says where the bank was never reached; else it is the bank's own reason. */
export const UNAVAILABLE = 'unavailable'

/** A bank that could not be reached is worth asking again so much later. */
const ASK_AGAIN_SECONDS = 30
export const BANK_AWAY: Failure<'bank.unavailable', never> = {
  tag: 'refused',
  code: 'bank.unavailable',
  retryAfterSeconds: ASK_AGAIN_SECONDS,
}

/** What whoever asked is told of money that did not leave. */
export const notLeftBy = (why: string): Failure<'bank.refused' | 'bank.unavailable', never> =>
  why === UNAVAILABLE ? BANK_AWAY : refusal('bank.refused', why)

import { throttleIn } from '../../../office/throttle.ts'

export { type Throttle, throttleId } from '../../../office/throttle.ts'

/** Guesses at the login, at a key and at one's own password count together. Source: decisions.md §1 and §12, People. */
export const { throttles, decideTry, uncountTry, forgetTries, loginThrottle } = throttleIn('payments')

import type { Failure } from '../../../failure.ts'
import { type Either, isLeft } from '../../../fp.ts'
import type { Fresh } from '../../../kernel/running/fresh/fresh.ts'
import { inLine } from '../../../kernel/running/in-line.ts'
import { decided, type RunnerCode, useCase } from '../../../kernel/running/use-case.ts'
import { byId } from '../../../ports/store.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { countTry, type Throttle, throttleId, throttles } from './throttle.ts'

/**
 * Guesses at what an e-mail signs in with, from one address: each is counted before it is compared, and they wait for each
 * other, so that five wrong ones are compared and no more, and right ones never throttle each other. Whoever finds one
 * right forgets them all (`forgetTries`).
 * Fails: `login.throttled`, and what the comparison fails with. Source: decisions.md §1 and §12, People.
 */
export const loginThrottle = (ports: PaymentsPorts) => {
  const line = inLine()
  return <V, C extends string = never, I extends string = never>(
    email: string,
    address: string,
    compare: () => Promise<Either<Failure<C, I>, V>>,
  ): Promise<Either<Failure<C | 'login.throttled' | RunnerCode, I>, V>> => {
    const id = throttleId(email, address)
    return line(id, async () => {
      const counted = await useCase(
        ports,
        (store) => store.find(byId(throttles, id)),
        (known, fresh) => decideTry(known, id, fresh),
      )()
      return isLeft(counted) ? counted : compare()
    })
  }
}

export const decideTry = (known: Throttle | null, id: string, fresh: Fresh) => {
  const counted = countTry(known, id, fresh)
  return isLeft(counted) ? counted : decided(null, counted.right)
}

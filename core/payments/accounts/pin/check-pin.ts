import { failure } from '../../../failure.ts'
import { isLeft, left, right } from '../../../fp.ts'
import { patch } from '../../../kernel/records/change.ts'
import { eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh/fresh.ts'
import { inLine } from '../../../kernel/running/in-line.ts'
import { decided, useCase, useCaseOf, withoutKeys } from '../../../kernel/running/use-case.ts'
import { byId } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { secretVerifier } from '../../secret-verifier.ts'
import { type Account, accounts } from '../account.ts'
import { countPinTry, NO_PIN_TRIES } from './pin-tries.ts'

const NONE = failure('forbidden', 'pin.none')
const MISSING = failure('forbidden', 'pin.missing')
const WRONG = failure('forbidden', 'pin.wrong')
const UNKNOWN = failure('not-found', 'account.unknown')
const PIN = /^[0-9]{6}$/

const isMissing = (pin: unknown): boolean => pin === undefined || pin === null || pin === ''

/**
 * Whether somebody knows the account's PIN. Each guess is counted before it is compared, whatever it looks like, and those of
 * one account wait for each other; one that is missing is none. One counter for all that asks for it, in every process.
 * No key keeps what was right once.
 * Fails: `pin.missing`, `pin.none`, `pin.wrong`, `pin.locked`, `account.unknown`.
 * Source: decisions.md §1 (PIN), §11 (Withdrawals), §12 (Validation).
 */
export const checkPin = (ports: PaymentsPorts) => {
  const line = inLine()
  const isRight = secretVerifier(ports)
  const read = (id: number) => () => ports.store.find(byId(accounts, id))
  return ({ accountId }: Pick<Actor, 'accountId'>, pin: unknown) =>
    withoutKeys(
      useCaseOf<null>()(async () => {
        if (isMissing(pin)) return left(MISSING)
        return line(`${accountId}`, async () => {
          const counted = await useCase(ports, read(accountId), decideTry)()
          if (isLeft(counted)) return counted
          const isKnown =
            typeof pin === 'string' && PIN.test(pin) && (await isRight(`${accountId}`, pin, counted.right))
          if (!isKnown) return left(WRONG)
          const given = await useCase(ports, read(accountId), (account) => decidePinRight(account, counted.right))()
          return isLeft(given) ? given : right(null)
        })
      }),
    )
}

/** Value: the hash to compare with. */
export const decideTry = (account: Account | null, { now }: Pick<Fresh, 'now'>) => {
  if (!account || account.removedAt !== null) return left(UNKNOWN)
  if (account.pinHash === null) return left(NONE)
  const counted = countPinTry(account, now)
  return isLeft(counted) ? counted : decided(account.pinHash, counted.right)
}

/** A right one gives all tries back, unless the PIN is another by now. */
export const decidePinRight = (account: Account | null, checkedHash: string) => {
  if (account?.pinHash !== checkedHash) return left(WRONG)
  return decided(null, patch(accounts, account.id, { set: NO_PIN_TRIES, when: eq('pinHash', checkedHash) }))
}

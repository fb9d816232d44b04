import { isLeft, left, right } from '../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { patch } from '../../kernel/records/change.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, countingUseCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import type { Origin } from '../../office/audit.ts'
import type { Store } from '../../ports/store.ts'
import { LETTERS } from '../access/codes/code-format.ts'
import type { CodeTries } from '../access/codes/code-tries.ts'
import { type RightCode, readCounted, tryCode, uncountRight } from '../access/codes/try-code.ts'
import { wrongCode } from '../access/codes/verify-email.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { mailedCodes, registrationTriesId, unconfirmed } from './codes/registration-code.ts'
import { undocumentedUntil } from './lapse-registration.ts'
import {
  findRegistration,
  NO_REGISTRATION,
  type Registration,
  type registrationPair,
  registrations,
  type ShownRegistration,
  shownRegistration,
} from './registration.ts'
import { lettersField, pairFields } from './registration-fields.ts'

/** A registration, and the code that was mailed to it. */
export const confirmation = input('RegistrationConfirmation', { ...pairFields, code: lettersField })

export type RegistrationConfirmation = InputOf<typeof confirmation>

interface Facts {
  readonly found: Registration | null
  readonly counts: readonly (CodeTries | null)[]
}

/**
 * Confirms the e-mail of a registration by the code that was mailed to it.
 * Fails: `fields`, `registration.unknown`, `code.invalid` (also where it is confirmed already), `code.throttled`.
 * Source: decisions.md §1, Onboarding; §12, Codes.
 */
export const confirmRegistration = (ports: PaymentsPorts) => {
  // Tries at one code wait for each other: their counts would contend.
  const line = serialByName()
  return (given: RegistrationConfirmation, origin: Origin | null = null) =>
    withValidInput(ports, confirmation, given, ({ code: typed, ...pair }) =>
      useCaseOf<ShownRegistration>()((hooks) =>
        line(`${pair.registrationId}`, async () => {
          const tried = await tryCode(ports, (store) => findLetters(store, pair), {
            subject: registrationTriesId(pair.registrationId),
            typed,
            short: LETTERS,
            origin,
            wrong: wrongCode(),
          })
          if (isLeft(tried)) return tried
          return countingUseCase(
            ports,
            async (store) => ({
              found: await findRegistration(store, pair),
              counts: await readCounted(store, tried.right),
            }),
            (facts, fresh) => decideConfirmation(facts, tried.right, fresh),
          )(hooks)
        }),
      ),
    )
}

const findLetters = async (store: Store, pair: DecodedOf<typeof registrationPair>) => {
  const found = await findRegistration(store, pair)
  return found ? right(mailedCodes(found)) : left(NO_REGISTRATION)
}

const decideConfirmation = ({ found, counts }: Facts, tried: RightCode, { now, steady }: Fresh) => {
  if (!found) return left(NO_REGISTRATION)
  if (mailedCodes(found)?.codeId !== tried.codeId) return left(wrongCode())
  const set = {
    state: 'PENDING_DOCUMENTS',
    codeHash: null,
    confirmedAt: now,
    dueAt: undocumentedUntil(steady),
    updatedAt: now,
  } as const
  return accept(
    right(shownRegistration({ ...found, ...set })),
    patch(registrations, found.id, { set, when: unconfirmed(tried.codeId) }),
    ...uncountRight(tried, counts, steady),
  )
}

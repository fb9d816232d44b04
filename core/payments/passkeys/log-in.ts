import { type Either, failure, isLeft, left, right } from '../../failure.ts'
import { type InputOf, input } from '../../kernel/input/mod.ts'
import { accept, countingUseCase, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import { guardedField, unchangedUser } from '../access/log-in.ts'
import { endSessions, type SignInResult, signIn, surplusSession } from '../access/session.ts'
import { checkLock, factorOf } from '../challenges/factor.ts'
import { users } from '../members/user.ts'
import type { Origin, PaymentsPorts } from '../payments-ports.ts'
import { type AssertionOf, judge, readAssertion, responseFields, verifyResponse } from './assertion.ts'
import { beginCeremony, verifierOf } from './ceremony.ts'
import type { PasskeyRequest } from './credential-json.ts'

/** Begins a log-in by a passkey alone, which counts as both factors: the device must verify the person. */
export const beginPasskeyLogIn = (ports: PaymentsPorts) => () =>
  useCase(
    ports,
    () => null,
    (_, fresh) => {
      const verifier = verifierOf(ports)
      if (isLeft(verifier)) return verifier
      const { ceremony, change } = beginCeremony(fresh, LOG_IN.kind, LOG_IN.subject)
      const { site } = verifier.right
      return accept<PasskeyRequest>({ ceremony, site, known: [], requiresVerification: true }, change)
    },
  )

const LOG_IN: AssertionOf = { kind: 'log-in', subject: null }

export const passkeyLogIn = input('PasskeyLogIn', { ...responseFields, guarded: guardedField })

export type PasskeyLogIn = InputOf<typeof passkeyLogIn>

/** The failure for every response that opens no session, whatever is wrong with it. */
const WRONG_PASSKEY = failure('unauthorized', 'passkey.wrong')

type LoggedIn = Either<typeof WRONG_PASSKEY, SignInResult>

export const logInByPasskey = (ports: PaymentsPorts) => (submitted: PasskeyLogIn, origin: Origin) =>
  withValidInput(ports, passkeyLogIn, submitted, ({ guarded: isGuarded = false, ...response }) =>
    useCaseOf<SignInResult>()(async (hooks) => {
      const verified = await verifyResponse(ports, response, LOG_IN, { requiresVerification: true })
      if (isLeft(verified)) return verified
      return countingUseCase(
        ports,
        async (store) => {
          const records = await readAssertion(store, response, LOG_IN, ports.clock.steady())
          const userId = records.passkey?.userId ?? 0
          const { user, factor, surplus } = await store.read({
            user: byId(users, userId),
            factor: factorOf(userId),
            surplus: surplusSession(userId, 'sign-in'),
          })
          return { records, user, factor, surplus: surplus.records }
        },
        ({ records, user, factor, surplus }, fresh) => {
          const { passkey, changes } = judge(records, verified.right, origin, fresh)
          if (!passkey || user?.removedAt !== null) return accept<LoggedIn>(left(WRONG_PASSKEY), ...changes)
          const unlocked = checkLock(factor, fresh.steady)
          if (isLeft(unlocked)) return unlocked
          const { result, change } = signIn(ports, fresh, user, origin, { isGuarded, secondFactorAt: fresh.now })
          const ended = endSessions(surplus, fresh.now)
          return accept<LoggedIn>(right(result), ...changes, unchangedUser(user), ...ended, change)
        },
      )(hooks)
    }),
  )

import { failure, left } from '../../failure.ts'
import { flag, nullable, output, timestamp, view } from '../../kernel/input/mod.ts'
import { accept, readUseCase, useCase } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { byId } from '../../ports/store.ts'
import { INVALID_TOKEN } from '../access/session.ts'
import { openChallenge } from '../challenges/challenge.ts'
import { factorOf, proofKindsOf } from '../challenges/factor.ts'
import { users } from '../members/user.ts'
import type { Origin, PaymentsPorts, Person } from '../payments-ports.ts'

/** The second factor of a person, without its secrets. */
export interface FactorOverview {
  readonly isOn: boolean
  readonly hasApp: boolean
  readonly passkeys: number
  readonly recoveryCodesLeft: number
  readonly lockedUntil: Instant | null
}

export const readFactor =
  ({ store, clock }: Pick<PaymentsPorts, 'store' | 'clock'>) =>
  ({ userId }: Pick<Person, 'userId'>) =>
    readUseCase('token.invalid', async (): Promise<FactorOverview | null> => {
      const { user, factor } = await store.read({ user: byId(users, userId), factor: factorOf(userId) })
      const lockedUntil = factor?.lockedUntil ?? null
      return (
        user && {
          isOn: user.secondFactorAt !== null,
          hasApp: (factor?.totpSealed ?? null) !== null,
          passkeys: factor?.passkeys ?? 0,
          recoveryCodesLeft: factor?.recoveryDigests.length ?? 0,
          lockedUntil: lockedUntil !== null && lockedUntil > clock.steady() ? lockedUntil : null,
        }
      )
    })

export const factorView = view(
  'SecondFactor',
  {
    isOn: flag({ wire: 'enabled', about: 'Se o login pede o segundo fator' }),
    hasApp: flag({ wire: 'app', about: 'Se há um aplicativo autenticador' }),
    passkeys: output.count({ about: 'Quantas passkeys há' }),
    recoveryCodesLeft: output.count({ about: 'Quantos códigos de recuperação ainda não foram usados' }),
    lockedUntil: nullable(timestamp({ about: 'Até quando códigos errados o bloqueiam; nulo se não está bloqueado' })),
  },
  (factor: FactorOverview) => factor,
)

export const challengeSelf =
  (ports: PaymentsPorts) =>
  ({ userId }: Pick<Person, 'userId'>, origin: Origin | null = null) =>
    useCase(
      ports,
      (store) => store.read({ user: byId(users, userId), factor: factorOf(userId) }),
      ({ user, factor }, fresh) => {
        if (!user || user.removedAt !== null) return left(INVALID_TOKEN)
        if (user.secondFactorAt === null) return left(failure('conflict', 'second-factor.off'))
        const { challenge, change } = openChallenge(ports, fresh, {
          userId,
          purpose: 'confirmation',
          accepts: [...proofKindsOf(factor)],
          isGuarded: false,
          device: origin?.device ?? null,
        })
        return accept(challenge, change)
      },
    )

import { flag, type InputOf, input, optional, secret } from '../../kernel/input/mod.ts'
import { type Fresh, withValidInput } from '../../kernel/running/use-case.ts'
import { digitsAndLetters } from '../../kernel/values/text.ts'
import type { Origin } from '../../office/audit.ts'
import type { Cipher, Digest } from '../../ports/runtime.ts'
import { type Factor, factors } from '../challenges/factor.ts'
import type { Proof } from '../challenges/proof.ts'
import type { PaymentsPorts, Person } from '../payments-ports.ts'
import { matchRecoveryCode } from './recovery-codes.ts'
import { completeLogIn, type Proving, proveChallenge } from './second-step.ts'
import { fromBase32, matchTotp } from './totp.ts'

const MAX_TYPED = 40

/** A typed code. A text that cannot be a code is a wrong code, not a wrong field. */
export const codeField = secret({
  max: MAX_TYPED,
  about: 'Código do aplicativo autenticador, ou um código de recuperação',
})

const proofFields = { challenge: secret({ max: 64, about: 'O desafio recebido' }), code: codeField }

/** A typed code that completes a log-in. */
export const logInCode = input('LogInCode', {
  ...proofFields,
  trustDevice: optional(flag({ about: 'Se este dispositivo não pede o segundo fator por 30 dias' })),
})

export type LogInCode = InputOf<typeof logInCode>

/** A typed code that answers a challenge of a signed-in person. */
export const challengeCode = input('ChallengeCode', proofFields)

export type ChallengeCode = InputOf<typeof challengeCode>

export const sealedSecretContext = (userId: number): string => `${factors.name}/${userId}/totp`

/** Returns the proof by a code of the app (six digits) or a recovery code; null for a wrong or used code. */
export const proofByCode = (
  { cipher, digest }: { readonly cipher: Cipher; readonly digest: Digest },
  userId: number,
  factor: Factor,
  typed: string,
  { now }: Pick<Fresh, 'now'>,
): Proof | null => {
  const bare = digitsAndLetters(typed).toUpperCase()
  if (/^[0-9]{6}$/.test(bare)) {
    if (factor.totpSealed === null) return null
    const secret = fromBase32(cipher.open(factor.totpSealed, sealedSecretContext(userId)))
    const step = matchTotp(digest, secret, bare, { now, lastStep: factor.totpStep })
    return step === null ? null : { kind: 'totp', factor: { totpStep: step } }
  }
  const recoveryDigests = matchRecoveryCode(digest, userId, factor.recoveryDigests, bare)
  return recoveryDigests && { kind: 'recovery-code', factor: { recoveryDigests: [...recoveryDigests] } }
}

const byCode = (ports: PaymentsPorts, typed: string): Proving => ({
  read: async () => null,
  verify: ({ challenge, factor }, _, fresh) =>
    proofByCode(ports, challenge.userId, factor, typed, fresh) ?? { wrong: [] },
})

export const completeLogInByCode = (ports: PaymentsPorts) => (submitted: LogInCode, origin: Origin) =>
  withValidInput(ports, logInCode, submitted, ({ challenge, code, trustDevice = false }) =>
    completeLogIn(ports, challenge, { origin, isTrusted: trustDevice }, byCode(ports, code)),
  )

export const proveByCode =
  (ports: PaymentsPorts) =>
  (person: Pick<Person, 'userId'>, submitted: ChallengeCode, origin: Origin | null = null) =>
    withValidInput(ports, challengeCode, submitted, ({ challenge, code }) =>
      proveChallenge(ports, { ...person, origin }, challenge, byCode(ports, code)),
    )

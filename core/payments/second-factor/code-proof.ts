import { flag, type InputOf, input, optional, secret } from '../../kernel/input/mod.ts'
import { type Fresh, withValidInput } from '../../kernel/running/use-case.ts'
import { digitsAndLetters } from '../../kernel/values/text.ts'
import type { Cipher, Digest } from '../../ports/runtime.ts'
import { LONG } from '../access/code-tries.ts'
import { type Factor, factors } from '../challenges/factor.ts'
import type { Proof } from '../challenges/proof.ts'
import type { Origin, PaymentsPorts, Person } from '../payments-ports.ts'
import { completeLogIn, type ProofCheck, proveChallenge } from './second-step.ts'
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

export const RECOVERY_CODES = 10
/** 80 random bits: a digest of them cannot be searched, so that no slow hash is needed. */
const CHARACTERS = 16
const GROUP = /.{4}(?=.)/g

const digestOf = ({ sha256 }: Pick<Digest, 'sha256'>, userId: number, bare: string): string =>
  sha256(`recovery|${userId}|${bare}`)

/** Draws ten recovery codes, in groups of four characters, and their digests. */
export const drawRecoveryCodes = (
  digest: Pick<Digest, 'sha256'>,
  userId: number,
  fresh: Pick<Fresh, 'text'>,
): { readonly codes: readonly string[]; readonly digests: string[] } => {
  const drawn = Array.from({ length: RECOVERY_CODES }, () => fresh.text(LONG.alphabet, CHARACTERS))
  return {
    codes: drawn.map((code) => code.replace(GROUP, '$&-')),
    digests: drawn.map((code) => digestOf(digest, userId, code)),
  }
}

/** Returns the digests that are left after a recovery code was used; null if it is none of them. */
const matchRecoveryCode = (
  digest: Pick<Digest, 'sha256' | 'equal'>,
  userId: number,
  digests: readonly string[],
  bare: string,
): readonly string[] | null => {
  const typed = digestOf(digest, userId, bare)
  const left = digests.filter((each) => !digest.equal(each, typed))
  return left.length < digests.length ? left : null
}

export const sealedSecretContext = (userId: number): string => `${factors.name}/${userId}/totp`

/** Returns the proof by a code of the app (six digits) or a recovery code; null for a wrong or used code. */
export const proofByCode = (
  { cipher, digest }: { readonly cipher: Cipher; readonly digest: Digest },
  userId: number,
  factor: Factor,
  typed: string,
  { now }: Pick<Fresh, 'now'>,
): Proof | null => {
  const code = digitsAndLetters(typed).toUpperCase()
  if (/^[0-9]{6}$/.test(code)) {
    if (factor.totpSealed === null) return null
    const secret = fromBase32(cipher.open(factor.totpSealed, sealedSecretContext(userId)))
    const step = matchTotp(digest, secret, code, { now, lastStep: factor.totpStep })
    return step === null ? null : { kind: 'totp', factor: { totpStep: step } }
  }
  const recoveryDigests = matchRecoveryCode(digest, userId, factor.recoveryDigests, code)
  return recoveryDigests && { kind: 'recovery-code', factor: { recoveryDigests: [...recoveryDigests] } }
}

const byCode = (ports: PaymentsPorts, typed: string): ProofCheck => ({
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

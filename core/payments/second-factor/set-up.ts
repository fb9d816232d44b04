import { type Either, failure, isLeft, left, right } from '../../failure.ts'
import { flag, type InputOf, input, list, nullable, output, secret, timestamp, view } from '../../kernel/input/mod.ts'
import { all, type Change, eq, patch } from '../../kernel/records/record.ts'
import { accept, countingUseCase, type Fresh, readUseCase, withValidInput } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { encodeBase64 } from '../../kernel/values/encoding.ts'
import { byId, type QueryResults } from '../../ports/store.ts'
import { passwordUseCase, type VerifiedUser } from '../access/confirm-password.ts'
import { forgetTries } from '../access/log-in.ts'
import { aliveSessions, endSessions, INVALID_TOKEN, type Session, sessions } from '../access/session.ts'
import {
  changeFactor,
  checkLock,
  countWrongProof,
  factorMail,
  factorOf,
  recordRecoveryUse,
} from '../challenges/factor.ts'
import { WRONG_PROOF } from '../challenges/proof.ts'
import { auditUser, mailUser, type User, users } from '../members/user.ts'
import type { Origin, PaymentsPorts, Person } from '../payments-ports.ts'
import { codeField, drawRecoveryCodes, proofByCode, RECOVERY_CODES, sealedSecretContext } from './code-proof.ts'
import { base32, fromBase32, matchTotp, otpauthUri, SECRET_BYTES } from './totp.ts'

type Caller = Pick<Person, 'userId' | 'sessionId'>

const SET_UP_SECONDS = 600

const FACTOR_SET = failure('conflict', 'second-factor.set')
const NO_SET_UP = failure('conflict', 'second-factor.no-set-up')
export const FACTOR_OFF = failure('conflict', 'second-factor.off')

const passwordField = secret({ about: 'Senha' })

export const setUpStart = input('SecondFactorSetUp', { password: passwordField })
export type SetUpStart = InputOf<typeof setUpStart>

export const setUpConfirmation = input('SecondFactorConfirmation', { code: codeField })
export type SetUpConfirmation = InputOf<typeof setUpConfirmation>

export const factorRemoval = input('SecondFactorRemoval', { password: passwordField, code: codeField })
export type FactorRemoval = InputOf<typeof factorRemoval>

/** The factor and the sessions that a change of it ends, the caller's included. */
const factorQueries = (userId: number) => ({ factor: factorOf(userId), alive: aliveSessions(userId) })

type FactorFacts = QueryResults<ReturnType<typeof factorQueries>>

/** A TOTP secret that waits for its first code; shown once. */
export interface SetUp {
  readonly secret: string
  /** The `otpauth://` URI of the QR code. */
  readonly uri: string
  readonly qrPng: Uint8Array
  readonly expiresAt: Instant
}

export const startSetUp = (ports: PaymentsPorts) => {
  const afterPassword = passwordUseCase(ports)
  const drawSecret = async ({ email }: User) => {
    const secret = base32(ports.random.bytes(SECRET_BYTES))
    const uri = otpauthUri(email, secret)
    return { secret, uri, qrPng: await ports.qrRenderer.qrPng(uri) }
  }
  return (caller: Caller, submitted: SetUpStart, origin: Origin) =>
    withValidInput(ports, setUpStart, submitted, ({ password }) =>
      afterPassword(
        caller,
        { password, origin },
        drawSecret,
        (store, queries) => store.read({ ...queries, factor: factorOf(caller.userId) }),
        ({ user, factor, throttle }, drawn, fresh) => {
          if (factor?.totpSealed) return left(FACTOR_SET)
          const expiresAt = addSeconds(fresh.steady, SET_UP_SECONDS)
          const pendingSealed = ports.cipher.seal(drawn.secret, sealedSecretContext(user.id))
          return accept(
            right<never, SetUp>({ ...drawn, expiresAt }),
            ...forgetTries(throttle),
            changeFactor(factor, user.id, { pendingSealed, pendingUntil: expiresAt }, fresh.now),
          )
        },
      ),
    )
}

export const setUpView = view(
  'SecondFactorSecret',
  {
    secret: output.text({ about: 'Segredo em base32, para quem não lê o QR code' }),
    uri: output.text({ about: 'Endereço `otpauth://` do QR code' }),
    qrCode: output.text({ about: 'QR code em PNG, como data URI' }),
    expiresAt: timestamp({ about: 'Até quando o primeiro código confirma a ativação' }),
  },
  ({ qrPng, ...setUp }: SetUp) => ({ ...setUp, qrCode: `data:image/png;base64,${encodeBase64(qrPng)}` }),
)

/** Ten recovery codes; shown once. */
export interface RecoveryCodes {
  readonly recoveryCodes: readonly string[]
}

export const recoveryCodesView = view(
  'RecoveryCodes',
  {
    recoveryCodes: list(output.text(), {
      max: RECOVERY_CODES,
      about:
        'Códigos de recuperação, cada um usado uma vez no lugar do código do aplicativo; não são mostrados de novo',
    }),
  },
  ({ recoveryCodes }: RecoveryCodes) => ({ recoveryCodes: [...recoveryCodes] }),
)

export const confirmSetUp =
  (ports: PaymentsPorts) =>
  (caller: Caller, submitted: SetUpConfirmation, origin: Origin | null = null) =>
    withValidInput(ports, setUpConfirmation, submitted, ({ code }) =>
      countingUseCase(
        ports,
        (store) => store.read({ user: byId(users, caller.userId), ...factorQueries(caller.userId) }),
        (facts, fresh) => decideConfirm(ports, facts, caller, code, origin, fresh),
      ),
    )

type CountedOutcome<V> = Either<typeof WRONG_PROOF, V>

const decideConfirm = (
  ports: PaymentsPorts,
  { user, factor, alive }: FactorFacts & { readonly user: User | null },
  { sessionId }: Caller,
  code: string,
  origin: Origin | null,
  fresh: Fresh,
) => {
  if (!user || user.removedAt !== null) return left(INVALID_TOKEN)
  if (!factor?.pendingSealed || (factor.pendingUntil ?? '') <= fresh.steady) return left(NO_SET_UP)
  const unlocked = checkLock(factor, fresh.steady)
  if (isLeft(unlocked)) return unlocked
  const secret = fromBase32(ports.cipher.open(factor.pendingSealed, sealedSecretContext(user.id)))
  const step = matchTotp(ports.digest, secret, code.trim(), { now: fresh.now, lastStep: null })
  if (step === null)
    return accept<CountedOutcome<RecoveryCodes>>(
      left(WRONG_PROOF),
      ...countWrongProof(ports, factor, user, origin, fresh),
    )
  const { codes, digests } = drawRecoveryCodes(ports.digest, user.id, fresh)
  const set = {
    totpSealed: factor.pendingSealed,
    totpStep: step,
    pendingSealed: null,
    pendingUntil: null,
    recoveryDigests: digests,
  }
  return accept<CountedOutcome<RecoveryCodes>>(
    right({ recoveryCodes: codes }),
    changeFactor(factor, user.id, set, fresh.now),
    ...switchFactor(user, { isOn: true, alive: alive.records, sessionId }, fresh),
    mailUser(ports.cipher, fresh, user, factorMail(user.name, 'enabled')),
    ...auditUser(fresh, { userId: user.id, origin }, user.id, 'second-factor.enabled'),
  )
}

/**
 * Returns the changes after a change of the factor: every other session ends, and trusted devices are void. The session
 * of the request continues, as one that proved the factor if it is on; `sessionId` is null if the request is of another
 * person.
 */
export const switchFactor = (
  { id, secondFactorAt }: Pick<User, 'id' | 'secondFactorAt'>,
  change: { readonly isOn: boolean; readonly alive: readonly Session[]; readonly sessionId: string | null },
  { now }: Pick<Fresh, 'now'>,
): readonly Change[] => {
  const { isOn, alive, sessionId } = change
  const at = isOn ? now : null
  const others = alive.filter((session) => session.id !== sessionId)
  const when = all(eq('removedAt', null), eq('secondFactorAt', secondFactorAt))
  return [
    patch(users, id, { set: { secondFactorAt: at }, when }),
    ...(sessionId === null
      ? []
      : [patch(sessions, sessionId, { set: { secondFactorAt: at }, when: eq('endedAt', null) })]),
    ...endSessions(others, now),
  ]
}

/** Removes the secret of the authenticator app. A person with passkeys keeps them, and with them the second factor. */
export const removeFactor = (ports: PaymentsPorts) => {
  const afterPassword = passwordUseCase(ports)
  return (caller: Caller, submitted: FactorRemoval, origin: Origin) =>
    withValidInput(ports, factorRemoval, submitted, ({ password, code }) =>
      afterPassword(
        caller,
        { password, origin },
        () => null,
        (store, queries) => store.read({ ...queries, ...factorQueries(caller.userId) }),
        (facts, _, fresh) => decideRemove(ports, facts, caller, code, origin, fresh),
      ),
    )
}

const decideRemove = (
  ports: PaymentsPorts,
  { user, factor, alive, throttle }: FactorFacts & VerifiedUser,
  { sessionId }: Caller,
  code: string,
  origin: Origin,
  fresh: Fresh,
) => {
  if (!factor?.totpSealed) return left(FACTOR_OFF)
  const unlocked = checkLock(factor, fresh.steady)
  if (isLeft(unlocked)) return unlocked
  if (!proofByCode(ports, user.id, factor, code, fresh)) {
    const counted = countWrongProof(ports, factor, user, origin, fresh)
    return accept<CountedOutcome<null>>(left(WRONG_PROOF), ...forgetTries(throttle), ...counted)
  }
  const isOn = factor.passkeys > 0
  const set = { totpSealed: null, totpStep: null, recoveryDigests: isOn ? factor.recoveryDigests : [] }
  return accept<CountedOutcome<null>>(
    right(null),
    ...forgetTries(throttle),
    changeFactor(factor, user.id, set, fresh.now),
    ...switchFactor(user, { isOn, alive: alive.records, sessionId }, fresh),
    mailUser(ports.cipher, fresh, user, factorMail(user.name, 'removed')),
    ...auditUser(fresh, { userId: user.id, origin }, user.id, 'second-factor.removed'),
  )
}

export const replaceRecoveryCodes =
  (ports: PaymentsPorts) =>
  ({ userId }: Pick<Caller, 'userId'>, submitted: SetUpConfirmation, origin: Origin | null = null) =>
    withValidInput(ports, setUpConfirmation, submitted, ({ code }) =>
      countingUseCase(
        ports,
        (store) => store.read({ user: byId(users, userId), factor: factorOf(userId) }),
        ({ user, factor }, fresh) => {
          if (!user || user.removedAt !== null) return left(INVALID_TOKEN)
          if (!factor || user.secondFactorAt === null) return left(FACTOR_OFF)
          const unlocked = checkLock(factor, fresh.steady)
          if (isLeft(unlocked)) return unlocked
          const proof = proofByCode(ports, user.id, factor, code, fresh)
          if (!proof) {
            const counted = countWrongProof(ports, factor, user, origin, fresh)
            return accept<CountedOutcome<RecoveryCodes>>(left(WRONG_PROOF), ...counted)
          }
          const { codes, digests } = drawRecoveryCodes(ports.digest, user.id, fresh)
          return accept<CountedOutcome<RecoveryCodes>>(
            right({ recoveryCodes: codes }),
            changeFactor(factor, user.id, { ...proof.factor, recoveryDigests: digests }, fresh.now),
            ...(proof.kind === 'recovery-code' ? recordRecoveryUse(ports, user, origin, fresh) : []),
            ...auditUser(fresh, { userId: user.id, origin }, user.id, 'recovery-codes.replaced'),
          )
        },
      ),
    )

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

export const factorView = view('SecondFactor', {
  isOn: flag({ wire: 'enabled', about: 'Se o login pede o segundo fator' }),
  hasApp: flag({ wire: 'app', about: 'Se há um aplicativo autenticador' }),
  passkeys: output.count({ about: 'Quantas passkeys há' }),
  recoveryCodesLeft: output.count({ about: 'Quantos códigos de recuperação ainda não foram usados' }),
  lockedUntil: nullable(timestamp({ about: 'Até quando códigos errados o bloqueiam; nulo se não está bloqueado' })),
})

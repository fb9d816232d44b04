import { type Either, failure, isLeft, left, right } from '../../failure.ts'
import { type DecodedOf, flag, type InputOf, input, optional, secret } from '../../kernel/input/mod.ts'
import type { Change } from '../../kernel/records/record.ts'
import {
  accept,
  countingUseCase,
  type Fresh,
  type UseCase,
  useCase,
  useCaseOf,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import type { PasskeyFacts } from '../../ports/passkeys.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { guardedField, unchangedUser } from '../access/log-in.ts'
import { endSessions, type SignInResult, signIn, surplusSession } from '../access/session.ts'
import { challengeId } from '../challenges/challenge.ts'
import { checkLock, factorOf } from '../challenges/factor.ts'
import { continuesCounter, type Passkey, passkeys, passkeysOf, usePasskey } from '../challenges/passkey.ts'
import { openChallengeOf, readChallenge } from '../challenges/proof.ts'
import { auditUser, users } from '../members/user.ts'
import type { Origin, PaymentsPorts, Person } from '../payments-ports.ts'
import { completeLogIn, type ProofCheck, proveChallenge } from '../second-factor/second-step.ts'
import { beginCeremony, type Ceremony, endCeremony, findCeremony, handleOf, verifierOf } from './ceremony.ts'
import { type AssertedCredential, assertedCredential, ceremonyField, type PasskeyRequest } from './credential-json.ts'

/** The fields of the response of an authenticator to a request. */
const responseFields = { ceremony: ceremonyField, credential: assertedCredential }

/** The code of a challenge, which only the sender of the password has received. */
const challengeField = secret({ max: 64, about: 'O desafio que pede o segundo fator' })

export const passkeyChallenge = input('PasskeyChallenge', { challenge: challengeField })
export type PasskeyChallenge = InputOf<typeof passkeyChallenge>

export const beginProof = (ports: PaymentsPorts) => (submitted: PasskeyChallenge) =>
  withValidInput(ports, passkeyChallenge, submitted, ({ challenge: code }) =>
    useCase(
      ports,
      async (store) => {
        const facts = await readChallenge(ports, store, code)
        const { records: known } = facts.user ? await store.list(passkeysOf(facts.user.id)) : { records: [] }
        return { facts, known }
      },
      ({ facts, known }, fresh) => {
        const verifier = verifierOf(ports)
        if (isLeft(verifier)) return verifier
        const open = openChallengeOf(facts, facts.challenge?.purpose ?? 'log-in', fresh.steady)
        if (isLeft(open)) return open
        if (known.length === 0) return left(NO_PASSKEY)
        const { ceremony, change } = beginCeremony(fresh, 'prove', challengeId(ports, code))
        const { site } = verifier.right
        return accept<PasskeyRequest>({ ceremony, site, known, requiresVerification: false }, change)
      },
    ),
  )

const NO_PASSKEY = failure('refused', 'passkey.none')

const proofFields = { challenge: challengeField, ...responseFields }

export const passkeyProof = input('PasskeyProof', proofFields)
export type PasskeyProof = InputOf<typeof passkeyProof>

export const passkeySecondStep = input('PasskeySecondStep', {
  ...proofFields,
  trustDevice: optional(flag({ about: 'Se, por 30 dias, este dispositivo dispensa o segundo fator' })),
})
export type PasskeySecondStep = InputOf<typeof passkeySecondStep>

export const completeByPasskey = (ports: PaymentsPorts) => (submitted: PasskeySecondStep, origin: Origin) =>
  withValidInput(ports, passkeySecondStep, submitted, ({ trustDevice: isTrusted = false, ...proof }) =>
    afterVerifying(ports, proof, origin, (proving) =>
      completeLogIn(ports, proof.challenge, { origin, isTrusted }, proving),
    ),
  )

export const proveByPasskey =
  (ports: PaymentsPorts) => (caller: Pick<Person, 'userId' | 'origin'>, submitted: PasskeyProof) =>
    withValidInput(ports, passkeyProof, submitted, (proof) =>
      afterVerifying(ports, proof, caller.origin ?? null, (proving) =>
        proveChallenge(ports, caller, proof.challenge, proving),
      ),
    )

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

export const passkeyLogIn = input('PasskeyLogIn', { ...responseFields, guarded: guardedField })
export type PasskeyLogIn = InputOf<typeof passkeyLogIn>

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
          const { passkey, changes } = decideAssertion(records, verified.right, origin, fresh)
          if (!passkey || user?.removedAt !== null) return accept<LogInOutcome>(left(WRONG_PASSKEY), ...changes)
          const unlocked = checkLock(factor, fresh.steady)
          if (isLeft(unlocked)) return unlocked
          const { result, change } = signIn(ports, fresh, user, origin, { isGuarded, secondFactorAt: fresh.now })
          const ended = endSessions(surplus, fresh.now)
          return accept<LogInOutcome>(right(result), ...changes, unchangedUser(user), ...ended, change)
        },
      )(hooks)
    }),
  )

/** The failure for every response that opens no session, whatever is wrong with it. */
const WRONG_PASSKEY = failure('unauthorized', 'passkey.wrong')

type LogInOutcome = Either<typeof WRONG_PASSKEY, SignInResult>

const LOG_IN: AssertionOf = { kind: 'log-in', subject: null }

/** The purpose of a ceremony: to prove a challenge, or to log in by a passkey alone. */
type AssertionOf = Pick<Ceremony, 'kind' | 'subject'>

type Proof = DecodedOf<typeof passkeyProof>

const purposeOf = (ports: Pick<PaymentsPorts, 'digest'>, { challenge }: Proof): AssertionOf => ({
  kind: 'prove',
  subject: challengeId(ports, challenge),
})

/** Verifies a response, and runs the use case that decides on it. */
const afterVerifying = <V, C extends string>(
  ports: PaymentsPorts,
  proof: Proof,
  origin: Origin | null,
  run: (proving: ProofCheck<AssertionRecords>) => UseCase<V, C, never>,
) =>
  useCaseOf<V>()<C | 'passkeys.off', never>(async (hooks) => {
    const verified = await verifyResponse(ports, proof, purposeOf(ports, proof), { requiresVerification: false })
    return isLeft(verified) ? verified : run(provingOf(ports, proof, verified.right, origin))(hooks)
  })

/** Decides in the commit on a response that was verified. A passkey of another person is a wrong one. */
const provingOf = (
  ports: Pick<PaymentsPorts, 'clock' | 'digest'>,
  proof: Proof,
  verified: Verified,
  origin: Origin | null,
): ProofCheck<AssertionRecords> => ({
  read: (store) => readAssertion(store, proof, purposeOf(ports, proof), ports.clock.steady()),
  verify: ({ user }, records, fresh) => {
    const isOwn = records.passkey?.userId === user.id
    const { passkey, changes } = decideAssertion(records, isOwn ? verified : null, origin, fresh)
    return passkey ? { kind: 'passkey', factor: {}, changes } : { wrong: changes }
  },
})

const response = input(null, responseFields)
type Response = DecodedOf<typeof response>

/** The open ceremony of a response and the passkey that it names, as stored. */
interface AssertionRecords {
  readonly ceremony: Ceremony | null
  readonly passkey: Passkey | null
}

const readAssertion = async (
  store: Store,
  { ceremony: id, credential }: Response,
  of: AssertionOf,
  now: Instant,
): Promise<AssertionRecords> => ({
  ceremony: await findCeremony(store, id, of, now),
  passkey: await store.find(byKey(passkeys, 'credential', credential.id)),
})

/** The facts of a response whose signature is right; null for any other response. */
type Verified = PasskeyFacts | null

/**
 * Verifies the signature of a response, before the commit that uses it. The key of a passkey never changes, and a
 * ceremony is used once: the commit needs to read both again, but not to verify again. Fails: `passkeys.off`.
 */
const verifyResponse = async (
  ports: PaymentsPorts,
  response: Response,
  of: AssertionOf,
  { requiresVerification }: { readonly requiresVerification: boolean },
): Promise<Either<NoVerifier, Verified>> => {
  const verifier = verifierOf(ports)
  if (isLeft(verifier)) return verifier
  const { ceremony, passkey } = await readAssertion(ports.store, response, of, ports.clock.steady())
  if (!ceremony || !passkey || !isOwn(ports, response.credential, passkey)) return right(null)
  const { id, response: signed } = response.credential
  const { publicKey } = passkey
  const { challenge } = ceremony
  return right(await verifier.right.verifyAssertion({ id, ...signed }, { challenge, publicKey, requiresVerification }))
}

type NoVerifier = Extract<ReturnType<typeof verifierOf>, { readonly _tag: 'Left' }>['left']

/** Reports whether the authenticator names the person who registered the passkey, or none. */
const isOwn = (ports: PaymentsPorts, { response: { userHandle } }: AssertedCredential, { userId }: Passkey): boolean =>
  userHandle === null || userHandle === handleOf(ports, userId)

/** The passkey of a right response, null for a wrong one, and the changes that use up its ceremony. */
interface AssertionOutcome {
  readonly passkey: Passkey | null
  readonly changes: readonly Change[]
}

/**
 * Decides on a response. A right one must be of the open ceremony, and its counter must continue that of the last use:
 * one that does not is rejected and recorded in the audit of the passkey's person.
 */
const decideAssertion = (
  { ceremony, passkey }: AssertionRecords,
  verified: Verified,
  origin: Origin | null,
  fresh: Fresh,
): AssertionOutcome => {
  if (!ceremony) return { passkey: null, changes: [] }
  const used = endCeremony(ceremony)
  if (!passkey || !verified) return { passkey: null, changes: [used] }
  if (continuesCounter(passkey, verified.counter))
    return { passkey, changes: [used, usePasskey(passkey, verified, fresh)] }
  const { id, userId, counter } = passkey
  const by = { userId: null, origin }
  const changes = { [`passkeys.${id}.counter`]: { from: counter, to: verified.counter } }
  return { passkey: null, changes: [used, ...auditUser(fresh, by, userId, 'passkey.rejected', changes)] }
}

import { failure, isLeft, left } from '../../failure.ts'
import { type DecodedOf, flag, type InputOf, input, optional } from '../../kernel/input/mod.ts'
import { accept, type UseCase, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { challengeId } from '../challenges/challenge.ts'
import { passkeysOf } from '../challenges/passkey.ts'
import { openChallengeOf, readChallenge } from '../challenges/proof.ts'
import type { Origin, PaymentsPorts, Person } from '../payments-ports.ts'
import { completeLogIn, type ProofCheck, proveChallenge } from '../second-factor/second-step.ts'
import {
  type AssertionOf,
  type AssertionRecords,
  challengeField,
  judge,
  readAssertion,
  responseFields,
  type Verified,
  verifyResponse,
} from './assertion.ts'
import { beginCeremony, verifierOf } from './ceremony.ts'
import type { PasskeyRequest } from './credential-json.ts'

export const passkeyChallenge = input('PasskeyChallenge', { challenge: challengeField })

export type PasskeyChallenge = InputOf<typeof passkeyChallenge>

const NO_PASSKEY = failure('refused', 'passkey.none')

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

const proofFields = { challenge: challengeField, ...responseFields }

export const passkeyProof = input('PasskeyProof', proofFields)

export type PasskeyProof = InputOf<typeof passkeyProof>

export const passkeySecondStep = input('PasskeySecondStep', {
  ...proofFields,
  trustDevice: optional(flag({ about: 'Se, por 30 dias, este dispositivo dispensa o segundo fator' })),
})

export type PasskeySecondStep = InputOf<typeof passkeySecondStep>

type Proof = DecodedOf<typeof passkeyProof>

const purposeOf = (ports: Pick<PaymentsPorts, 'digest'>, { challenge }: Proof): AssertionOf => ({
  kind: 'prove',
  subject: challengeId(ports, challenge),
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
    const { passkey, changes } = judge(records, isOwn ? verified : null, origin, fresh)
    return passkey ? { kind: 'passkey', factor: {}, changes } : { wrong: changes }
  },
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

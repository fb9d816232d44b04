import { type Either, failure, isLeft, left, right } from '../../failure.ts'
import { nullable, output, pick, view } from '../../kernel/input/mod.ts'
import { accept, countingUseCase, type Fresh, useCase } from '../../kernel/running/use-case.ts'
import { byId, type Store } from '../../ports/store.ts'
import { unchangedUser } from '../access/log-in.ts'
import {
  endSessions,
  INVALID_TOKEN,
  passwordMark,
  type SignInResult,
  signIn,
  surplusSession,
  tokenView,
} from '../access/session.ts'
import { type Challenge, challengeFields, openChallenge } from '../challenges/challenge.ts'
import { factorOf, proofKindsOf } from '../challenges/factor.ts'
import {
  acceptProof,
  ENDED_CHALLENGE,
  type OpenChallenge,
  openChallengeOf,
  type Proof,
  readChallenge,
  rejectProof,
  WRONG_PROOF,
  type WrongProof,
} from '../challenges/proof.ts'
import { trustDevice } from '../challenges/trusted-device.ts'
import { membershipOf } from '../members/membership.ts'
import { auditUser, users } from '../members/user.ts'
import type { Origin, PaymentsPorts, Person } from '../payments-ports.ts'

/** The result of a completed log-in. */
export interface SecondStepResult extends SignInResult {
  /** The token with which later log-ins on this device need no second step, shown once. Null if not requested. */
  readonly deviceToken: string | null
}

export const secondStepView = view(
  'SecondStep',
  {
    ...tokenView.table,
    deviceToken: nullable(
      output.text({ about: 'Token do dispositivo confiável, a enviar nos próximos logins; nulo se não foi pedido' }),
    ),
  },
  (result: SecondStepResult) => ({ ...tokenView.of(result), deviceToken: result.deviceToken }),
)

/**
 * The verification of a kind of proof: `read` reads its records and the challenge, `verify` compares in the decision.
 */
export interface ProofCheck<F = null> {
  readonly read: (store: Store) => Promise<F>
  readonly verify: (open: OpenChallenge, records: F, fresh: Fresh) => Proof | WrongProof
}

const readLogIn = async (ports: PaymentsPorts, store: Store, code: string) => {
  const facts = await readChallenge(ports, store, code)
  const { challenge, user } = facts
  if (!challenge || !user) return { ...facts, surplus: [], member: null }
  const { records: surplus } = await store.list(surplusSession(user.id, 'sign-in'))
  const { accountId } = challenge
  const member = accountId === null ? null : await store.find(membershipOf(accountId, user.id))
  return { ...facts, surplus, member }
}

/**
 * Completes a log-in by any proof of the second factor: opens the session, which the password alone did not. One commit
 * compares the proof, counts it and uses it up.
 * Fails: `challenge.ended`, `second-factor.locked`, `second-factor.wrong`.
 */
export const completeLogIn = <F>(
  ports: PaymentsPorts,
  code: string,
  { origin, isTrusted }: { readonly origin: Origin; readonly isTrusted: boolean },
  { read, verify }: ProofCheck<F>,
) =>
  countingUseCase(
    ports,
    async (store) => ({ ...(await readLogIn(ports, store, code)), records: await read(store) }),
    ({ surplus, member, records, ...facts }, fresh) => {
      const open = openChallengeOf(facts, 'log-in', fresh.steady)
      if (isLeft(open)) return open
      const { challenge, user } = open.right
      if (challenge.passwordMark !== passwordMark(ports, user.passwordHash)) return left(ENDED_CHALLENGE)
      const proof = verify(open.right, records, fresh)
      if ('wrong' in proof)
        return accept<LogInOutcome>(left(WRONG_PROOF), ...rejectProof(ports, open.right, proof, origin, fresh))
      const device = challenge.device ?? origin.device
      const from = { ...origin, device }
      const { isGuarded } = challenge
      const { result, change } = signIn(ports, fresh, user, from, { member, isGuarded, secondFactorAt: fresh.now })
      const trusted = isTrusted ? trustDevice(ports, user, from, fresh) : null
      return accept<LogInOutcome>(
        right({ ...result, deviceToken: trusted?.token ?? null }),
        ...acceptProof(ports, open.right, proof, origin, fresh),
        unchangedUser(user),
        ...endSessions(surplus, fresh.now),
        change,
        ...(trusted
          ? [trusted.change, ...auditUser(fresh, { userId: user.id, origin }, user.id, 'trusted-device.added')]
          : []),
      )
    },
  )

type LogInOutcome = Either<typeof WRONG_PROOF, SecondStepResult>

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

/**
 * Proves the factor at a challenge of the caller, which then confirms one action (`PURPOSES`).
 * Fails: `challenge.ended`, `second-factor.locked`, `second-factor.wrong`.
 */
export const proveChallenge = <F>(
  ports: PaymentsPorts,
  { userId, origin = null }: Pick<Person, 'userId' | 'origin'>,
  code: string,
  { read, verify }: ProofCheck<F>,
) =>
  countingUseCase(
    ports,
    async (store) => ({ ...(await readChallenge(ports, store, code)), records: await read(store) }),
    ({ records, ...facts }, fresh) => {
      const open = openChallengeOf(facts, 'confirmation', fresh.steady)
      if (isLeft(open)) return open
      if (open.right.user.id !== userId) return left(ENDED_CHALLENGE)
      const proof = verify(open.right, records, fresh)
      if ('wrong' in proof)
        return accept<ProofOutcome>(left(WRONG_PROOF), ...rejectProof(ports, open.right, proof, origin, fresh))
      return accept<ProofOutcome>(
        right({ id: code, expiresAt: open.right.challenge.expiresAt }),
        ...acceptProof(ports, open.right, proof, origin, fresh),
      )
    },
  )

/** A proved challenge, which confirms one action until it expires. */
export type ProvedChallenge = Pick<Challenge, 'id' | 'expiresAt'>

export const provedView = view(
  'ProvedChallenge',
  pick(challengeFields, 'challenge', 'expiresAt'),
  ({ id, expiresAt }: ProvedChallenge) => ({ challenge: id, expiresAt }),
)

type ProofOutcome = Either<typeof WRONG_PROOF, ProvedChallenge>

import { type Either, isLeft, left, right } from '../../failure.ts'
import { accept, countingUseCase, type Fresh } from '../../kernel/running/use-case.ts'
import type { Origin } from '../../office/audit.ts'
import { byKey, type Store } from '../../ports/store.ts'
import { unchangedUser } from '../access/log-in.ts'
import { endSessions, passwordMark, type SignInResult, signIn, surplusSession } from '../access/session.ts'
import {
  acceptProof,
  type Challenge,
  ENDED_CHALLENGE,
  type OpenChallenge,
  openChallengeOf,
  type Proof,
  readChallenge,
  rejectProof,
  WRONG_PROOF,
} from '../challenges/challenge.ts'
import { trustDevice } from '../challenges/trusted-device.ts'
import { memberKey, memberships } from '../members/membership.ts'
import type { PaymentsPorts, Person } from '../payments-ports.ts'

/** The result of a completed log-in. */
export interface SecondStepResult extends SignInResult {
  /** The token with which later log-ins on this device need no second step; shown once. Null if it was not requested. */
  readonly deviceToken: string | null
}

/** Compares a submitted proof with the open challenge: returns the proof if it is right. Runs in the decision. */
export type Verify = (open: OpenChallenge, fresh: Fresh) => Proof | null

const readLogIn = async (store: Store, id: string) => {
  const facts = await readChallenge(store, id)
  const { challenge, user } = facts
  if (!challenge || !user) return { ...facts, surplus: [], member: null }
  const { records: surplus } = await store.list(surplusSession(user.id, 'sign-in'))
  const { accountId } = challenge
  const member =
    accountId === null ? null : await store.find(byKey(memberships, 'member', memberKey(accountId, user.id)))
  return { ...facts, surplus, member }
}

/**
 * Completes a log-in by any proof of the second factor: opens the session that the password alone did not open. The
 * proof is compared, counted and used up in one commit.
 * Fails: `challenge.ended`, `second-factor.locked`, `second-factor.wrong`.
 */
export const completeLogIn = (
  ports: PaymentsPorts,
  challengeId: string,
  { origin, isTrusted }: { readonly origin: Origin; readonly isTrusted: boolean },
  verify: Verify,
) =>
  countingUseCase(
    ports,
    (store) => readLogIn(store, challengeId),
    ({ surplus, member, ...facts }, fresh) => {
      const open = openChallengeOf(facts, 'log-in', fresh.steady)
      if (isLeft(open)) return open
      const { challenge, user } = open.right
      if (challenge.passwordMark !== passwordMark(ports, user.passwordHash)) return left(ENDED_CHALLENGE)
      const proof = verify(open.right, fresh)
      if (!proof) return accept<Stepped>(left(WRONG_PROOF), ...rejectProof(open.right, fresh))
      const device = challenge.device ?? origin.device
      const from = { ...origin, device }
      const { isGuarded } = challenge
      const { result, change } = signIn(ports, fresh, user, from, { member, isGuarded, secondFactorAt: fresh.now })
      const trusted = isTrusted ? trustDevice(ports, user, from, fresh) : null
      return accept<Stepped>(
        right({ ...result, deviceToken: trusted?.token ?? null }),
        ...acceptProof(open.right, proof, fresh),
        unchangedUser(user),
        ...endSessions(surplus, fresh.now),
        change,
        ...(trusted ? [trusted.change] : []),
      )
    },
  )

type Stepped = Either<typeof WRONG_PROOF, SecondStepResult>

/**
 * Proves the factor at a challenge for a withdrawal of the caller, which may then use it once.
 * Fails: `challenge.ended`, `second-factor.locked`, `second-factor.wrong`.
 */
export const proveChallenge = (
  ports: PaymentsPorts,
  { userId }: Pick<Person, 'userId' | 'origin'>,
  challengeId: string,
  verify: Verify,
) =>
  countingUseCase(
    ports,
    (store) => readChallenge(store, challengeId),
    (facts, fresh) => {
      const open = openChallengeOf(facts, 'withdrawal', fresh.steady)
      if (isLeft(open)) return open
      if (open.right.user.id !== userId) return left(ENDED_CHALLENGE)
      const proof = verify(open.right, fresh)
      if (!proof) return accept<Proved>(left(WRONG_PROOF), ...rejectProof(open.right, fresh))
      return accept<Proved>(right(open.right.challenge), ...acceptProof(open.right, proof, fresh))
    },
  )

type Proved = Either<typeof WRONG_PROOF, Pick<Challenge, 'id' | 'expiresAt'>>

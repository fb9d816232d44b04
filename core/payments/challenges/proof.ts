import { type Either, type Failure, failure, isLeft, left, right } from '../../failure.ts'
import { all, type Change, eq, patch } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { byId, type Store } from '../../ports/store.ts'
import { type User, users } from '../members/user.ts'
import type { Origin, PaymentsPorts } from '../payments-ports.ts'
import { type Challenge, challengeId, challenges, type ProofKind, type Purpose } from './challenge.ts'
import { changeFactor, checkLock, countWrongProof, type Factor, factorOf, recordRecoveryUse } from './factor.ts'

/** The number of wrong proofs that ends a challenge. */
const MAX_WRONG_AT_CHALLENGE = 5

export interface ChallengeFacts {
  readonly challenge: Challenge | null
  readonly user: User | null
  readonly factor: Factor | null
}

/** Reads the challenge of a code with its user and factor. */
export const readChallenge = async (
  ports: Pick<PaymentsPorts, 'digest'>,
  store: Store,
  code: string,
): Promise<ChallengeFacts> => {
  const challenge = await store.find(byId(challenges, challengeId(ports, code)))
  if (!challenge) return { challenge, user: null, factor: null }
  const { userId } = challenge
  return { challenge, ...(await store.read({ user: byId(users, userId), factor: factorOf(userId) })) }
}

/** A challenge that accepts a proof now, with its user and factor. */
export interface OpenChallenge {
  readonly challenge: Challenge
  readonly user: User
  readonly factor: Factor
}

/** The failure of every challenge that accepts no proof: unknown, expired, proved already, or ended by wrong proofs. */
export const ENDED_CHALLENGE = failure('gone', 'challenge.ended')

/** Returns a challenge that accepts a proof. Fails: `challenge.ended`, `second-factor.locked`. */
export const openChallengeOf = (
  { challenge, user, factor }: ChallengeFacts,
  purpose: Purpose,
  now: Instant,
): Either<Failure<'challenge.ended' | 'second-factor.locked', never>, OpenChallenge> => {
  if (challenge?.purpose !== purpose || !isPending(challenge, now) || !factor) return left(ENDED_CHALLENGE)
  if (!user || user.removedAt !== null || user.secondFactorAt === null) return left(ENDED_CHALLENGE)
  const unlocked = checkLock(factor, now)
  return isLeft(unlocked) ? unlocked : right({ challenge, user, factor })
}

const isPending = ({ provedAt, wrong, expiresAt }: Challenge, now: Instant): boolean =>
  provedAt === null && wrong < MAX_WRONG_AT_CHALLENGE && expiresAt > now

export const WRONG_PROOF = failure('forbidden', 'second-factor.wrong')

/** A right proof of the second factor. */
export interface Proof {
  readonly kind: ProofKind
  /** The fields of the factor that use the proof up, so that it is accepted once. */
  readonly factor: Partial<Pick<Factor, 'totpStep' | 'recoveryDigests'>>
  /** Further changes that use it up, such as the counter of a passkey. */
  readonly changes?: readonly Change[]
}

/** A wrong proof, and the changes that use up its own records, if any. */
export interface WrongProof {
  readonly wrong: readonly Change[]
}

const unchanged = ({ wrong }: Challenge) => all(eq('wrong', wrong), eq('provedAt', null))

/**
 * Returns the changes that store a wrong proof: it counts at the challenge and at the person's factor. The proof that
 * locks the factor is audited, and the person notified.
 */
export const rejectProof = (
  ports: Pick<PaymentsPorts, 'cipher'>,
  { challenge, factor, user }: OpenChallenge,
  { wrong }: WrongProof,
  origin: Origin | null,
  fresh: Fresh,
): readonly Change[] => [
  patch(challenges, challenge.id, { set: { wrong: challenge.wrong + 1 }, when: unchanged(challenge) }),
  ...countWrongProof(ports, factor, user, origin, fresh),
  ...wrong,
]

/**
 * Returns the changes that store a right proof and use it up. Of two simultaneous uses, one is stale. The wrong proofs
 * of the hour stay counted: otherwise each log-in of the person would allow a thief of the password further guesses.
 */
export const acceptProof = (
  ports: Pick<PaymentsPorts, 'cipher'>,
  { challenge, factor, user }: OpenChallenge,
  { kind, factor: used, changes = [] }: Proof,
  origin: Origin | null,
  fresh: Fresh,
): readonly Change[] => [
  patch(challenges, challenge.id, { set: { provedAt: fresh.now, provedBy: kind }, when: unchanged(challenge) }),
  changeFactor(factor, challenge.userId, used, fresh.now),
  ...changes,
  ...(kind === 'recovery-code' ? recordRecoveryUse(ports, user, origin, fresh) : []),
]

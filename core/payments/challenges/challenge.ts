import { type Either, type Failure, failure, isLeft, left, right } from '../../failure.ts'
import { list } from '../../kernel/input/field.ts'
import { oneOf, timestamp } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import {
  all,
  type Change,
  type Collection,
  eq,
  insert,
  orNull,
  patch,
  record,
  t,
  word,
} from '../../kernel/records/record.ts'
import { type Fresh, randomCode } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import type { Origin } from '../../office/audit.ts'
import { byId, type Find, type Store } from '../../ports/store.ts'
import { type User, users } from '../members/user.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import {
  changeFactor,
  checkLock,
  countWrongProof,
  type Factor,
  factorOf,
  PROOF_KINDS,
  type ProofKind,
  recordRecoveryUse,
} from './factor.ts'

/** A confirmation is used by one withdrawal, or by one change that weakens what an account asks of its members. */
export const PURPOSES = ['log-in', 'confirmation'] as const

export type Purpose = (typeof PURPOSES)[number]

const challenge = record({
  /** A random code, known only to the caller who sent the password, or who asked to prove the factor. */
  id: t.string,
  userId: t.number,
  purpose: word(...PURPOSES),
  /** The account that the tokens of a log-in will name, if any. */
  accountId: orNull(t.number),
  /** The kinds of proofs that are accepted. */
  accepts: t.array(word(...PROOF_KINDS)),
  /** The mark of the password at the log-in: a new password voids the challenge. */
  passwordMark: orNull(t.string),
  /** The options of the session that a log-in opens. */
  isGuarded: t.boolean,
  device: orNull(t.string),
  wrong: t.number,
  /** The time of the right proof, and its kind; a log-in is then over, a confirmation can be used once. */
  provedAt: orNull(t.string),
  provedBy: orNull(word(...PROOF_KINDS)),
  /** The time at which a withdrawal or a change used the confirmation. */
  usedAt: orNull(t.string),
  createdAt: t.string,
  expiresAt: t.string,
})

/** A request for the second factor of a person, which one right proof answers within five minutes. */
export type Challenge = t.TypeOf<typeof challenge>

export const challenges: Collection<Challenge> = {
  name: 'payments.challenges',
  ids: 'text',
  codec: challenge,
  owner: null,
  indexes: [{ sort: 'expiresAt', acrossOwners: true }],
}

const CHALLENGE_SECONDS = 300
/** The number of wrong proofs that ends a challenge. */
const MAX_WRONG_AT_CHALLENGE = 5
const ID_LENGTH = 40

/** Returns a new challenge and the change that stores it. */
export const openChallenge = (
  fresh: Fresh,
  of: Pick<Challenge, 'userId' | 'purpose' | 'accountId' | 'accepts' | 'passwordMark' | 'isGuarded' | 'device'>,
): { readonly challenge: Challenge; readonly change: Change } => {
  const challenge: Challenge = {
    id: randomCode(fresh, ID_LENGTH),
    ...of,
    wrong: 0,
    provedAt: null,
    provedBy: null,
    usedAt: null,
    createdAt: fresh.now,
    expiresAt: addSeconds(fresh.steady, CHALLENGE_SECONDS),
  }
  return { challenge, change: insert(challenges, challenge) }
}

/** A challenge as its caller sees it. */
export type ShownChallenge = Pick<Challenge, 'id' | 'expiresAt'> & { readonly accepts: readonly ProofKind[] }

export const shownChallenge = ({ id, accepts, expiresAt }: Challenge): ShownChallenge => ({ id, accepts, expiresAt })

export const challengeFields = {
  challenge: output.text({ about: 'Desafio, a enviar com a prova do segundo fator; vale por 5 minutos' }),
  accepts: list(oneOf(PROOF_KINDS), {
    max: PROOF_KINDS.length,
    about: 'As provas aceitas: `totp` (código do aplicativo), `passkey` ou `recovery-code` (código de recuperação)',
  }),
  expiresAt: timestamp({ about: 'Até quando o desafio vale' }),
}

export const challengeView = view('Challenge', challengeFields, ({ id, ...shown }: ShownChallenge) => ({
  ...shown,
  challenge: id,
}))

export interface ChallengeFacts {
  readonly challenge: Challenge | null
  readonly user: User | null
  readonly factor: Factor | null
}

/** Reads a challenge with its user and factor. */
export const readChallenge = async (store: Store, id: string): Promise<ChallengeFacts> => {
  const challenge = await store.find(byId(challenges, id))
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

/** The failure for every challenge that accepts no proof: unknown, expired, proved before, or ended by wrong proofs. */
export const ENDED_CHALLENGE = failure('gone', 'challenge.ended')

/**
 * Returns a challenge that accepts a proof, before the proof is compared. Fails: `challenge.ended`,
 * `second-factor.locked`.
 */
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

const unchanged = ({ wrong }: Challenge) => all<keyof Challenge & string>(eq('wrong', wrong), eq('provedAt', null))

/**
 * Returns the changes that store a wrong proof: it counts at the challenge and at the person's factor. The proof that
 * locks the factor is recorded, and the person notified.
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
 * Returns the changes that store a right proof and use it up. Of two simultaneous uses, one is stale. The wrong proofs of
 * the hour stay counted: otherwise each log-in of the person would allow a thief of the password further guesses.
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

/** Queries the confirmation that an actor attached, if any. */
export const findConfirmation = ({ confirmation }: Pick<Actor, 'confirmation'>): { confirmation?: Find<Challenge> } =>
  confirmation ? { confirmation: byId(challenges, confirmation) } : {}

const CONFIRMATION_REQUIRED = failure('forbidden', 'second-factor.required')

/**
 * Returns the change that uses a proved confirmation of a user, once. Fails: `second-factor.required` (none was attached,
 * or it was not proved, was used, has expired or belongs to another user).
 */
export const useConfirmation = (
  challenge: Challenge | null | undefined,
  userId: number,
  { now, steady }: Pick<Fresh, 'now' | 'steady'>,
): Either<typeof CONFIRMATION_REQUIRED, Change> => {
  if (challenge?.purpose !== 'confirmation' || challenge.userId !== userId) return left(CONFIRMATION_REQUIRED)
  const { id, provedAt, usedAt, expiresAt } = challenge
  if (provedAt === null || usedAt !== null || expiresAt <= steady) return left(CONFIRMATION_REQUIRED)
  return right(patch(challenges, id, { set: { usedAt: now }, when: eq('usedAt', null) }))
}

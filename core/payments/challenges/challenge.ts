import { type Either, failure, isLeft, left, right } from '../../failure.ts'
import { list, oneOf, output, timestamp, view } from '../../kernel/input/mod.ts'
import {
  type Change,
  eq,
  expiringCollection,
  insert,
  newRecord,
  orNull,
  patch,
  record,
  t,
  word,
} from '../../kernel/records/record.ts'
import { type Fresh, randomCode } from '../../kernel/running/use-case.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import { byId, type Find } from '../../ports/store.ts'
import type { Account } from '../accounts/account.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'

/** The kinds of proofs that a person's second factor accepts. */
export const PROOF_KINDS = ['totp', 'passkey', 'recovery-code'] as const

export type ProofKind = (typeof PROOF_KINDS)[number]

/**
 * The action that a challenge allows. A confirmation is used by one withdrawal, one transfer, one first split to an
 * account, one change of a person's passkeys, one reset of a member's factor, or one change of an account: of its team,
 * its removal, or a weaker policy.
 */
export const PURPOSES = ['log-in', 'confirmation'] as const

export type Purpose = (typeof PURPOSES)[number]

const challenge = record({
  /** The digest of a random code, which only the caller of the log-in or of the confirmation receives. */
  id: t.string,
  userId: t.number,
  purpose: word(...PURPOSES),
  /** The account that the tokens of a log-in will name, if any. */
  accountId: orNull(t.number),
  accepts: t.array(word(...PROOF_KINDS)),
  /** The mark of the password at the log-in (`passwordMark`): a new password voids the challenge. */
  passwordMark: orNull(t.string),
  /** The options of the session that a log-in opens. */
  isGuarded: t.boolean,
  device: orNull(t.string),
  wrong: t.number,
  /** The time and kind of the right proof. A log-in then ends; a confirmation can be used once. */
  provedAt: orNull(t.string),
  provedBy: orNull(word(...PROOF_KINDS)),
  /** The time at which a withdrawal or a change used the confirmation. */
  usedAt: orNull(t.string),
  createdAt: t.string,
  expiresAt: t.string,
})

/** A request for the second factor of a person, fulfilled by one right proof within five minutes. */
export type Challenge = t.TypeOf<typeof challenge>

export const challenges = expiringCollection('payments.challenges', challenge)

const CHALLENGE_SECONDS = 300
const CODE_LENGTH = 40

type DigestPort = Pick<PaymentsPorts, 'digest'>

/** Returns the id of the challenge with this code. */
export const challengeId = ({ digest }: DigestPort, code: string): string => digest.sha256(code)

/** Returns a new challenge as its caller sees it, and the change that stores it. */
export const openChallenge = (
  ports: DigestPort,
  fresh: Fresh,
  of: Pick<Challenge, 'userId' | 'purpose' | 'accepts' | 'isGuarded' | 'device'> &
    Partial<Pick<Challenge, 'accountId' | 'passwordMark'>>,
): { readonly challenge: ShownChallenge; readonly change: Change } => {
  const code = randomCode(fresh, CODE_LENGTH)
  const challenge = newRecord(challenges, {
    id: challengeId(ports, code),
    ...of,
    wrong: 0,
    createdAt: fresh.now,
    expiresAt: addSeconds(fresh.steady, CHALLENGE_SECONDS),
  })
  const { accepts, expiresAt } = challenge
  return { challenge: { id: code, accepts, expiresAt }, change: insert(challenges, challenge) }
}

/** A challenge as its caller sees it: its id is the code that names it. */
export type ShownChallenge = Pick<Challenge, 'id' | 'expiresAt'> & { readonly accepts: readonly ProofKind[] }

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

/** Queries the confirmation that an actor attached, if any. */
export const findConfirmation = (
  ports: DigestPort,
  { confirmation }: Pick<Actor, 'confirmation'>,
): { confirmation?: Find<Challenge> } =>
  confirmation ? { confirmation: byId(challenges, challengeId(ports, confirmation)) } : {}

const CONFIRMATION_REQUIRED = failure('forbidden', 'second-factor.required')

/**
 * Returns the change that uses a proved confirmation of a user, once. Fails: `second-factor.required` (none was
 * attached, or it was not proved, was used, has expired or belongs to another user).
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

type FactorPolicyFields = Pick<Account, 'requiresSecondFactor' | 'secondFactorFromCents' | 'secondFactorDayFromCents'>

/** Reports whether an account requires the second factor of its members for any action. */
const requiresFactor = ({ requiresSecondFactor, ...from }: FactorPolicyFields): boolean =>
  requiresSecondFactor === true || from.secondFactorFromCents !== null || from.secondFactorDayFromCents !== null

/**
 * Returns the changes that use a confirmation of a change of an account, once; none if the account requires no second
 * factor. Fails: `second-factor.required`.
 */
export const confirmInAccount = (
  account: FactorPolicyFields,
  challenge: Challenge | null | undefined,
  { userId }: Pick<Actor, 'userId'>,
  fresh: Pick<Fresh, 'now' | 'steady'>,
): Either<typeof CONFIRMATION_REQUIRED, readonly Change[]> => {
  if (!requiresFactor(account)) return right([])
  const used = useConfirmation(challenge, userId, fresh)
  return isLeft(used) ? used : right([used.right])
}

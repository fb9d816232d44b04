import { failure, isLeft, left } from '../../failure.ts'
import { type InputOf, input } from '../../kernel/input/mod.ts'
import { always, type Change, remove } from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { QueryResults } from '../../ports/store.ts'
import { aliveSessions } from '../access/session.ts'
import { findTeamMember } from '../access/team.ts'
import { otherMembership } from '../access/team-changes.ts'
import { findConfirmation, useConfirmation } from '../challenges/challenge.ts'
import { changeFactor, factorMail, factorOf, NO_PROOFS } from '../challenges/factor.ts'
import { passkeys, passkeysOf } from '../challenges/passkey.ts'
import { auditUser, findUserByEmail, mailUser, UNKNOWN_USER, type User, userFields } from '../members/user.ts'
import { type AuditActor, auditInAccount } from '../office.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { FACTOR_OFF, switchFactor } from './set-up.ts'

/** The records that a reset ends. */
const resetQueries = (userId: number) => ({
  factor: factorOf(userId),
  registered: passkeysOf(userId),
  alive: aliveSessions(userId),
})

type ResetFacts = QueryResults<ReturnType<typeof resetQueries>>

/**
 * Returns the changes that take every proof of a person out of use: the app, the passkeys and the recovery codes. Every
 * session ends, trusted devices are void, and the person is notified.
 */
const resetFactor = (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  user: User,
  { factor, registered, alive }: ResetFacts,
  by: AuditActor,
  fresh: Fresh,
): readonly Change[] => [
  changeFactor(factor, user.id, NO_PROOFS, fresh.now),
  ...registered.records.map(({ id }) => remove(passkeys, id, always)),
  ...switchFactor(user, { isOn: false, alive: alive.records, sessionId: null }, fresh),
  mailUser(cipher, fresh, user, factorMail(user.name, 'reset')),
  ...auditUser(fresh, by, user.id, 'second-factor.reset'),
]

const OWN_FACTOR = failure('conflict', 'second-factor.own')

type ResetActor = Pick<Actor, 'accountId' | 'userId' | 'confirmation' | 'origin'>

/** The member must belong to no other account: the factor protects those too. */
export const resetMember = (ports: PaymentsPorts) => (actor: ResetActor, userId: number) =>
  useCase(
    ports,
    async (store) => ({
      ...(await store.read({ ...resetQueries(userId), ...findConfirmation(ports, actor) })),
      member: await findTeamMember(store, actor.accountId, userId),
      isShared: (await otherMembership(store, actor.accountId, userId)) !== null,
    }),
    ({ member, isShared, confirmation, ...facts }, fresh) => {
      if (!member) return left(UNKNOWN_USER)
      const { user } = member
      if (user.id === actor.userId) return left(OWN_FACTOR)
      if (isShared) return left(failure('forbidden', 'user.shared'))
      if (user.secondFactorAt === null) return left(FACTOR_OFF)
      const confirmed = useConfirmation(confirmation, actor.userId, fresh)
      if (isLeft(confirmed)) return confirmed
      return accept(
        null,
        confirmed.right,
        ...resetFactor(ports, user, facts, actor, fresh),
        ...auditInAccount(fresh, actor, actor.accountId, 'second-factor.reset', `user:${user.id}`),
      )
    },
  )

export const factorOwner = input('FactorOwner', { email: userFields.email })
export type FactorOwner = InputOf<typeof factorOwner>

export const resetByOperator = (ports: PaymentsPorts) => (submitted: FactorOwner) =>
  withValidInput(ports, factorOwner, submitted, ({ email }) =>
    useCase(
      ports,
      async (store) => {
        const user = await findUserByEmail(store, email)
        return user && { user, ...(await store.read(resetQueries(user.id))) }
      },
      (found, fresh) => {
        if (!found || found.user.removedAt !== null) return left(UNKNOWN_USER)
        const { user, ...facts } = found
        if (user.secondFactorAt === null) return left(FACTOR_OFF)
        return accept(null, ...resetFactor(ports, user, facts, { userId: null }, fresh))
      },
    ),
  )

import { failure } from '../../../failure.ts'
import { isLeft, left, right } from '../../../fp.ts'
import { optional } from '../../../kernel/input/field.ts'
import { type InputOf, input } from '../../../kernel/input/input.ts'
import { secret } from '../../../kernel/input/texts.ts'
import { type Change, patch } from '../../../kernel/records/change.ts'
import { always } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, countingUseCase, withValidInput } from '../../../kernel/running/use-case.ts'
import type { Origin } from '../../../office/audit.ts'
import { hashingUseCaseOf } from '../../../office/guesses.ts'
import { byId, type Store } from '../../../ports/store.ts'
import type { Person } from '../../actor.ts'
import { legacyPasswords, type ShownUser, shownUser, type User, users } from '../../members/user.ts'
import { changesOf, recordAudit } from '../../office.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { secretVerifier } from '../../secret-hashing.ts'
import { passwordMark, sessions } from '../sessions/session.ts'
import { forgetTries, loginThrottle, type Throttle, throttleId, throttles } from '../sessions/throttle.ts'
import { type ChangeFacts, changeUser, readChangeFacts, type UserChange, userChangeFields } from './change-user.ts'

/** What somebody changes of themselves, and the password that shows it is they. */
export const selfChange = input('SelfChange', {
  currentPassword: secret({ about: 'Senha atual' }),
  newPassword: optional(legacyPasswords.next),
  ...userChangeFields,
})

export type SelfChange = InputOf<typeof selfChange>

interface Facts extends ChangeFacts {
  readonly user: User | null
  readonly throttle: Throttle | null
}

const WRONG = failure('unauthorized', 'password.wrong')
const GONE = failure('unauthorized', 'token.invalid')

/**
 * Changes the caller's own user. A guess at the password is counted with those at the login; a new one ends every session
 * but the caller's own.
 * Fails: `token.invalid`, `password.wrong`, `login.throttled`, `fields` (`email.taken`, `document.taken`), `server.busy`.
 * Source: 01-access.md, PUT /access/auth/edit; decisions.md §12.
 */
export const editSelf = (ports: PaymentsPorts) => {
  const throttled = loginThrottle(ports)
  const isRight = secretVerifier(ports)
  return ({ userId, sessionId }: Pick<Person, 'userId' | 'sessionId'>, given: SelfChange, origin: Origin) =>
    withValidInput(ports, selfChange, given, ({ currentPassword, newPassword, ...others }) =>
      hashingUseCaseOf<ShownUser>()(async (hooks) => {
        const user = await ports.store.find(byId(users, userId))
        if (!user) return left(GONE)
        return throttled(user.email, origin.address, async () => {
          if (!(await isRight(user.email, currentPassword, user.passwordHash, origin))) return left(WRONG)
          const hashed = newPassword === undefined ? {} : { passwordHash: await ports.hasher.hash(newPassword, origin) }
          const wanted: UserChange = { ...others, ...hashed }
          return countingUseCase(
            ports,
            (store) => readFacts(store, userId, throttleId(user.email, origin.address), wanted),
            (facts, fresh) => decideEdit(ports, facts, user, wanted, sessionId, origin, fresh),
          )(hooks)
        })
      }),
    )
}

const readFacts = async (store: Store, userId: number, throttleKey: string, wanted: UserChange): Promise<Facts> => ({
  ...(await readChangeFacts(store, userId, wanted)),
  user: await store.find(byId(users, userId)),
  throttle: await store.find(byId(throttles, throttleKey)),
})

/** The change, once the password was found right, unless that was changed meanwhile. */
export const decideEdit = (
  ports: Pick<PaymentsPorts, 'digest'>,
  { user, throttle, alive, ...facts }: Facts,
  checked: User,
  wanted: UserChange,
  ownSessionId: string,
  origin: Origin,
  fresh: Fresh,
) => {
  if (!user || user.passwordHash !== checked.passwordHash) return left(WRONG)
  const others = alive.filter(({ id }) => id !== ownSessionId)
  const changed = changeUser(user, wanted, { ...facts, alive: others }, fresh.now)
  // The password was right, whatever is wrong with the rest.
  if (isLeft(changed)) return accept(changed, ...forgetTries(throttle))
  const { user: after, changes } = changed.right
  const told = recordAudit(
    fresh,
    { userId: user.id, origin },
    {
      chain: `user:${user.id}`,
      action: 'user.updated',
      subject: `user:${user.id}`,
      changes: changesOf(user, after),
    },
  )
  // The caller's own session goes on with the new password.
  const kept: readonly Change[] =
    wanted.passwordHash === undefined
      ? []
      : [
          patch(sessions, ownSessionId, {
            set: { passwordMark: passwordMark(ports, after.passwordHash) },
            when: always,
          }),
        ]
  return accept(right(shownUser(after)), ...forgetTries(throttle), ...changes, ...kept, ...told)
}

import { failure } from '../../../failure.ts'
import { left, right } from '../../../fp.ts'
import { decided, type UseCase, useCase } from '../../../kernel/running/use-case.ts'
import { withOffset } from '../../../kernel/values/day.ts'
import { byId } from '../../../ports/store.ts'
import type { Person } from '../../actor.ts'
import { audited } from '../../audit/audited.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { endSessions, livingSessions, type Session, sessions } from './session.ts'

/** A session, and whether it is the one that asks. */
export interface OwnSession {
  readonly session: Session
  readonly isCurrent: boolean
}

type Caller = Pick<Person, 'userId' | 'sessionId'>

/** The caller's sessions that are alive or may be refreshed, the newest first: where somebody is signed in as them. */
export const listOwnSessions =
  ({ store, clock }: Pick<PaymentsPorts, 'store' | 'clock'>) =>
  ({ userId, sessionId }: Caller): UseCase<readonly OwnSession[], never> =>
  async () => {
    const now = clock.now()
    const { records } = await store.list(livingSessions(userId))
    const usable = records.filter(({ expiresAt, refreshUntil }) => expiresAt > now || (refreshUntil ?? '') > now)
    return right(usable.map((session) => ({ session, isCurrent: session.id === sessionId })))
  }

/** The caller's session of this id while it is alive; null for anybody else's. */
export const readOwnSession =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  async ({ userId }: Caller, id: string): Promise<Session | null> => {
    const session = await store.find(byId(sessions, id))
    return session?.userId === userId && session.endedAt === null ? session : null
  }

/** Ends one of the caller's sessions: its token is good for nothing from the moment this resolves. Fails: `session.unknown`. */
export const endOwnSession = (ports: PaymentsPorts) => (caller: Caller & Pick<Person, 'origin'>, id: string) =>
  useCase(
    ports,
    (store) => store.find(byId(sessions, id)),
    (session, fresh) => {
      if (session?.userId !== caller.userId || session.endedAt !== null)
        return left(failure('not-found', 'session.unknown'))
      const told = { chain: `user:${caller.userId}`, subject: `session:${id}` } as const
      return decided(
        null,
        ...endSessions([session], fresh.now),
        ...audited(fresh, caller, { ...told, action: 'session.ended' }),
      )
    },
  )

export const sessionView = ({ session, isCurrent }: OwnSession) => ({
  id: session.id,
  device: session.device,
  address: session.address,
  current: isCurrent,
  created_at: withOffset(session.createdAt),
  last_used_at: withOffset(session.lastUsedAt),
})

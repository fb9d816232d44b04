import { failure } from '../../../failure.ts'
import { left, right } from '../../../fp.ts'
import { nullable } from '../../../kernel/input/field.ts'
import { flag, timestamp } from '../../../kernel/input/scalars.ts'
import { guid } from '../../../kernel/input/texts.ts'
import { output, view } from '../../../kernel/input/view.ts'
import { accept, readUseCase, type UseCase, useCase } from '../../../kernel/running/use-case.ts'
import { byId } from '../../../ports/store.ts'
import type { Person } from '../../actor.ts'
import { recordAudit } from '../../office.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { endSessions, livingSessions, type ShownSession, sessions, shownSession } from './session.ts'

/** A session, and whether it is the one that asks. */
export interface OwnSession {
  readonly session: ShownSession
  readonly isCurrent: boolean
}

type Caller = Pick<Person, 'userId' | 'sessionId'>

/** The caller's sessions that are alive or may be refreshed, the newest first: where somebody is signed in as them. */
export const listOwnSessions =
  ({ store, clock }: Pick<PaymentsPorts, 'store' | 'clock'>) =>
  ({ userId, sessionId }: Caller): UseCase<readonly OwnSession[], never> =>
  async () => {
    const steady = clock.steady()
    const { records } = await store.list(livingSessions(userId))
    const usable = records.filter(({ expiresAt, refreshUntil }) => expiresAt > steady || (refreshUntil ?? '') > steady)
    return right(usable.map((session) => ({ session: shownSession(session), isCurrent: session.id === sessionId })))
  }

/** The caller's session of this id while it is alive. Fails: `session.unknown`, for anybody else's too. */
export const readOwnSession =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  ({ userId }: Caller, id: string) =>
    readUseCase('session.unknown', async () => {
      const session = await store.find(byId(sessions, id))
      return session?.userId === userId && session.endedAt === null ? shownSession(session) : null
    })

/** Ends one of the caller's sessions: its token is good for nothing from the moment this resolves. Fails: `session.unknown`. */
export const endOwnSession = (ports: PaymentsPorts) => (caller: Caller & Pick<Person, 'origin'>, id: string) =>
  useCase(
    ports,
    (store) => store.find(byId(sessions, id)),
    (session, fresh) => {
      if (session?.userId !== caller.userId || session.endedAt !== null)
        return left(failure('not-found', 'session.unknown'))
      const told = { chain: `user:${caller.userId}`, subject: `session:${id}` } as const
      return accept(
        null,
        ...endSessions([session], fresh.now),
        ...recordAudit(fresh, caller, { ...told, action: 'session.ended' }),
      )
    },
  )

/** A session as its own user sees it. */
export const sessionView = view(
  'Session',
  {
    id: guid({ about: 'Identificador' }),
    device: nullable(output.text({ about: 'Dispositivo, como ele se apresenta' })),
    address: output.text({ about: 'Endereço IP em que foi aberta' }),
    isCurrent: flag({ wire: 'current', about: 'Se é a sessão deste token' }),
    createdAt: timestamp({ about: 'Quando foi aberta' }),
    lastUsedAt: timestamp({ about: 'Quando foi aberta ou renovada pela última vez' }),
  },
  ({ session, isCurrent }: OwnSession) => ({ ...session, isCurrent }),
)

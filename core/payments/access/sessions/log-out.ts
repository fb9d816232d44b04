import { failure } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { patch } from '../../../kernel/records/change.ts'
import { eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, useCase } from '../../../kernel/running/use-case.ts'
import { byId } from '../../../ports/store.ts'
import type { Person } from '../../actor.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type Session, sessions } from './session.ts'

/**
 * Ends a person's own session: its token is good for nothing from the moment this resolves.
 * Fails: `token.invalid` when it has ended before. Source: 01-access.md, POST /v1/auth/logout.
 */
export const logOut =
  (ports: PaymentsPorts) =>
  ({ sessionId }: Person) =>
    useCase(ports, (store) => store.find(byId(sessions, sessionId)), decideLogOut)

export const decideLogOut = (session: Session | null, { now }: Fresh) => {
  if (!session || session.endedAt !== null) return left(failure('unauthorized', 'token.invalid'))
  return accept(null, patch(sessions, session.id, { set: { endedAt: now }, when: eq('endedAt', null) }))
}

import { sweepOf } from '../../../kernel/running/sweep.ts'
import { onlyInPerson } from '../../actor.ts'
import type { PaymentsModule } from '../../payments-module.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { authenticate } from './authenticate.ts'
import { exchangeKey } from './exchange-key.ts'
import { logIn } from './log-in.ts'
import { logOut } from './log-out.ts'
import { endOwnSession, listOwnSessions, readOwnSession } from './own-sessions.ts'
import { readRefreshToken, refreshSession } from './refresh-session.ts'
import { sessions as collection, REFRESH_SECONDS } from './session.ts'
import { throttles } from './throttle.ts'

/** Signing in and out. */
export const sessions = {
  collections: [collection, throttles],
  sweeps: [sweepOf(collection, { graceSeconds: REFRESH_SECONDS }), sweepOf(throttles)],
  useCases: (ports: PaymentsPorts) => ({
    /** Signs somebody in by e-mail and password. */
    logIn: logIn(ports),
    /** Ends the session that a call came with. */
    logOut: logOut(ports),
    /** A token for who holds the API key of an account: for ten minutes, there alone. */
    exchangeKey: exchangeKey(ports),
    /** Who calls, by the token that they sent. */
    authenticate: authenticate(ports),
    /** The session that a token refreshes. */
    readRefreshToken: readRefreshToken(ports),
    /** A new token in place of the present one. */
    refresh: refreshSession(ports),
    /** A person’s sessions that are alive. */
    list: onlyInPerson(listOwnSessions(ports)),
    /** One of a person’s own sessions. */
    read: onlyInPerson(readOwnSession(ports)),
    /** Ends one of a person’s own sessions. */
    end: onlyInPerson(endOwnSession(ports)),
  }),
} satisfies PaymentsModule

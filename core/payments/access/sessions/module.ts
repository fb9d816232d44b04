import { sweepOf } from '../../../kernel/running/jobs.ts'
import { onlyInPerson } from '../../actor.ts'
import type { PaymentsModule, PaymentsPorts } from '../../payments-ports.ts'
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
    /**
     * Signs somebody in by e-mail and password, for an hour (3,600 seconds).
     * Fails: `fields`, `credentials.wrong`, `account.none` (into an account, where they have none), `login.throttled`,
     * `server.busy`.
     * Source: 01-access.md, POST /v1/auth/login and /access/auth/login; decisions.md §1 and §12.
     */
    logIn: logIn(ports),
    /**
     * Ends the session that a call came with: its token is good for nothing once this resolves.
     * Fails: `token.invalid` (it has ended before).
     * Source: 01-access.md, POST /v1/auth/logout.
     */
    logOut: logOut(ports),
    /**
     * A token for who holds the API key of an account: for ten minutes (600 seconds), there alone, and never refreshed.
     * Fails: `fields`, `key.wrong` (key, e-mail or membership, whichever), `login.throttled`.
     * Source: 01-access.md, POST /access/account/get-token; decisions.md §1 and §12.
     */
    exchangeKey: exchangeKey(ports),
    /**
     * Who calls, by the token that they sent; what they do is audited with the origin that is told here.
     * Fails: `token.invalid` (whatever is wrong with it).
     * Source: 01-access.md, Authentication; decisions.md §1, Sessions and codes.
     */
    authenticate: authenticate(ports),
    /**
     * What a token says that is to be refreshed: a sound one, run out or not.
     * Fails: `token.invalid`.
     * Source: 01-access.md, Authentication; decisions.md §1, Sessions and codes.
     */
    readRefreshToken: readRefreshToken(ports),
    /**
     * A new token in place of the present one, for an hour (3,600 seconds); one that was refreshed before ends its
     * session.
     * Fails: `token.invalid`.
     * Source: decisions.md §1, Sessions and codes; §12, Context and sessions.
     */
    refresh: refreshSession(ports),
    /**
     * A person's sessions that are alive or may be refreshed, the newest first.
     * Fails: `permission.lacking` (the token was given for an API key).
     * Source: 01-access.md, Legacy authentication; decisions.md §1, Sessions and codes.
     */
    list: onlyInPerson(listOwnSessions(ports)),
    /**
     * One of a person's own sessions, while it is alive.
     * Fails: `permission.lacking` (the token was given for an API key), `session.unknown` (somebody else's too).
     * Source: decisions.md §1, Sessions and codes.
     */
    read: onlyInPerson(readOwnSession(ports)),
    /**
     * Ends one of a person's own sessions: its token is good for nothing once this resolves.
     * Fails: `permission.lacking` (the token was given for an API key), `session.unknown`.
     * Source: decisions.md §1, Sessions and codes.
     */
    end: onlyInPerson(endOwnSession(ports)),
  }),
} satisfies PaymentsModule

import { sweepOf } from '../../kernel/running/jobs.ts'
import { memberships } from '../members/membership.ts'
import { users } from '../members/user.ts'
import {
  type PaymentsModule,
  type PaymentsPorts,
  withConfirmedPassword,
  withoutApiKeyToken,
} from '../payments-ports.ts'
import { retentionSeconds } from '../retention.ts'
import { exchangeKey, findByApiKey } from './api-keys.ts'
import { listAudit } from './audit-trail.ts'
import { authenticate, resolveAccount } from './authenticate.ts'
import { editSelf } from './change-user.ts'
import { codes as codeCollection } from './code.ts'
import { checkCodeTries, codeTryCounts } from './code-tries.ts'
import { confirmPassword } from './confirm-password.ts'
import { sendVerificationCode, verifyEmail } from './email-verification.ts'
import { beginLogIn, logIn, throttles } from './log-in.ts'
import {
  createNamedKey,
  listNamedKeys,
  readNamedKey,
  revokeNamedKey,
  rotateNamedKey,
  updateNamedKey,
} from './manage-keys.ts'
import { namedKeys } from './named-key.ts'
import { listOwnAccounts, readAccess, readAccount, readLegacyMe, readMe } from './organizations.ts'
import {
  endOwnSession,
  endOwnSessions,
  listOwnSessions,
  logOut,
  readOwnSession,
  readRefreshToken,
  refreshSession,
} from './own-sessions.ts'
import { forgotByLink, forgotPassword, passwordLinks, resetByToken, resetPassword } from './password-reset.ts'
import { register } from './register.ts'
import { sessions as sessionCollection } from './session.ts'
import { listMemberships, listTeam, readMembership, readTeamMember } from './team.ts'
import { addTeamMember, removeTeamMember, updateTeamMember } from './team-changes.ts'

/** The accounts in which a caller may act, and the permissions there. */
export const access = {
  collections: [users, memberships],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Resolves the account that a request acts in, and the caller's permissions there: the account that it names, else
     * the token's, else the caller's newest.
     * Fails: `organization.none`, `organization.unknown` (removed, or on v1 not the caller's), `account.foreign` (on
     * legacy not the caller's), `second-factor.none` (the account requires a second factor, and the caller has none).
     */
    resolveAccount: resolveAccount(ports),
    /**
     * Reads the actor's account, with fees and limits in cents. API key and webhook secret are null unless the actor
     * has `account:write` and, in a guarded session, a recent password.
     * Fails: `account.unknown`.
     */
    readAccount: readAccount(ports),
    /**
     * Returns the role and permissions of a member in the account, and whether a guarded session must send the password
     * again. Reads nothing.
     */
    readAccess: readAccess(ports),
    /**
     * Lists the audit trail of an account, newest first: changes of its settings, keys and team, without secrets.
     * Fails: `fields`.
     */
    listAudit: listAudit(ports),
    /** Lists the accounts that the caller's token opens, newest membership first. */
    listOwnAccounts: listOwnAccounts(ports),
    /**
     * Finds the account of an API key and its oldest active ADMIN, in whose name another program of the operator acts.
     * Fails: `key.wrong` (also for a removed account).
     */
    findByApiKey: findByApiKey(ports),
  }),
} satisfies PaymentsModule

/** Sign-in, tokens and sign-out. */
export const sessions = {
  collections: [sessionCollection, throttles],
  sweeps: ({ settings }: PaymentsPorts) => [
    sweepOf(sessionCollection, { graceSeconds: retentionSeconds(settings.retentionDays, 'sessions') }),
    sweepOf(throttles),
  ],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Signs a user in by e-mail and password, for an hour (3,600 seconds). With `guarded`, ten minutes later some
     * actions require the password again (`confirmPassword`). A user with a second factor signs in by `beginLogIn`.
     * Fails: `fields`, `credentials.wrong`, `account.none` (the token is to name an account and the user has none),
     * `second-factor.required` (the user has a second factor, and no token of a trusted device was sent),
     * `login.throttled`, `server.busy`.
     */
    logIn: logIn(ports),
    /**
     * Signs a user in as `logIn` does. For a user with a second factor, without the token of a trusted device, returns
     * a challenge instead (`isSecondStepRequired`), which `secondFactor.completeLogIn` answers within five minutes.
     * Fails: `fields`, `credentials.wrong`, `account.none` (the token is to name an account and the user has none),
     * `login.throttled`, `server.busy`.
     */
    beginLogIn: beginLogIn(ports),
    /**
     * Ends the caller's session; its token is invalid once this resolves.
     * Fails: `token.invalid` (the session ended before), `permission.lacking` (a named API key has no session).
     */
    logOut: logOut(ports),
    /**
     * Issues a token for an account's API key: valid for ten minutes (600 seconds), only in that account, not
     * refreshable.
     * Fails: `fields`, `key.wrong` (wrong key, e-mail or membership), `login.throttled`.
     */
    exchangeKey: exchangeKey(ports),
    /**
     * Returns the caller of a token or of a named API key. A key that is limited to addresses must come from one of
     * them. `origin` is recorded in the audit of the caller's actions. Fails: `token.invalid` (whatever the reason,
     * also a wrong key); for a correct key `api-key.revoked` (also if its maker left the account), `api-key.expired`,
     * `api-key.address`.
     */
    authenticate: authenticate(ports),
    /** Returns the claims of a token to refresh, which may have expired. Fails: `token.invalid`. */
    readRefreshToken: readRefreshToken(ports),
    /**
     * Issues a token in place of the present one, for an hour (3,600 seconds). A token that was replaced before ends
     * its session. With a key, a refresh whose answer was lost is repeated within 60 seconds: it returns the same
     * token. Fails: `token.invalid`.
     */
    refresh: refreshSession(ports),
    /**
     * Lists the caller's sessions that are valid or refreshable, newest first.
     * Fails: `permission.lacking` (the token was issued for an API key).
     */
    list: withoutApiKeyToken(listOwnSessions(ports)),
    /**
     * Reads an open session of the caller.
     * Fails: `permission.lacking` (the token was issued for an API key), `session.unknown` (also for a
     * session of another user).
     */
    read: withoutApiKeyToken(readOwnSession(ports)),
    /**
     * Ends a session of the caller; its token is invalid once this resolves.
     * Fails: `permission.lacking` (the token was issued for an API key), `session.unknown`.
     */
    end: withoutApiKeyToken(endOwnSession(ports)),
    /**
     * Ends every session of the caller, that of the request included.
     * Fails: `permission.lacking` (the token was issued for an API key).
     */
    endAll: withoutApiKeyToken(endOwnSessions(ports)),
    /**
     * Verifies the caller's password again. For ten minutes (600 seconds) a guarded session may read secrets and change
     * the account; a session that was not guarded is from now on.
     * Fails: `permission.lacking` (the token was issued for an API key), `fields`, `token.invalid`, `password.wrong`,
     * `login.throttled`, `server.busy`.
     */
    confirmPassword: withoutApiKeyToken(confirmPassword(ports)),
  }),
} satisfies PaymentsModule

/** Named API keys: programs send them in place of a token. */
export const apiKeys = {
  collections: [namedKeys],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Creates a key in the name of the actor; its text is returned once and stored as a digest. An account has at most
     * 100 keys that work. The creation is audited. Fails: `fields` (`network`, `api-key.permission`: the actor lacks
     * it, `api-key.expiry`: in the past), `api-key.limit`, `password.stale`.
     */
    create: withConfirmedPassword(ports)(createNamedKey(ports)),
    /** Lists a page of the account's keys, newest first, ended ones included. Fails: `fields`. */
    list: listNamedKeys(ports),
    /** Reads a key of the account by id. Fails: `api-key.unknown` (also for a key of another account). */
    read: readNamedKey(ports),
    /**
     * Changes name, permissions, expiry or addresses of a key; an omitted field stays. The change is audited. Fails:
     * `fields` (as `create`), `api-key.unknown`, `api-key.ended` (revoked, expired or rotated), `password.stale`.
     */
    update: withConfirmedPassword(ports)(updateNamedKey(ports)),
    /**
     * Revokes a key: every process rejects it from the next request on. A revoked key stays revoked.
     * Fails: `api-key.unknown`.
     */
    revoke: revokeNamedKey(ports),
    /**
     * Issues a successor with the name, permissions, addresses and expiry of a key. The former key works for another
     * `expiresIn` seconds: 24 hours by default, at most 7 days. The rotation is audited.
     * Fails: `fields`, `api-key.unknown`, `api-key.ended` (revoked, expired or rotated before), `api-key.limit`,
     * `password.stale`.
     */
    rotate: withConfirmedPassword(ports)(rotateNamedKey(ports)),
  }),
} satisfies PaymentsModule

/** Mailed codes and links that verify e-mails and recover passwords. */
export const codes = {
  collections: [codeCollection, codeTryCounts, passwordLinks],
  sweeps: [sweepOf(codeCollection), sweepOf(codeTryCounts), sweepOf(passwordLinks)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Checks that an address may try codes: 100 wrong ones within an hour (3,600 seconds) lock it.
     * Fails: `code.throttled`.
     */
    checkTries: checkCodeTries(ports),
    /**
     * Mails the caller a six-digit code that verifies their e-mail, valid for an hour (3,600 seconds). Fails:
     * `permission.lacking` (the token was issued for an API key), `fields` (`email.other`, or `email.unknown` if the
     * user no longer exists), `code.soon` (within 120 seconds of the last request).
     */
    sendVerification: withoutApiKeyToken(sendVerificationCode(ports)),
    /**
     * Verifies an e-mail by a mailed code.
     * Fails: `fields` (`email.unknown`, `email.other`), `code.invalid`, `code.throttled`.
     */
    verifyEmail: verifyEmail(ports),
    /**
     * Mails a code that sets a new password.
     * Fails: `fields` (`email.unknown`), `code.soon` (within 120 seconds of the last request).
     */
    forgotPassword: forgotPassword(ports),
    /**
     * Sets a new password by a mailed code, and ends every session of the user.
     * Fails: `fields` (`email.unknown`), `code.invalid`, `code.throttled`, `server.busy`.
     */
    resetPassword: resetPassword(ports),
    /**
     * Mails a code that sets a new password, and a link to the given URL if that is on one of `resetHosts`.
     * Fails: `fields` (`email.unknown`, `document.other`), `code.soon` (within 120 seconds of the last request).
     */
    forgotPasswordByLink: forgotByLink(ports),
    /**
     * Sets a new password by the token of a mailed link or by the code in that mail, and ends every session of the
     * user.
     * Fails: `fields`, `code.invalid`, `code.throttled`, `server.busy`.
     */
    resetPasswordByToken: resetByToken(ports),
  }),
} satisfies PaymentsModule

/** Registration and the caller's own user. */
export const people = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Registers a user, signs them in for an hour (3,600 seconds) and mails a code that verifies their e-mail.
     * Fails: `fields` (`email.taken`), `server.busy`.
     */
    register: register(ports),
    /**
     * Reads the caller and their organizations, newest membership first.
     * Fails: `token.invalid` (the user no longer exists).
     */
    readMe: readMe(ports),
    /**
     * Reads the caller, the account they act in with their role there, and all their accounts.
     * Fails: `token.invalid` (the user or the account no longer exists).
     */
    readLegacyMe: readLegacyMe(ports),
    /**
     * Changes the caller's own user, confirmed by the password. A new password ends every session except the caller's.
     * Fails: `permission.lacking` (the token was issued for an API key), `fields` (`email.taken`, `document.taken`),
     * `token.invalid`, `password.wrong`, `login.throttled`, `server.busy`.
     */
    editSelf: withoutApiKeyToken(editSelf(ports)),
  }),
} satisfies PaymentsModule

/** The users of an account. */
export const team = {
  useCases: (ports: PaymentsPorts) => ({
    /** Lists the users of the account, newest membership first: a page, or all for null. Fails: `fields`. */
    list: listTeam(ports),
    /** Reads a user of the account by id. Fails: `user.unknown` (also for a text that is not an id). */
    read: readTeamMember(ports),
    /**
     * Adds a new user to the account, with a role by id. If the account requires the second factor, attach a proved
     * challenge of the actor as `confirmation`. The active ADMINs, the actor included, are notified by mail. Fails:
     * `fields` (`email.taken`, `document.taken`), `account.unknown`, `second-factor.required`, `server.busy`.
     */
    add: addTeamMember(ports),
    /**
     * Changes a user of the account and their membership. Only the user may change e-mail, password and document if
     * they belong to other accounts too; their own e-mail and password within ten minutes (600 seconds) of the
     * password, sent at the sign-in or to `confirmPassword`. If the account requires the second factor, a change that
     * adds permissions, and one of a colleague's e-mail or password, need a proved challenge of the actor as
     * `confirmation`. A user with a new password is notified by mail, and so are the active ADMINs, except the user, of
     * a new role or status. Fails: `fields` (`email.taken`, `document.taken`), `user.unknown`, `user.shared`,
     * `user.last-admin`, `password.stale`, `second-factor.required`, `server.busy`.
     */
    update: updateTeamMember(ports),
    /**
     * Removes a user from the account; a user without another account is removed altogether. The active ADMINs, except
     * the user, are notified by mail. Fails: `user.unknown`, `user.self`, `user.last-admin`.
     */
    remove: removeTeamMember(ports),
    /**
     * Lists a page of the account's memberships, newest first: of people except the caller, or of programs.
     * Fails: `fields`.
     */
    listMemberships: listMemberships(ports),
    /**
     * Reads a membership of the account by id.
     * Fails: `user.unknown` (also for one of the other kind and for a text that is not an id).
     */
    readMembership: readMembership(ports),
  }),
} satisfies PaymentsModule

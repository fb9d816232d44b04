import { sweepOf } from '../../kernel/running/jobs.ts'
import { withoutApiKeyToken } from '../actor.ts'
import { memberships } from '../members/membership.ts'
import { users } from '../members/user.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { exchangeKey, findByApiKey } from './api-keys.ts'
import { authenticate, resolveAccount } from './authenticate.ts'
import { editSelf } from './change-user.ts'
import { codes as codeCollection } from './code.ts'
import { checkCodeTries, codeTryCounts } from './code-tries.ts'
import { sendVerificationCode, verifyEmail } from './email-verification.ts'
import { logIn, throttles } from './log-in.ts'
import { readLegacyMe, readMe } from './me.ts'
import {
  listOrganizations,
  listOwnAccounts,
  readAccount,
  removeOrganization,
  updateOrganization,
} from './organizations.ts'
import {
  endOwnSession,
  listOwnSessions,
  logOut,
  readOwnSession,
  readRefreshToken,
  refreshSession,
} from './own-sessions.ts'
import { forgotByLink, passwordLinks, resetByToken } from './password-link.ts'
import { forgotPassword, resetPassword } from './password-reset.ts'
import { register } from './register.ts'
import { REFRESH_SECONDS, sessions as sessionCollection } from './session.ts'
import { listMemberships, listTeam, readMembership, readTeamMember } from './team.ts'
import { addTeamMember, removeTeamMember, updateTeamMember } from './team-changes.ts'

/** Where a caller may act, and as what. */
export const access = {
  collections: [users, memberships],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * The account that a call is about, and what its caller may do there: the one it names, else their token's, else
     * their newest.
     * Fails: `organization.none`, `organization.unknown` (removed, and on v1 somebody else's), `account.foreign`
     * (somebody else's, on legacy).
     * Source: decisions.md §1, Active account; §12, Context and sessions.
     */
    resolveAccount: resolveAccount(ports),
    /**
     * The account that somebody acts in, its fees and limits in cents; who may write it sees its API key and webhook
     * secret.
     * Fails: `account.unknown`.
     * Source: 01-access.md, GET /access/account; decisions.md §12, Account.
     */
    readAccount: readAccount(ports),
    /**
     * Every account that a person works in and their token opens, the newest membership first.
     * Source: 01-access.md, GET /access/accounts.
     */
    listOwnAccounts: listOwnAccounts(ports),
    /**
     * The account of an API key, and its longest-standing ADMIN, in whose name a program of the same house acts there.
     * Fails: `key.wrong` (a removed account's, too).
     * Source: issue 15.
     */
    findByApiKey: findByApiKey(ports),
  }),
} satisfies PaymentsModule

/** Signing in and out. */
export const sessions = {
  collections: [sessionCollection, throttles],
  sweeps: [sweepOf(sessionCollection, { graceSeconds: REFRESH_SECONDS }), sweepOf(throttles)],
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
    list: withoutApiKeyToken(listOwnSessions(ports)),
    /**
     * One of a person's own sessions, while it is alive.
     * Fails: `permission.lacking` (the token was given for an API key), `session.unknown` (somebody else's too).
     * Source: decisions.md §1, Sessions and codes.
     */
    read: withoutApiKeyToken(readOwnSession(ports)),
    /**
     * Ends one of a person's own sessions: its token is good for nothing once this resolves.
     * Fails: `permission.lacking` (the token was given for an API key), `session.unknown`.
     * Source: decisions.md §1, Sessions and codes.
     */
    end: withoutApiKeyToken(endOwnSession(ports)),
  }),
} satisfies PaymentsModule

/** Codes and links that are mailed: e-mails are verified and passwords recovered by them. */
export const codes = {
  collections: [codeCollection, codeTryCounts, passwordLinks],
  sweeps: [sweepOf(codeCollection), sweepOf(codeTryCounts), sweepOf(passwordLinks)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Whether codes may be typed in from an address now: 100 wrong ones within an hour (3,600 seconds) stop it.
     * Fails: `code.throttled`.
     * Source: decisions.md §1, Sessions and codes.
     */
    checkTries: checkCodeTries(ports),
    /**
     * Mails a person a code of six digits that verifies their e-mail for an hour (3,600 seconds).
     * Fails: `permission.lacking` (the token was given for an API key), `fields` (`email.other`), `code.soon` (within
     * 120 seconds of the last one).
     * Source: 01-access.md, POST /v1/auth/send-verification-code.
     */
    sendVerification: withoutApiKeyToken(sendVerificationCode(ports)),
    /**
     * Verifies an e-mail by the code that was mailed to it.
     * Fails: `fields` (`email.unknown`, `email.other`), `code.invalid`, `code.throttled`.
     * Source: 01-access.md, POST /v1/auth/verify-email; decisions.md §1, Sessions and codes.
     */
    verifyEmail: verifyEmail(ports),
    /**
     * Mails a code by which a password is set anew.
     * Fails: `fields` (`email.unknown`), `code.soon` (within 120 seconds of the last one).
     * Source: 01-access.md, POST /v1/auth/forgot-password.
     */
    forgotPassword: forgotPassword(ports),
    /**
     * Sets a password anew by a mailed code, and ends every session of its user.
     * Fails: `fields` (`email.unknown`), `code.invalid`, `code.throttled`, `server.busy`.
     * Source: 01-access.md, POST /v1/auth/reset-password.
     */
    resetPassword: resetPassword(ports),
    /**
     * Mails a code by which a password is set anew, and a link to where the caller wants it, if that is a host of ours.
     * Fails: `fields` (`email.unknown`, `document.other`), `code.soon` (within 120 seconds of the last one).
     * Source: 01-access.md, POST /access/auth/forgot; decisions.md §12, Codes.
     */
    forgotPasswordByLink: forgotByLink(ports),
    /**
     * Sets a password anew by the token of a mailed link, or by the code that came with it, and ends every session of
     * its user.
     * Fails: `fields`, `code.invalid`, `code.throttled`, `server.busy`.
     * Source: 01-access.md, POST /access/auth/reset; decisions.md §1, §12 and §13.
     */
    resetPasswordByToken: resetByToken(ports),
  }),
} satisfies PaymentsModule

/** People, as they see themselves. */
export const people = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Makes a user, who is signed in for an hour (3,600 seconds), and mails a code that verifies their e-mail.
     * Fails: `fields` (`email.taken`), `server.busy`.
     * Source: 01-access.md, POST /v1/auth/register.
     */
    register: register(ports),
    /**
     * A user with the organizations they belong to, the newest membership first.
     * Fails: `token.invalid` (the user is no more).
     * Source: 01-access.md, GET /v1/auth/me.
     */
    readMe: readMe(ports),
    /**
     * A user with the account that they act in, their role there, and all their accounts.
     * Fails: `token.invalid` (the user or the account is no more).
     * Source: 01-access.md, GET /access/auth/me.
     */
    readLegacyMe: readLegacyMe(ports),
    /**
     * Changes what a person says of themselves, by their password; a new one ends every session but their own.
     * Fails: `permission.lacking` (the token was given for an API key), `fields` (`email.taken`, `document.taken`),
     * `token.invalid`, `password.wrong`, `login.throttled`, `server.busy`.
     * Source: 01-access.md, PUT /access/auth/edit; decisions.md §12, People.
     */
    editSelf: withoutApiKeyToken(editSelf(ports)),
  }),
} satisfies PaymentsModule

/** Accounts, as the people who belong to them see them. */
export const organizations = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * The organizations that a caller belongs to, the newest membership first: a page, or with null all of them.
     * Fails: `fields`.
     * Source: 01-access.md, GET /v1/organizations.
     */
    list: listOrganizations(ports),
    /**
     * Changes name, e-mail, document or status of an organization; any status may follow any other.
     * Fails: `fields` (`document.taken`), `organization.unknown`.
     * Source: 01-access.md, PUT /v1/organizations/{id}; decisions.md §1, Organization status.
     */
    update: updateOrganization(ports),
    /**
     * Removes an organization for good; nothing of it is erased. Its document stays taken if it has a ledger entry; else
     * another founder takes it over, and its own people after 30 days.
     * Fails: `organization.unknown`.
     * Source: 01-access.md, DELETE /v1/organizations/{id}; decisions.md §1.
     */
    remove: removeOrganization(ports),
  }),
} satisfies PaymentsModule

/** Who works in an account. */
export const team = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Who works in the account, the newest membership first: a page, or with null everybody.
     * Fails: `fields`.
     * Source: 01-access.md, GET /v1/users; decisions.md §12, v1 lists.
     */
    list: listTeam(ports),
    /**
     * Somebody who works in the account, by the id of their user.
     * Fails: `user.unknown` (what is no id too).
     * Source: 01-access.md, GET /v1/users/{id}.
     */
    read: readTeamMember(ports),
    /**
     * Makes a user who works in the account, with a role by its id.
     * Fails: `fields` (`email.taken`, `document.taken`), `account.unknown`, `server.busy`.
     * Source: 01-access.md, POST /v1/users and /access/manager/users.
     */
    add: addTeamMember(ports),
    /**
     * Changes a user of the account, and their membership; who works elsewhere too changes e-mail and password
     * themselves.
     * Fails: `fields` (`email.taken`, `document.taken`), `user.unknown`, `user.shared`, `user.last-admin`, `server.busy`.
     * Source: 01-access.md, PUT /v1/users/{id} and /access/manager/users/{id}; decisions.md §12, Roles and People.
     */
    update: updateTeamMember(ports),
    /**
     * Takes somebody out of the account; who works in no other one is a user no more.
     * Fails: `user.unknown`, `user.self`, `user.last-admin`.
     * Source: 01-access.md, DELETE /v1/users/{id}; decisions.md §12, Roles and People.
     */
    remove: removeTeamMember(ports),
    /**
     * A page of the account's memberships, the newest first: of people, without the caller, or of programs.
     * Fails: `fields`.
     * Source: 01-access.md, Legacy account users and Legacy API-key users.
     */
    listMemberships: listMemberships(ports),
    /**
     * One of the account's memberships, by its id.
     * Fails: `user.unknown` (one of the other kind and what is no id too).
     * Source: 01-access.md, Legacy account users and Legacy API-key users.
     */
    readMembership: readMembership(ports),
  }),
} satisfies PaymentsModule

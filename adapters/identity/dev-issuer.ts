import type { Failure } from '../../core/failure.ts'
import { failure } from '../../core/failure.ts'
import { type Either, isLeft, left, right } from '../../core/fp.ts'
import { insert, patch } from '../../core/kernel/records/change.ts'
import { always, eq } from '../../core/kernel/records/where.ts'
import { accept, type RunnerCode, type Runtime, type UseCase, useCase } from '../../core/kernel/running/use-case.ts'
import { hashingUseCaseOf } from '../../core/office/guesses.ts'
import { throttleId } from '../../core/office/throttle.ts'
import { nfcHasher } from '../../core/payments/secret-hashing.ts'
import type { Requester } from '../../core/ports/identity.ts'
import { byId, byKey } from '../../core/ports/store.ts'
import type { DevKeys } from './dev-accounts.ts'
import {
  type DevAccount,
  type DevSession,
  devAccounts,
  guesses,
  refreshedId,
  sessionOf,
  signedInBy,
} from './dev-accounts.ts'
import { type CodeFault, type DevCode, type DevCodePorts, type DevRequestType, devCodes } from './dev-codes.ts'

/** What the development issuer runs on. */
export type DevIssuerPorts = Runtime & DevCodePorts

/** A request for a mail with a code, as clients of Firebase send it. */
export interface DevCodeRequest {
  readonly requestType: DevRequestType
  /** The account whose password is to be replaced. */
  readonly email?: string | undefined
  /** The account whose e-mail is to be confirmed. */
  readonly idToken?: string | undefined
  readonly newEmail?: string | undefined
}

export interface DevCredentials {
  readonly email: string
  readonly password: string
}

export interface DevNewcomer extends DevCredentials {
  readonly displayName: string | null
}

/** What somebody changes of themselves; what is undefined stays, and null goes. */
export interface DevChange {
  readonly email?: string | undefined
  readonly password?: string | undefined
  readonly displayName?: string | null | undefined
  readonly photoUrl?: string | null | undefined
}

type NoToken = 'issuer.token-invalid' | 'issuer.user-missing'
/** What hashes or commits can fail with besides. */
type Busy = 'server.busy' | RunnerCode

/**
 * An identity provider with no outside system, for development and tests: what a program asks of Firebase Authentication, for
 * people who sign in by e-mail and password.
 * Source: decisions.md §6, Identity, and §7.
 */
export interface DevIssuer {
  /** Makes an account and signs it in. Fails: `issuer.email-exists`, `server.busy`. */
  signUp(given: DevNewcomer, requester: Requester): UseCase<DevSession, 'issuer.email-exists' | Busy>
  /** Fails: `issuer.credentials-wrong`, `login.throttled` (five wrong ones from one address, for fifteen minutes), `server.busy`. */
  signIn(
    given: DevCredentials,
    requester: Requester,
  ): UseCase<DevSession, 'issuer.credentials-wrong' | 'login.throttled' | Busy>
  /** A new token for the same sign-in. Fails: `issuer.refresh-invalid`, `issuer.token-expired` (the password is another). */
  refresh(refreshToken: string): UseCase<DevSession, 'issuer.refresh-invalid' | 'issuer.token-expired'>
  /** Whose token it is. Fails: `issuer.token-invalid`, `issuer.user-missing`. */
  lookUp(idToken: string): UseCase<DevAccount, NoToken>
  /** Fails: `issuer.token-invalid`, `issuer.user-missing`, `issuer.email-exists`, `server.busy`. */
  update(
    idToken: string,
    change: DevChange,
    requester: Requester,
  ): UseCase<DevSession, NoToken | 'issuer.email-exists' | Busy>
  /** Removes the account of a token. Fails: `issuer.token-invalid`, `issuer.user-missing`. */
  remove(idToken: string): UseCase<null, NoToken | RunnerCode>
  /**
   * Mails a code that sets a new password, or confirms an e-mail or another one; value: the address it goes to.
   * Fails: `issuer.email-missing` (no account has it), `issuer.token-invalid`, `issuer.user-missing`, `issuer.email-exists`.
   */
  sendCode(
    given: DevCodeRequest,
  ): UseCase<string, NoToken | 'issuer.email-missing' | 'issuer.email-exists' | RunnerCode>
  /** The account and purpose of a mailed code. Fails: `issuer.code-invalid`, `issuer.code-expired`. */
  checkCode(code: string): UseCase<DevCode, CodeFault>
  /** Sets a new password by a mailed code. Fails: `issuer.code-invalid`, `issuer.code-expired`, `server.busy`. */
  resetPassword(
    code: string,
    password: string,
    requester: Requester,
  ): UseCase<DevCode, CodeFault | 'issuer.email-exists' | Busy>
  /** Confirms an e-mail by a mailed code. Fails: `issuer.code-invalid`, `issuer.code-expired`, `issuer.email-exists`. */
  confirmEmail(code: string): UseCase<DevAccount, CodeFault | 'issuer.email-exists' | RunnerCode>
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** As long as Firebase's. */
const UID_CHARS = 28
const TAKEN = left(failure('refused', 'issuer.email-exists'))
const WRONG = left(failure('refused', 'issuer.credentials-wrong'))

const EMAIL_MISSING = left(failure('refused', 'issuer.email-missing'))

export const devIssuer = (given: DevIssuerPorts): DevIssuer => {
  // Systems spell letters in different ways: a password is the same in NFD and in NFC.
  const ports = { ...given, hasher: nfcHasher(given.hasher) }
  const { store, clock, keys } = ports
  const codes = devCodes(ports)
  const lookUp: DevIssuer['lookUp'] = (idToken) => async () => {
    const claims = await keys.identity.verify(idToken, clock.now())
    if (claims === null) return left(failure('refused', 'issuer.token-invalid'))
    const account = await store.find(byId(devAccounts, claims.uid))
    return account ? right(account) : left(failure('refused', 'issuer.user-missing'))
  }
  return {
    lookUp,
    signUp: (given, requester) =>
      hashingUseCaseOf<DevSession>()(async () =>
        signedIn(keys, clock.now(), await createAccount(ports, given, requester)),
      ),
    signIn: signInWith(ports),
    refresh: (refreshToken) => async () => {
      const id = refreshedId(refreshToken)
      const account = id === null ? null : await store.find(byId(devAccounts, id))
      if (!account) return left(failure('refused', 'issuer.refresh-invalid'))
      const since = signedInBy(keys, account, refreshToken)
      if (since === null) return left(failure('refused', 'issuer.token-expired'))
      return right(await sessionOf(keys, account, clock.now(), since))
    },
    update: (idToken, change, requester) =>
      hashingUseCaseOf<DevSession>()(async () => {
        const known = await lookUp(idToken)()
        if (isLeft(known)) return known
        return signedIn(keys, clock.now(), await changeAccount(ports, known.right, change, requester))
      }),
    remove: (idToken) => async (hooks) => {
      const known = await lookUp(idToken)()
      return isLeft(known) ? known : codes.remove(known.right)(hooks)
    },
    sendCode:
      ({ requestType, email, idToken, newEmail }) =>
      async (hooks) => {
        if (requestType === 'PASSWORD_RESET') {
          const account = await store.find(byKey(devAccounts, 'email', email ?? ''))
          return account ? codes.send(account, requestType)(hooks) : EMAIL_MISSING
        }
        const known = await lookUp(idToken ?? '')()
        return isLeft(known) ? known : codes.send(known.right, requestType, newEmail ?? null)(hooks)
      },
    checkCode: codes.check,
    resetPassword: codes.reset,
    confirmEmail: codes.confirm,
  }
}

/** Tokens are made once the commit is done: to sign takes time. */
const signedIn = async <C extends string>(
  keys: DevKeys,
  now: string,
  account: Either<Failure<C, never>, DevAccount>,
): Promise<Either<Failure<C, never>, DevSession>> =>
  isLeft(account) ? account : right(await sessionOf(keys, account.right, now))

const createAccount = async (
  { hasher, ...runtime }: DevIssuerPorts,
  { email, password, displayName }: DevNewcomer,
  requester: Requester,
) => {
  const passwordHash = await hasher.hash(password, requester)
  return useCase(
    runtime,
    (store) => store.find(byKey(devAccounts, 'email', email)),
    (known, fresh) => {
      if (known) return TAKEN
      const account: DevAccount = {
        id: fresh.text(ALPHANUMERIC, UID_CHARS),
        email,
        passwordHash,
        displayName,
        photoUrl: null,
        verifiedAt: null,
        createdAt: fresh.now,
        signedInAt: fresh.now,
      }
      return accept(account, insert(devAccounts, account))
    },
  )()
}

const changeAccount = async (
  { hasher, ...runtime }: DevIssuerPorts,
  { id }: DevAccount,
  change: DevChange,
  requester: Requester,
) => {
  const { password, ...fields } = change
  const passwordHash = password === undefined ? undefined : await hasher.hash(password, requester)
  const given = Object.fromEntries(
    Object.entries({ ...fields, passwordHash }).filter(([, value]) => value !== undefined),
  )
  return useCase(
    runtime,
    (store) => store.read({ account: byId(devAccounts, id), holder: byKey(devAccounts, 'email', change.email ?? '') }),
    ({ account, holder }) => {
      if (!account) return left(failure('refused', 'issuer.user-missing'))
      if (holder && holder.id !== id) return TAKEN
      const changed = { ...account, ...given }
      return accept(changed, patch(devAccounts, id, { set: given, when: always }))
    },
  )()
}

const signInWith = (ports: DevIssuerPorts): DevIssuer['signIn'] => {
  const { hasher, keys, store, clock } = ports
  const throttled = guesses.loginThrottle(ports)
  return ({ email, password }, requester) =>
    hashingUseCaseOf<DevSession>()(() =>
      throttled(email, requester.address, async () => {
        const account = await store.find(byKey(devAccounts, 'email', email))
        if (!account) await hasher.verifyDummy(password, requester)
        if (!account || !(await hasher.verify(password, account.passwordHash, requester))) return WRONG
        const entered = await useCase(
          ports,
          (reader) =>
            reader.read({
              throttle: byId(guesses.throttles, throttleId(email, requester.address)),
              current: byId(devAccounts, account.id),
            }),
          ({ throttle, current }, { now }) => {
            // It was changed while the old one was compared.
            if (current?.passwordHash !== account.passwordHash) return WRONG
            const when = eq<'passwordHash'>('passwordHash', account.passwordHash)
            const seen = patch(devAccounts, account.id, { set: { signedInAt: now }, when })
            return accept({ ...current, signedInAt: now }, ...guesses.forgetTries(throttle), seen)
          },
        )()
        return signedIn(keys, clock.now(), entered)
      }),
    )
}

import { type Either, type Failure, failure, isLeft, left, right } from '../../core/failure.ts'
import { always, eq, insert, patch } from '../../core/kernel/records/record.ts'
import { accept, type RunnerCode, type Runtime, type UseCase, useCase } from '../../core/kernel/running/use-case.ts'
import { hashingUseCaseOf, throttleId } from '../../core/office/throttle.ts'
import { nfcHasher } from '../../core/payments/secret-hashing.ts'
import type { Requester } from '../../core/ports/identity.ts'
import { byId, byKey } from '../../core/ports/store.ts'
import {
  accountIdIn,
  type DevAccount,
  type DevKeys,
  type DevSession,
  devAccounts,
  devThrottle,
  sessionOf,
  signInTime,
} from './dev-accounts.ts'
import { type CodeFault, type DevCode, type DevCodePorts, type DevRequestType, devCodes } from './dev-codes.ts'

type DevIssuerPorts = Runtime & DevCodePorts

/** A request to mail a code, as clients of Firebase send it. */
export interface DevCodeRequest {
  readonly requestType: DevRequestType
  /** The account whose password is reset. */
  readonly email?: string | undefined
  /** The account whose e-mail is confirmed. */
  readonly idToken?: string | undefined
  readonly newEmail?: string | undefined
}

export interface DevCredentials {
  readonly email: string
  readonly password: string
}

export interface DevRegistration extends DevCredentials {
  readonly displayName: string | null
}

/** A change of an account. Undefined keeps a field, null clears it. */
export interface DevChange {
  readonly email?: string | undefined
  readonly password?: string | undefined
  readonly displayName?: string | null | undefined
  readonly photoUrl?: string | null | undefined
}

type TokenFault = 'issuer.token-invalid' | 'issuer.user-missing'
/** Failures of hashing and of commits. */
type Busy = 'server.busy' | RunnerCode

/** The e-mail and password sign-in of Firebase Authentication without an outside system, for development and tests. */
export interface DevIssuer {
  /** Creates an account and signs it in. Fails: `issuer.email-exists`, `server.busy`. */
  signUp(registration: DevRegistration, requester: Requester): UseCase<DevSession, 'issuer.email-exists' | Busy>
  /**
   * Fails: `issuer.credentials-wrong`, `login.throttled` (after five failures from one address, for fifteen minutes),
   * `server.busy`.
   */
  signIn(
    credentials: DevCredentials,
    requester: Requester,
  ): UseCase<DevSession, 'issuer.credentials-wrong' | 'login.throttled' | Busy>
  /** Issues a new token. Fails: `issuer.refresh-invalid`, `issuer.token-expired` (the password changed). */
  refresh(refreshToken: string): UseCase<DevSession, 'issuer.refresh-invalid' | 'issuer.token-expired'>
  /** Returns the account of a token. Fails: `issuer.token-invalid`, `issuer.user-missing`. */
  lookUp(idToken: string): UseCase<DevAccount, TokenFault>
  /** Fails: `issuer.token-invalid`, `issuer.user-missing`, `issuer.email-exists`, `server.busy`. */
  update(
    idToken: string,
    change: DevChange,
    requester: Requester,
  ): UseCase<DevSession, TokenFault | 'issuer.email-exists' | Busy>
  /** Removes the account of a token. Fails: `issuer.token-invalid`, `issuer.user-missing`. */
  remove(idToken: string): UseCase<null, TokenFault | RunnerCode>
  /**
   * Mails a code that resets a password, or confirms the current or a new e-mail. Returns the recipient's address.
   * Fails: `issuer.email-missing` (no account has it), `issuer.token-invalid`, `issuer.user-missing`,
   * `issuer.email-exists`.
   */
  sendCode(
    request: DevCodeRequest,
  ): UseCase<string, TokenFault | 'issuer.email-missing' | 'issuer.email-exists' | RunnerCode>
  /** Returns the account and purpose of a mailed code. Fails: `issuer.code-invalid`, `issuer.code-expired`. */
  checkCode(code: string): UseCase<DevCode, CodeFault>
  /** Sets a new password by a mailed code. Fails: `issuer.code-invalid`, `issuer.code-expired`, `server.busy`. */
  resetPassword(
    code: string,
    password: string,
    requester: Requester,
  ): UseCase<DevCode, CodeFault | 'issuer.email-exists' | Busy>
  /** Confirms an e-mail by a code. Fails: `issuer.code-invalid`, `issuer.code-expired`, `issuer.email-exists`. */
  confirmEmail(code: string): UseCase<DevAccount, CodeFault | 'issuer.email-exists' | RunnerCode>
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** The length of Firebase's user ids. */
const UID_CHARS = 28
const EMAIL_EXISTS = left(failure('refused', 'issuer.email-exists'))
const WRONG_CREDENTIALS = left(failure('refused', 'issuer.credentials-wrong'))
const EMAIL_MISSING = left(failure('refused', 'issuer.email-missing'))

export const devIssuer = (outerPorts: DevIssuerPorts): DevIssuer => {
  // A password in NFD equals the one in NFC: systems normalize letters differently.
  const ports = { ...outerPorts, hasher: nfcHasher(outerPorts.hasher) }
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
    signUp: (registration, requester) =>
      hashingUseCaseOf<DevSession>()(async () =>
        startSession(keys, clock.now(), await createAccount(ports, registration, requester)),
      ),
    signIn: signInWith(ports),
    refresh: (refreshToken) => async () => {
      const id = accountIdIn(refreshToken)
      const account = id === null ? null : await store.find(byId(devAccounts, id))
      if (!account) return left(failure('refused', 'issuer.refresh-invalid'))
      const since = signInTime(keys, account, refreshToken)
      if (since === null) return left(failure('refused', 'issuer.token-expired'))
      return right(await sessionOf(keys, account, clock.now(), since))
    },
    update: (idToken, change, requester) =>
      hashingUseCaseOf<DevSession>()(async () => {
        const known = await lookUp(idToken)()
        if (isLeft(known)) return known
        return startSession(keys, clock.now(), await changeAccount(ports, known.right, change, requester))
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

/** Signs tokens after the commit: a signature takes time. */
const startSession = async <C extends string>(
  keys: DevKeys,
  now: string,
  account: Either<Failure<C, never>, DevAccount>,
): Promise<Either<Failure<C, never>, DevSession>> =>
  isLeft(account) ? account : right(await sessionOf(keys, account.right, now))

const createAccount = async (
  { hasher, ...runtime }: DevIssuerPorts,
  { email, password, displayName }: DevRegistration,
  requester: Requester,
) => {
  const passwordHash = await hasher.hash(password, requester)
  return useCase(
    runtime,
    (store) => store.find(byKey(devAccounts, 'email', email)),
    (known, fresh) => {
      if (known) return EMAIL_EXISTS
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
  const set = Object.fromEntries(Object.entries({ ...fields, passwordHash }).filter(([, value]) => value !== undefined))
  return useCase(
    runtime,
    (store) => store.read({ account: byId(devAccounts, id), holder: byKey(devAccounts, 'email', change.email ?? '') }),
    ({ account, holder }) => {
      if (!account) return left(failure('refused', 'issuer.user-missing'))
      if (holder && holder.id !== id) return EMAIL_EXISTS
      return accept({ ...account, ...set }, patch(devAccounts, id, { set, when: always }))
    },
  )()
}

const signInWith = (ports: DevIssuerPorts): DevIssuer['signIn'] => {
  const { hasher, keys, store, clock } = ports
  const throttled = devThrottle.loginThrottle(ports)
  return ({ email, password }, requester) =>
    hashingUseCaseOf<DevSession>()(() =>
      throttled(email, requester.address, async () => {
        const account = await store.find(byKey(devAccounts, 'email', email))
        if (!account) await hasher.verifyDummy(password, requester)
        if (!account || !(await hasher.verify(password, account.passwordHash, requester))) return WRONG_CREDENTIALS
        const entered = await useCase(
          ports,
          (reader) =>
            reader.read({
              throttle: byId(devThrottle.throttles, throttleId(email, requester.address)),
              current: byId(devAccounts, account.id),
            }),
          ({ throttle, current }, { now }) => {
            // The password changed while the old one was verified.
            if (current?.passwordHash !== account.passwordHash) return WRONG_CREDENTIALS
            const when = eq<'passwordHash'>('passwordHash', account.passwordHash)
            const signedIn = patch(devAccounts, account.id, { set: { signedInAt: now }, when })
            return accept({ ...current, signedInAt: now }, ...devThrottle.forgetTries(throttle), signedIn)
          },
        )()
        return startSession(keys, clock.now(), entered)
      }),
    )
}

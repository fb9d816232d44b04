import { type Either, type Failure, invalid, isLeft, issue, left, right } from '../../failure.ts'
import { type DecodedOf, type InputOf, input, nullIfAbsent, pick, secret, url } from '../../kernel/input/mod.ts'
import {
  all,
  always,
  type Change,
  eq,
  expiringCollection,
  insert,
  orNull,
  patch,
  record,
  remove,
  t,
} from '../../kernel/records/record.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import {
  accept,
  countingUseCase,
  type Fresh,
  type RunnerCode,
  randomCode,
  useCase,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { hashingUseCaseOf, hashOrUncount } from '../../office/throttle.ts'
import type { Digest } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import {
  auditUser,
  findUserByEmail,
  legacyDocument,
  legacyPasswords,
  mailUser,
  passwordFields,
  type User,
  userFields,
  users,
} from '../members/user.ts'
import { changesOf } from '../office.ts'
import type { Origin, PaymentsPorts, PaymentsSettings } from '../payments-ports.ts'
import {
  CODE_SECONDS,
  codes,
  decideSend,
  type RightCodeFacts,
  readRightCode,
  readSendFacts,
  requestCode,
  type SendFacts,
  tryFlowCode,
  typedCodeFields,
  UNKNOWN_EMAIL,
  uncountCode,
  useCode,
  useRightCode,
  WRONG_CODE,
} from './code.ts'
import { passwordChangedMail, passwordLinkMail, recoveryMail } from './code-mail.ts'
import { DIGITS, parseTypedCode, type RightCode } from './code-tries.ts'
import { aliveSessions, endSessions, type Session } from './session.ts'

const FLOW = 'recovery'

export const forgottenPassword = input('ForgottenPassword', pick(userFields, 'email'))
export type ForgottenPassword = InputOf<typeof forgottenPassword>

export const forgotPassword = (ports: PaymentsPorts) => (request: ForgottenPassword) =>
  withValidInput(ports, forgottenPassword, request, ({ email }) =>
    useCase(
      ports,
      async (store) => readSendFacts(store, FLOW, await findUserByEmail(store, email)),
      (facts, fresh) => decideSend(ports, facts, FLOW, fresh),
    ),
  )

/** A new password and the mailed code. */
export const newPassword = input('NewPassword', { ...typedCodeFields, password: passwordFields.password })
export type NewPassword = InputOf<typeof newPassword>

export const resetPassword = (ports: PaymentsPorts) => {
  const reset = resetUseCase(ports)
  return (submitted: NewPassword, origin: Origin | null = null) =>
    withValidInput(ports, newPassword, submitted, ({ email, code, password }) => {
      const tried = { email, typed: code, origin, wrong: WRONG_CODE }
      return reset({ email, token: code }, { password, origin, wrong: WRONG_CODE }, () =>
        tryFlowCode(ports, FLOW, tried, (user) => (user ? null : UNKNOWN_EMAIL)),
      )
    })
}

interface Reset {
  readonly password: string
  readonly origin: Origin | null
  /** The failure of a wrong proof. */
  readonly wrong: typeof WRONG_CODE
}

/**
 * Sets a new password after a proof. `check` returns the matched code, or null for a valid link, which is checked again
 * in the commit that uses it.
 */
const resetUseCase = (ports: PaymentsPorts) => {
  // Tries at one code run in sequence: their counts would conflict.
  const inSequence = serialByName()
  return <C extends string, I extends string>(
    proof: Proof,
    { password, origin, wrong }: Reset,
    check: () => Promise<Either<Failure<C, I>, RightCode | null>>,
  ) =>
    hashingUseCaseOf<null>()<C | 'code.invalid' | RunnerCode, I | 'code.invalid'>((hooks) =>
      inSequence(proof.email ?? proof.token, async () => {
        // A wrong code or link is rejected before the password is hashed, which is slow.
        const found = await check()
        if (isLeft(found)) return found
        const passwordHash = await hashOrUncount(
          () => ports.hasher.hash(password, origin),
          async () => found.right && uncountCode(ports, proof.email ?? '', found.right)(),
        )
        return countingUseCase(
          ports,
          (store) => readFacts(ports, store, proof, found.right),
          (facts, fresh) => {
            const used = found.right
              ? useRightCode(ports, facts, found.right, fresh.steady)
              : useLink(ports, facts, fresh.steady)
            return decideReset(ports, facts, used, wrong, { passwordHash, origin }, fresh)
          },
        )(hooks)
      }),
    )
}

/** Reads the sessions that a new password ends. */
const readAlive = async (store: Store, user: User | null): Promise<readonly Session[]> =>
  user ? (await store.list(aliveSessions(user.id))).records : []

/**
 * Replaces the password of a user, ends every session and notifies the user. `used` are the changes that use up the
 * mailed code or link; if it is null, the code or link is `wrong`.
 */
const decideReset = (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  { user, alive }: { readonly user: User | null; readonly alive: readonly Session[] },
  used: readonly Change[] | null,
  wrong: Reset['wrong'],
  { passwordHash, origin }: { readonly passwordHash: string; readonly origin: Origin | null },
  fresh: Fresh,
) =>
  user && used
    ? accept(
        right<never, null>(null),
        ...used,
        patch(users, user.id, {
          set: { passwordHash, updatedAt: fresh.now },
          // The code replaces the password that was read; one set since then stays.
          when: all(eq('email', user.email), eq('passwordHash', user.passwordHash)),
        }),
        ...endSessions(alive, fresh.now),
        mailUser(cipher, fresh, user, passwordChangedMail(user.name, 'all')),
        ...auditUser(fresh, { userId: null, origin }, user.id, 'password.reset', changesOf(user, { passwordHash })),
      )
    : left(wrong)

const passwordLink = record({
  /** The SHA-256 of the token, which is not stored. */
  id: t.string,
  userId: t.number,
  /** The code mailed with the link, of which only one can be used; null if there was none. */
  codeId: orNull(t.string),
  expiresAt: t.string,
})

/** A link that sets a password once. */
type PasswordLink = t.TypeOf<typeof passwordLink>

export const passwordLinks = expiringCollection('payments.password-links', passwordLink)

/** A request for a new password; `url` is the page that the mailed link opens. */
export const linkRequest = input('PasswordLinkRequest', {
  document: legacyDocument,
  email: userFields.email,
  url: url({ about: 'Endereço a que o link leva' }),
})
export type PasswordLinkRequest = InputOf<typeof linkRequest>

const LINK_FLOW = 'legacy-recovery'

export const forgotByLink = (ports: PaymentsPorts) => (submitted: PasswordLinkRequest) =>
  withValidInput(ports, linkRequest, submitted, (request) =>
    useCase(
      ports,
      async (store) => readSendFacts(store, LINK_FLOW, await findUserByEmail(store, request.email)),
      (facts, fresh) => decideLinkMail(ports, facts, request, fresh),
    ),
  )

const decideLinkMail = (
  ports: Pick<PaymentsPorts, 'cipher' | 'digest' | 'settings'>,
  facts: SendFacts,
  { document, url }: DecodedOf<typeof linkRequest>,
  fresh: Fresh,
) => {
  const { cipher, digest, settings } = ports
  const { user } = facts
  if (!user) return left(UNKNOWN_EMAIL)
  if (user.document !== document) return left(invalid([issue('document', 'document.other')]))
  const drawn = requestCode(ports, { ...facts, user }, LINK_FLOW, fresh)
  if (isLeft(drawn)) return drawn
  const { typed, codeId, change } = drawn.right
  if (!isOwnHost(settings, url)) {
    return accept(null, change, mailUser(cipher, fresh, user, recoveryMail(user.name, typed)))
  }
  const link = { userId: user.id, codeId, lifeSeconds: CODE_SECONDS }
  const { token, change: stored } = newPasswordLink(digest, fresh, link)
  const mail = passwordLinkMail(user.name, withToken(url, token), typed)
  return accept(null, change, stored, mailUser(cipher, fresh, user, mail))
}

/** Reports whether a link may carry a token: only to the operator's hosts, and in production only by https. */
const isOwnHost = (
  { resetHosts, isProduction }: Pick<PaymentsSettings, 'resetHosts' | 'isProduction'>,
  url: string,
): boolean => {
  const { protocol, hostname } = new URL(url)
  return resetHosts.includes(hostname) && (protocol === 'https:' || !isProduction)
}

const withToken = (url: string, token: string): string => {
  const [base = '', fragment] = url.split('#', 2)
  return `${base}${base.includes('?') ? '&' : '?'}token=${token}${fragment === undefined ? '' : `#${fragment}`}`
}

/** A new password, with the token of a link, or with a code and the e-mail. */
export const tokenPasswordFields = {
  token: secret({ max: 255, about: 'Token do link ou código que foi enviado por e-mail' }),
  email: nullIfAbsent(userFields.email),
  password: legacyPasswords.next,
}

const tokenPassword = input('TokenPassword', tokenPasswordFields)
export type TokenPassword = InputOf<typeof tokenPassword>

type Proof = Omit<DecodedOf<typeof tokenPassword>, 'password'>

interface Facts extends RightCodeFacts {
  readonly link: PasswordLink | null
  readonly alive: readonly Session[]
}

const WRONG_TOKEN = invalid([issue('token', 'code.invalid')], 'code.invalid')

export const resetByToken = (ports: PaymentsPorts) => {
  const reset = resetUseCase(ports)
  return (submitted: TokenPassword, origin: Origin | null = null) =>
    withValidInput(ports, tokenPassword, submitted, ({ password, ...proof }) =>
      reset(proof, { password, origin, wrong: WRONG_TOKEN }, () => checkProof(ports, proof, origin)),
    )
}

/** Returns the matched code, or null for a valid link. */
const checkProof = async (ports: PaymentsPorts, proof: Proof, origin: Origin | null) => {
  const { token, email } = proof
  if (email !== null && parseTypedCode(token, DIGITS)) {
    // An unknown e-mail gets the failure of a wrong code.
    return tryFlowCode(ports, LINK_FLOW, { email, typed: token, origin, wrong: WRONG_TOKEN }, () => null)
  }
  return useCase(
    ports,
    (store) => readFacts(ports, store, proof, null),
    (facts, { steady }) => (useLink(ports, facts, steady) ? accept(null) : left(WRONG_TOKEN)),
  )()
}

const readFacts = async (
  { digest }: Pick<PaymentsPorts, 'digest'>,
  store: Store,
  { token, email }: Proof,
  found: RightCode | null,
): Promise<Facts> => {
  if (found) {
    const facts = await readRightCode(store, email ?? '', found)
    return { ...facts, link: null, alive: await readAlive(store, facts.user) }
  }
  const link = await store.find(byId(passwordLinks, passwordLinkId(digest, token)))
  const user = link && (await store.find(byId(users, link.userId)))
  const code = user && (await store.find(byId(codes, user.email)))
  return { user, code, link, alive: await readAlive(store, user), counts: [] }
}

/** Returns the changes that use up a link, with its code; null if it is invalid. */
const useLink = (
  ports: Pick<PaymentsPorts, 'digest'>,
  { user, code, link }: Facts,
  now: Instant,
): readonly Change[] | null => {
  if (!user || user.removedAt !== null || !link || link.expiresAt <= now) return null
  const used = remove(passwordLinks, link.id, always)
  // A link mailed without a code sets the first password only.
  if (link.codeId === null) return user.passwordHash === null ? [used] : null
  const usedCode = useCode(ports, code, { codeId: link.codeId }, user)
  return usedCode && [used, usedCode]
}

const TOKEN_LENGTH = 43

const passwordLinkId = (digest: Digest, token: string): string => digest.sha256(token)

/** Returns the token of a new link and the change that stores it. */
export const newPasswordLink = (
  digest: Digest,
  fresh: Fresh,
  { lifeSeconds, ...of }: Pick<PasswordLink, 'userId' | 'codeId'> & { readonly lifeSeconds: number },
): { readonly token: string; readonly change: Change } => {
  const token = randomCode(fresh, TOKEN_LENGTH)
  const expiresAt = addSeconds(fresh.steady, lifeSeconds)
  return { token, change: insert(passwordLinks, { id: passwordLinkId(digest, token), ...of, expiresAt }) }
}

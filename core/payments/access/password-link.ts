import { invalid, isLeft, issue, left, right, throttled } from '../../failure.ts'
import { nullIfAbsent } from '../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { secret, url } from '../../kernel/input/scalars.ts'
import { always, type Change, type Collection, insert, orNull, record, remove, t } from '../../kernel/records/record.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import {
  accept,
  countingUseCase,
  type Fresh,
  randomCode,
  useCase,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import type { Origin } from '../../office/audit.ts'
import { hashingUseCaseOf, hashOrUncount } from '../../office/guesses.ts'
import type { Digest } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import { findUserByEmail, legacyDocument, legacyPasswords, type User, userFields, users } from '../members/user.ts'
import { queueMail } from '../office.ts'
import type { PaymentsPorts, PaymentsSettings } from '../payments-ports.ts'
import {
  CODE_SECONDS,
  type Code,
  codes,
  flowTriesId,
  mailedCode,
  newCode,
  readCodeFor,
  type SendFacts,
  secondsToNextCode,
  uncountCode,
  useCode,
} from './code.ts'
import { DIGITS, parseTypedCode } from './code-format.ts'
import { passwordLinkMail, recoveryMail } from './code-mail.ts'
import { type CodeTries, type RightCode, readCounted, tryCode, uncountRightCode } from './code-tries.ts'
import { type NewPasswordHash, replacePassword } from './password-reset.ts'
import { aliveSessions, type Session } from './session.ts'

const passwordLink = record({
  /** The SHA-256 of the token, which is not stored. */
  id: t.string,
  userId: t.number,
  /** The code mailed with the link, of which only one can be used; null if there was none. */
  codeId: orNull(t.string),
  expiresAt: t.string,
})

/** A link that sets a password once. */
export type PasswordLink = t.TypeOf<typeof passwordLink>

export const passwordLinks: Collection<PasswordLink> = {
  name: 'payments.password-links',
  ids: 'text',
  codec: passwordLink,
  owner: null,
  indexes: [{ sort: 'expiresAt', acrossOwners: true }],
}

/** A request for a new password; `url` is the page that the mailed link opens. */
export const linkRequest = input('PasswordLinkRequest', {
  document: legacyDocument,
  email: userFields.email,
  url: url({ about: 'Endereço a que o link leva' }),
})

export type PasswordLinkRequest = InputOf<typeof linkRequest>

const FLOW = 'legacy-recovery'

type Ports = Pick<PaymentsPorts, 'cipher' | 'digest' | 'settings'>

/**
 * Mails a code that sets a new password, and a link with a token if `url` is on one of the operator's hosts.
 * Fails: `fields` (`email.unknown`; `document.other` if the document is not the user's), `code.soon`.
 */
export const forgotByLink = (ports: PaymentsPorts) => (submitted: PasswordLinkRequest) =>
  withValidInput(ports, linkRequest, submitted, (request) =>
    useCase(
      ports,
      async (store): Promise<SendFacts> => ({
        user: await findUserByEmail(store, request.email),
        ...(await readCodeFor(store, FLOW, request.email)),
      }),
      (facts, fresh) => decideLinkMail(ports, facts, request, fresh),
    ),
  )

const decideLinkMail = (
  ports: Ports,
  { user, code, tries }: SendFacts,
  { email, document, url }: DecodedOf<typeof linkRequest>,
  fresh: Fresh,
) => {
  const { cipher, digest, settings } = ports
  const wrong = [
    ...(user ? [] : [issue('email', 'email.unknown')]),
    ...(user && user.document !== document ? [issue('document', 'document.other')] : []),
  ]
  if (!user || wrong.length > 0) return left(invalid(wrong))
  const retryAfterSeconds = secondsToNextCode(code, FLOW, fresh.steady)
  if (retryAfterSeconds > 0) return left(throttled('code.soon', retryAfterSeconds))
  const { typed, codeId, change } = newCode(ports, fresh, code, { user, flow: FLOW, tries }, true)
  if (!isOwnHost(settings, url)) {
    return accept(null, change, queueMail(cipher, fresh, { to: email, ...recoveryMail(user.name, typed) }))
  }
  const { token, change: stored } = newPasswordLink(digest, fresh, {
    userId: user.id,
    codeId,
    lifeSeconds: CODE_SECONDS,
  })
  const mail = passwordLinkMail(user.name, withToken(url, token), typed)
  return accept(null, change, stored, queueMail(cipher, fresh, { to: email, ...mail }))
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

export const tokenPassword = input('TokenPassword', tokenPasswordFields)

export type TokenPassword = InputOf<typeof tokenPassword>

type Proof = Omit<DecodedOf<typeof tokenPassword>, 'password'>

interface Facts {
  readonly user: User | null
  readonly code: Code | null
  readonly link: PasswordLink | null
  readonly alive: readonly Session[]
  readonly counts: readonly (CodeTries | null)[]
}

const WRONG_TOKEN = invalid([issue('token', 'code.invalid')], 'code.invalid')

/**
 * Sets a new password by the mailed link or code, and ends every session of the user.
 * Fails: `fields`, `code.invalid` for `token`, `code.throttled` for codes only, `server.busy`.
 */
export const resetByToken = (ports: PaymentsPorts) => {
  const inSequence = serialByName()
  return (submitted: TokenPassword, origin: Origin | null = null) =>
    withValidInput(ports, tokenPassword, submitted, ({ password, ...proof }) =>
      hashingUseCaseOf<null>()((hooks) =>
        inSequence(proof.email ?? proof.token, async () => {
          // A wrong code or link is rejected before the password is hashed, which is slow.
          const found = await checkProof(ports, proof, origin)
          if (isLeft(found)) return found
          const passwordHash = await hashOrUncount(
            () => ports.hasher.hash(password, origin),
            async () => found.right && uncountCode(ports, proof.email ?? '', found.right)(),
          )
          return countingUseCase(
            ports,
            (store) => readFacts(ports, store, proof, found.right),
            (facts, fresh) => decideReset(ports, facts, found.right, { passwordHash, origin }, fresh),
          )(hooks)
        }),
      ),
    )
}

/** Returns the matched code, or null for a valid link, which is checked again in the commit that uses it. */
const checkProof = async (ports: PaymentsPorts, proof: Proof, origin: Origin | null) => {
  const { token, email } = proof
  if (email !== null && parseTypedCode(token, DIGITS)) {
    const tried = { subject: flowTriesId(FLOW, email), typed: token, short: DIGITS, origin, wrong: WRONG_TOKEN }
    // An unknown e-mail gets the failure of a wrong code.
    const find = async (store: Store) => {
      const user = await findUserByEmail(store, email)
      return right(mailedCode(ports, await store.find(byId(codes, email)), FLOW, user))
    }
    return tryCode(ports, find, tried)
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
  const link = found ? null : await store.find(byId(passwordLinks, passwordLinkId(digest, token)))
  const user = found ? await findUserByEmail(store, email ?? '') : link && (await store.find(byId(users, link.userId)))
  const counts = found ? await readCounted(store, found) : []
  if (!user) return { user: null, code: null, link, alive: [], counts }
  const code = await store.find(byId(codes, user.email))
  return { user, code, link, alive: (await store.list(aliveSessions(user.id))).records, counts }
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

/** Returns the changes that use up a matched code; null if it is no longer valid. */
const useTypedCode = (
  ports: Pick<PaymentsPorts, 'digest'>,
  { user, code, counts }: Facts,
  found: RightCode,
  now: Instant,
): readonly Change[] | null => {
  const used = user && user.removedAt === null ? useCode(ports, code, found, user) : null
  return used && [used, ...uncountRightCode(found, counts, now)]
}

const decideReset = (
  ports: Pick<PaymentsPorts, 'cipher' | 'digest'>,
  facts: Facts,
  found: RightCode | null,
  replacement: NewPasswordHash,
  fresh: Fresh,
) => {
  const used = found ? useTypedCode(ports, facts, found, fresh.steady) : useLink(ports, facts, fresh.steady)
  if (!used || !facts.user) return left(WRONG_TOKEN)
  const replaced = replacePassword(ports, facts.user, facts.alive, replacement, fresh)
  return accept(right(null), ...used, ...replaced)
}

const TOKEN_LENGTH = 43

const passwordLinkId = (digest: Digest, token: string): string => digest.sha256(token)

/** Returns the token of a new link and the change that stores it. */
export const newPasswordLink = (
  digest: Digest,
  fresh: Fresh,
  of: { readonly userId: number; readonly codeId: string | null; readonly lifeSeconds: number },
): { readonly token: string; readonly change: Change } => {
  const token = randomCode(fresh, TOKEN_LENGTH)
  const { userId, codeId, lifeSeconds } = of
  const expiresAt = addSeconds(fresh.steady, lifeSeconds)
  return { token, change: insert(passwordLinks, { id: passwordLinkId(digest, token), userId, codeId, expiresAt }) }
}

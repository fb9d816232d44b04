import { invalid, issue, left } from '../../failure.ts'
import { type DecodedOf, type InputOf, input, pick } from '../../kernel/input/input.ts'
import { insert } from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Origin } from '../../office/audit.ts'
import { hashingUseCaseOf } from '../../office/guesses.ts'
import { byId } from '../../ports/store.ts'
import { type Claim, claimId, claims, reserveUnique } from '../claim.ts'
import { passwordFields, type User, userFields, users } from '../members/user.ts'
import { changesOf, queueMail, recordAudit } from '../office.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Code, newCode, readCodeFor } from './code.ts'
import { verificationMail } from './code-mail.ts'
import type { CodeTries } from './code-tries.ts'
import { openSession, passwordMark, type SignInResult, signInResult } from './session.ts'

export const registrationFields = {
  ...pick(userFields, 'name', 'email'),
  password: passwordFields.password,
  phone: userFields.phone,
}
export const registration = input('Registration', registrationFields)

export type NewUser = InputOf<typeof registration>

/** A registration with the hash of its password. */
export type HashedRegistration = Omit<DecodedOf<typeof registration>, 'password'> & {
  readonly passwordHash: string
  readonly origin: Origin
}

interface Facts {
  readonly claim: Claim | null
  readonly code: Code | null
  /** The wrong tries at earlier codes of the e-mail. */
  readonly tries: CodeTries | null
}

/**
 * Registers a user, signs them in and mails a code that verifies their e-mail. Fails: `fields` (`email.taken`),
 * `server.busy`.
 */
export const register = (ports: PaymentsPorts) => (submitted: NewUser, origin: Origin) =>
  withValidInput(ports, registration, submitted, ({ password, ...person }) =>
    hashingUseCaseOf<SignInResult>()(async (hooks) => {
      const hashed = { ...person, origin, passwordHash: await ports.hasher.hash(password, origin) }
      return useCase(
        ports,
        async (store) => ({
          claim: await store.find(byId(claims, claimId('email', person.email))),
          ...(await readCodeFor(store, 'verify', person.email)),
        }),
        (facts, fresh) => decideRegister(ports, facts, hashed, fresh),
      )(hooks)
    }),
  )

export const decideRegister = (
  ports: Pick<PaymentsPorts, 'cipher' | 'digest' | 'tokens'>,
  facts: Facts,
  hashed: HashedRegistration,
  fresh: Fresh,
) => {
  const { cipher, digest, tokens } = ports
  if (facts.claim) return left(invalid([issue('email', 'email.taken')]))
  const { name, email, phone, passwordHash, origin } = hashed
  const user: User = {
    id: fresh.id(users),
    name,
    email,
    phone,
    document: null,
    passwordHash,
    emailVerifiedAt: null,
    createdAt: fresh.now,
    updatedAt: fresh.now,
    removedAt: null,
    documentPassedAt: null,
  }
  const { session, change: opened } = openSession(fresh, {
    userId: user.id,
    accountId: null,
    origin,
    passwordMark: passwordMark({ digest }, passwordHash),
  })
  const { typed, change: stored } = newCode(ports, fresh, facts.code, { user, flow: 'verify', tries: facts.tries })
  return accept(
    signInResult(tokens, session, user),
    insert(users, user),
    reserveUnique('email', email, user.id, null),
    opened,
    stored,
    queueMail(cipher, fresh, { to: email, ...verificationMail(name, typed) }),
    ...recordAudit(
      fresh,
      { userId: null, origin },
      {
        chain: `user:${user.id}`,
        action: 'user.registered',
        subject: `user:${user.id}`,
        changes: changesOf({}, { name, email, phone, passwordHash }),
      },
    ),
  )
}

import { invalid, issue, left } from '../../failure.ts'
import { type DecodedOf, type InputOf, input, pick } from '../../kernel/input/mod.ts'
import { insert } from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { hashingUseCaseOf } from '../../office/throttle.ts'
import { type Claim, reserveUnique } from '../claim.ts'
import { auditUser, findClaim, mailUser, newUser, passwordFields, userFields, users } from '../members/user.ts'
import { changesOf } from '../office.ts'
import type { Origin, PaymentsPorts } from '../payments-ports.ts'
import { newCode, readCodeFor, type SendFacts } from './code.ts'
import { verificationMail } from './code-mail.ts'
import { guardedField } from './log-in.ts'
import { type SignInResult, signIn } from './session.ts'

export const registrationFields = {
  ...pick(userFields, 'name', 'email'),
  password: passwordFields.password,
  phone: userFields.phone,
}
export const registration = input('Registration', { ...registrationFields, guarded: guardedField })
export type NewUser = InputOf<typeof registration>

export const register = (ports: PaymentsPorts) => (submitted: NewUser, origin: Origin) =>
  withValidInput(ports, registration, submitted, ({ password, guarded: isGuarded = false, ...person }) =>
    hashingUseCaseOf<SignInResult>()(async (hooks) => {
      const passwordHash = await ports.hasher.hash(password, origin)
      return useCase(
        ports,
        async (store) => ({
          claim: await findClaim(store, 'email', person.email),
          ...(await readCodeFor(store, 'verify', person.email)),
        }),
        (facts, fresh) => decideRegister(ports, facts, { ...person, passwordHash }, { origin, isGuarded }, fresh),
      )(hooks)
    }),
  )

export const decideRegister = (
  ports: Pick<PaymentsPorts, 'cipher' | 'digest' | 'tokens'>,
  { claim, code, tries }: Omit<SendFacts, 'user'> & { readonly claim: Claim | null },
  person: Omit<DecodedOf<typeof registration>, 'password' | 'guarded'> & { readonly passwordHash: string },
  { origin, isGuarded = false }: { readonly origin: Origin; readonly isGuarded?: boolean },
  fresh: Fresh,
) => {
  if (claim) return left(invalid([issue('email', 'email.taken')]))
  const user = newUser(fresh, { ...person, document: null })
  const { result, change } = signIn(ports, fresh, user, origin, { isGuarded })
  const { typed, change: stored } = newCode(ports, fresh, code, { user, flow: 'verify', tries })
  return accept(
    result,
    insert(users, user),
    reserveUnique('email', user.email, user.id, null),
    change,
    stored,
    mailUser(ports.cipher, fresh, user, verificationMail(user.name, typed)),
    ...auditUser(fresh, { userId: null, origin }, user.id, 'user.registered', changesOf({}, person)),
  )
}

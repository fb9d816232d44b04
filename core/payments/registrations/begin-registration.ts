import { failure, invalid } from '../../failure.ts'
import { left } from '../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { pick } from '../../kernel/input/table.ts'
import { insert } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { taxIdKind } from '../../kernel/values/tax-id.ts'
import type { Origin } from '../../office/audit.ts'
import { queueMail } from '../office/mails.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { newCodeMails } from './codes/registration-code.ts'
import { lettersMail } from './codes/registration-mail.ts'
import { unconfirmedUntil } from './lapse-registration.ts'
import { isGiven, NO_ACCOUNT } from './opening/only-account.ts'
import {
  type ClaimFacts,
  type Registration,
  readClaims,
  registrations,
  reserveAll,
  shownRegistration,
  takenIssues,
} from './registration.ts'
import { registrationFields } from './registration-fields.ts'

/** Who asks for an account. Source: 01-access.md, POST /access/register. */
export const applicant = input('Applicant', pick(registrationFields, 'name', 'email', 'address', 'document'))

export type Applicant = InputOf<typeof applicant>

/** Its length is neither a CPF's nor a CNPJ's. */
const NO_KIND = failure('refused', 'document.kind')

/** What of a registration is not known when it begins. */
export const UNBEGUN = {
  origin: null,
  phone: null,
  passwordHash: null,
  confirmedAt: null,
  image1Id: null,
  image2Id: null,
  reason: null,
  accountId: null,
  userId: null,
  dueAt: null,
  attempts: 0,
  operationId: null,
} as const satisfies Partial<Registration>

/**
 * Registers who asks for an account, and mails a code that confirms their e-mail.
 * Fails: `document.kind`, `bank.unsupported` (the bank has one account, and it is somebody's), `fields` (`email.taken`, `document.taken`). Source: 01-access.md, POST /access/register.
 */
export const beginRegistration =
  (ports: PaymentsPorts) =>
  (given: Applicant, origin: Origin | null = null) =>
    withValidInput(ports, applicant, given, (asking) =>
      useCase(
        ports,
        (store) => readClaims(store, asking),
        (facts, fresh) => decideRegistration(ports, facts, { ...asking, origin }, fresh),
      ),
    )

export const decideRegistration = (
  { cipher, bank }: Pick<PaymentsPorts, 'cipher' | 'bank'>,
  facts: ClaimFacts,
  asking: DecodedOf<typeof applicant> & Pick<Registration, 'origin'>,
  fresh: Fresh,
) => {
  if (taxIdKind(asking.document) === null) return left(NO_KIND)
  if (isGiven(bank, facts.only)) return left(NO_ACCOUNT)
  const taken = takenIssues(facts, fresh)
  if (taken.length > 0) return left(invalid(taken))
  const { letters, fields } = newCodeMails(cipher, fresh, null)
  const begun: Registration = {
    id: fresh.id(registrations),
    ...UNBEGUN,
    ...asking,
    ...fields,
    state: 'PENDING_EMAIL',
    uuid: fresh.uuid(),
    dueAt: unconfirmedUntil(fresh.steady),
    createdAt: fresh.now,
    updatedAt: fresh.now,
  }
  return accept(
    shownRegistration(begun),
    insert(registrations, begun),
    ...reserveAll(begun, facts, fresh),
    queueMail(cipher, fresh, { to: begun.email, ...lettersMail(begun.name, letters) }),
  )
}

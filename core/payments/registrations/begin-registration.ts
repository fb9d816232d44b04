import { failure, invalid } from '../../failure.ts'
import { left } from '../../fp.ts'
import { insert } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { decided, useCase } from '../../kernel/running/use-case.ts'
import { taxIdKind } from '../../kernel/values/tax-id.ts'
import type { Origin } from '../actor.ts'
import { queueMail } from '../mail/mail.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { newCodeMails } from './codes/registration-code.ts'
import { lettersMail } from './codes/registration-mail.ts'
import { unconfirmedUntil } from './lapse-registration.ts'
import {
  type ClaimFacts,
  type Registration,
  readClaims,
  registrations,
  reserveAll,
  takenIssues,
} from './registration.ts'

/** Who asks for an account: texts are trimmed, the e-mail is lower-case. */
export interface Applicant {
  readonly name: string
  readonly email: string
  readonly address: string
  /** Letters and digits, without marks; a CPF or CNPJ with right check digits, if it is as long as one. */
  readonly document: string
}

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
} as const satisfies Partial<Registration>

/**
 * Registers who asks for an account, and mails a code that confirms their e-mail.
 * Fails: `document.kind`, `fields` (`email.taken`, `document.taken`). Source: 01-access.md, POST /access/register.
 */
export const beginRegistration =
  (ports: PaymentsPorts) =>
  (applicant: Applicant, origin: Origin | null = null) =>
    useCase(
      ports,
      (store) => readClaims(store, applicant),
      (facts, fresh) => decideRegistration(ports, facts, { ...applicant, origin }, fresh),
    )

export const decideRegistration = (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  facts: ClaimFacts,
  applicant: Applicant & Pick<Registration, 'origin'>,
  fresh: Fresh,
) => {
  if (taxIdKind(applicant.document) === null) return left(NO_KIND)
  const taken = takenIssues(facts)
  if (taken.length > 0) return left(invalid(taken))
  const { letters, fields } = newCodeMails(cipher, fresh, null)
  const begun: Registration = {
    id: fresh.id(registrations),
    ...UNBEGUN,
    ...applicant,
    ...fields,
    state: 'PENDING_EMAIL',
    uuid: fresh.uuid(),
    dueAt: unconfirmedUntil(fresh.now),
    createdAt: fresh.now,
    updatedAt: fresh.now,
  }
  return decided(
    begun,
    insert(registrations, begun),
    ...reserveAll(begun),
    queueMail(cipher, fresh, { to: begun.email, ...lettersMail(begun.name, letters) }),
  )
}

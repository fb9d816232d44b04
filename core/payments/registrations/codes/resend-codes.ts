import { invalid, issue, throttled } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { patch } from '../../../kernel/records/change.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, useCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { byId } from '../../../ports/store.ts'
import { type CodeTries, codeTryCounts } from '../../access/codes/code-tries.ts'
import { queueMail } from '../../office/mails.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import {
  findRegistration,
  NO_REGISTRATION,
  type Registration,
  type RegistrationPair,
  registrationPair,
  registrations,
  shownRegistration,
} from '../registration.ts'
import { newCodeMails, registrationTriesId, secondsToNextCodeMails, unconfirmed } from './registration-code.ts'
import { lettersMail } from './registration-mail.ts'

interface Facts {
  readonly found: Registration | null
  /** Wrong tries at its codes so far. */
  readonly tries: CodeTries | null
}

/**
 * Mails another code, in the place of the last one, which may still be on its way for two minutes.
 * Fails: `fields` (`registration.confirmed`), `registration.unknown`, `code.soon`.
 * Source: 01-access.md, POST /access/register/email; decisions.md §12, Codes.
 */
export const resendCodes = (ports: PaymentsPorts) => (given: RegistrationPair) =>
  withValidInput(ports, registrationPair, given, (pair) =>
    useCase(
      ports,
      async (store) => ({
        found: await findRegistration(store, pair),
        tries: await store.find(byId(codeTryCounts, registrationTriesId(pair.registrationId))),
      }),
      (facts, fresh) => decideResend(ports, facts, fresh),
    ),
  )

export const decideResend = ({ cipher }: Pick<PaymentsPorts, 'cipher'>, { found, tries }: Facts, fresh: Fresh) => {
  if (!found) return left(NO_REGISTRATION)
  if (found.state !== 'PENDING_EMAIL') return left(invalid([issue('registrationId', 'registration.confirmed')]))
  const retryAfterSeconds = secondsToNextCodeMails(found, fresh.steady)
  if (retryAfterSeconds > 0) return left(throttled('code.soon', retryAfterSeconds))
  const { letters, fields } = newCodeMails(cipher, fresh, tries)
  const set = { ...fields, updatedAt: fresh.now }
  return accept(
    shownRegistration({ ...found, ...set }),
    patch(registrations, found.id, { set, when: unconfirmed(found.codeId) }),
    queueMail(cipher, fresh, { to: found.email, ...lettersMail(found.name, letters) }),
  )
}

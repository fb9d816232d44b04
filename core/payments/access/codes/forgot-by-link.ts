import { invalid, issue, throttled } from '../../../failure.ts'
import { left } from '../../../fp.ts'
import { type DecodedOf, type InputOf, input } from '../../../kernel/input/input.ts'
import { url } from '../../../kernel/input/texts.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, useCase, withValidInput } from '../../../kernel/running/use-case.ts'
import { anyDocument, findUserByEmail, userFields } from '../../members/user.ts'
import { queueMail } from '../../office.ts'
import type { PaymentsPorts, PaymentsSettings } from '../../payments-ports.ts'
import { CODE_SECONDS, newCode, secondsToNextCode } from './code.ts'
import { passwordLinkMail, recoveryMail } from './code-mail.ts'
import { newPasswordLink } from './password-link.ts'
import { type CodeSendFacts, readCodeFor } from './send-code.ts'

/** Who forgot their password, and where the link of the mail is to lead. */
export const linkRequest = input('PasswordLinkRequest', {
  document: anyDocument,
  email: userFields.email,
  url: url({ about: 'Endereço a que o link leva' }),
})

export type PasswordLinkRequest = InputOf<typeof linkRequest>

const FLOW = 'legacy-recovery'

type Ports = Pick<PaymentsPorts, 'cipher' | 'digest' | 'settings'>

/**
 * Mails a code that sets a new password, and a link to where the caller wants it if that is one of our places: any other
 * gets no token.
 * Fails: `fields` (`email`: nobody has it; `document`: it is not theirs), `code.soon`.
 * Source: 01-access.md, POST /access/auth/forgot; decisions.md §12, Codes.
 */
export const forgotByLink = (ports: PaymentsPorts) => (given: PasswordLinkRequest) =>
  withValidInput(ports, linkRequest, given, (asked) =>
    useCase(
      ports,
      async (store): Promise<CodeSendFacts> => ({
        user: await findUserByEmail(store, asked.email),
        ...(await readCodeFor(store, FLOW, asked.email)),
      }),
      (facts, fresh) => decideForgotten(ports, facts, asked, fresh),
    ),
  )

export const decideForgotten = (
  ports: Ports,
  { user, code, tries }: CodeSendFacts,
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
  if (!leadsHome(settings, url)) {
    return accept(null, change, queueMail(cipher, fresh, { to: email, ...recoveryMail(user.name, typed) }))
  }
  const { token, change: linked } = newPasswordLink(digest, fresh, {
    userId: user.id,
    codeId,
    lifeSeconds: CODE_SECONDS,
  })
  const mail = passwordLinkMail(user.name, withToken(url, token), typed)
  return accept(null, change, linked, queueMail(cipher, fresh, { to: email, ...mail }))
}

/** Whether a link may carry a token: only to a host of ours, and in production only by https. */
export const leadsHome = (
  { resetHosts, isProduction }: Pick<PaymentsSettings, 'resetHosts' | 'isProduction'>,
  url: string,
): boolean => {
  const { protocol, hostname } = new URL(url)
  return resetHosts.includes(hostname) && (protocol === 'https:' || !isProduction)
}

const withToken = (url: string, token: string): string => {
  const [place = '', fragment] = url.split('#', 2)
  return `${place}${place.includes('?') ? '&' : '?'}token=${token}${fragment === undefined ? '' : `#${fragment}`}`
}

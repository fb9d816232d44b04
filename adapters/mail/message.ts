import type { SendMailOptions } from 'nodemailer'
import type { Mail } from '../../core/ports/mailer.ts'
import { fingerprint } from '../outbox/fingerprint.ts'

const DOMAIN = /@([A-Za-z\d.-]+)>?\s*$/

/** What nodemailer makes a MIME message of. The Message-ID is the same whenever the mail is sent again. */
export const messageOf = (mail: Mail, from: string | { name: string; address: string }): SendMailOptions => ({
  messageId: `<${fingerprint(mail.id)}@${DOMAIN.exec(typeof from === 'string' ? from : from.address)?.[1] ?? 'localhost'}>`,
  from,
  // As an object it is one address whatever it holds; as a text, a comma would make it two.
  to: { name: '', address: mail.to },
  subject: mail.subject,
  text: mail.text,
  ...(mail.html === undefined ? {} : { html: mail.html }),
  disableFileAccess: true,
  disableUrlAccess: true,
})

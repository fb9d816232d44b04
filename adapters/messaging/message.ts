import type { SendMailOptions } from 'nodemailer'
import type { Mail } from '../../core/ports/messaging.ts'
import { fingerprint } from './outbox.ts'

const DOMAIN = /@([A-Za-z\d.-]+)>?\s*$/

interface Address {
  readonly name: string
  readonly address: string
}

const BRACKETED = /^(.*)<([^<>]+)>\s*$/

/** `Portico <no-reply@example.com>`, or the address alone. */
const addressOf = (text: string): Address => {
  const [, name = '', address = text] = BRACKETED.exec(text) ?? []
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() }
}

/** Somebody's name in a header. What reads as an encoded word (RFC 2047) could be anything once a mail program decodes it. */
const shown = (name: string): string => name.replaceAll('=?', '= ?')

/**
 * What nodemailer makes a MIME message of. The Message-ID is the same whenever the mail is sent again. A mail in somebody's
 * name comes from our own address, which receivers know to be ours, and is answered to theirs.
 */
export const messageOf = (mail: Mail, from: string | Address): SendMailOptions => ({
  messageId: `<${fingerprint(mail.id)}@${DOMAIN.exec(typeof from === 'string' ? from : from.address)?.[1] ?? 'localhost'}>`,
  from: mail.inNameOf && typeof from === 'string' ? { ...addressOf(from), name: shown(mail.inNameOf.name) } : from,
  ...(mail.inNameOf?.replyTo ? { replyTo: { name: shown(mail.inNameOf.name), address: mail.inNameOf.replyTo } } : {}),
  // As an object it is one address whatever it holds; as a text, a comma would make it two.
  to: { name: '', address: mail.to },
  subject: mail.subject,
  text: mail.text,
  ...(mail.html === undefined ? {} : { html: mail.html }),
  disableFileAccess: true,
  disableUrlAccess: true,
})

import { createHash } from 'node:crypto'
import type { SendMailOptions } from 'nodemailer'
import type { Mail } from '../../core/ports/messaging.ts'

const DOMAIN = /@([A-Za-z\d.-]+)>?\s*$/

interface Address {
  readonly name: string
  readonly address: string
}

const BRACKETED = /^(.*)<([^<>]+)>\s*$/

/** Parses `Portico <no-reply@example.com>`, or the address alone. */
const addressOf = (text: string): Address => {
  const [, name = '', address = text] = BRACKETED.exec(text) ?? []
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() }
}

/** Breaks encoded words (RFC 2047) in a name, which mail programs would decode to any text. */
const withoutEncodedWords = (name: string): string => name.replaceAll('=?', '= ?')

/**
 * Returns the options of a MIME message. A mail that is sent again has the same Message-ID. A mail in the name of an
 * account has our address as sender, which receivers can verify, and the account's address for replies.
 */
export const messageOf = (mail: Mail, from: string | Address): SendMailOptions => ({
  messageId: `<${fingerprint(mail.id)}@${DOMAIN.exec(typeof from === 'string' ? from : from.address)?.[1] ?? 'localhost'}>`,
  from:
    mail.inNameOf && typeof from === 'string'
      ? { ...addressOf(from), name: withoutEncodedWords(mail.inNameOf.name) }
      : from,
  ...(mail.inNameOf?.replyTo
    ? { replyTo: { name: withoutEncodedWords(mail.inNameOf.name), address: mail.inNameOf.replyTo } }
    : {}),
  // An object is one address; in a text a comma would separate two.
  to: { name: '', address: mail.to },
  subject: mail.subject,
  text: mail.text,
  ...(mail.html === undefined ? {} : { html: mail.html }),
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** Returns the SHA-256 of an id in lower-case hex, for places that do not allow all characters of ids. */
export const fingerprint = (id: string): string => createHash('sha256').update(id, 'utf8').digest('hex')

import { createHash } from 'node:crypto'
import { createTransport } from 'nodemailer'
import type { Mailer, Messenger } from '../../core/ports/messaging.ts'
import { replaceFile } from '../files/replace-file.ts'
import { messageOf } from './message.ts'

/**
 * Mails as `.eml` files in a directory, which any mail program opens. The same mail sent again replaces its file, and
 * no reader ever finds half of one.
 *
 * Source: decisions.md §7, `SMTP_URL`: without it, mails are written into DATA_DIR/outbox.
 */
export const outboxMailer = ({ directory, from }: { directory: string; from: string }): Mailer => {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const box = outbox(directory)
  return {
    send: async (mail) => {
      const { message } = await transport.sendMail(messageOf(mail, from))
      if (!Buffer.isBuffer(message)) throw new TypeError('the stream transport gave no buffer')
      await box.put(mail.id, 'eml', message)
    },
  }
}

/**
 * Short messages as `.json` files in a directory. The same message sent again replaces its file, and no reader ever finds
 * half of one.
 *
 * Source: decisions.md §3: the messaging port's default adapter writes to the outbox.
 */
export const outboxMessenger = ({ directory }: { directory: string }): Messenger => {
  const box = outbox(directory)
  return {
    send: ({ id, channel, to, text }) =>
      box.put(id, 'json', Buffer.from(`${JSON.stringify({ id, channel, to, text }, null, 2)}\n`)),
  }
}

const READABLE_LENGTH = 40
const DIGITS = 16

/** A directory of what would have gone out: a file each. */
export interface Outbox {
  /** Durable when it resolves. The same id again replaces its file, and no reader ever finds half of one. */
  put(id: string, extension: 'eml' | 'json', content: Uint8Array): Promise<void>
}

/** Readable by the id's harmless characters, unique by its fingerprint. */
const fileNameOf = (id: string, extension: string): string => {
  const readable = id.replaceAll(/[^A-Za-z\d_-]+/g, '-').slice(0, READABLE_LENGTH)
  return `${readable}-${fingerprint(id).slice(0, DIGITS)}.${extension}`
}

/** The outbox of a directory, which is made with the first file. */
export const outbox = (directory: string): Outbox => ({
  put: (id, extension, content) => replaceFile(directory, fileNameOf(id, extension), content),
})

/** Lower-case hex that stands for an id wherever the id's own characters might do harm. */
export const fingerprint = (id: string): string => createHash('sha256').update(id, 'utf8').digest('hex')

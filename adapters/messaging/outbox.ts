import { createTransport } from 'nodemailer'
import type { Mailer, Messenger } from '../../core/ports/messaging.ts'
import { replaceFile } from '../files/disk-files.ts'
import { fingerprint, messageOf } from './message.ts'

/**
 * Writes mails as `.eml` files into a directory, for mail programs to open. A mail that is sent again replaces its file
 * atomically.
 */
export const outboxMailer = ({ directory, from }: { directory: string; from: string }): Mailer => {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const put = fileOutbox(directory)
  return {
    send: async (mail) => {
      const { message } = await transport.sendMail(messageOf(mail, from))
      if (!Buffer.isBuffer(message)) throw new TypeError('the stream transport returned no buffer')
      await put(mail.id, 'eml', message)
    },
  }
}

/**
 * Writes short messages as `.json` files into a directory. A message that is sent again replaces its file atomically.
 */
export const outboxMessenger = ({ directory }: { directory: string }): Messenger => {
  const put = fileOutbox(directory)
  return {
    send: ({ id, channel, to, text }) =>
      put(id, 'json', Buffer.from(`${JSON.stringify({ id, channel, to, text }, null, 2)}\n`)),
  }
}

const READABLE_LENGTH = 40
const DIGITS = 16

const fileNameOf = (id: string, extension: string): string => {
  const readable = id.replaceAll(/[^A-Za-z\d_-]+/g, '-').slice(0, READABLE_LENGTH)
  return `${readable}-${fingerprint(id).slice(0, DIGITS)}.${extension}`
}

/** Returns a function that writes a file durably. The directory is created with the first file. */
const fileOutbox =
  (directory: string) =>
  (id: string, extension: 'eml' | 'json', content: Uint8Array): Promise<void> =>
    replaceFile(directory, fileNameOf(id, extension), content)

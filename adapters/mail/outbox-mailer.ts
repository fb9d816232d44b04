import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Mail, Mailer } from '../../core/ports/mailer.ts'
import { fingerprint, messageOf } from './message.ts'

const READABLE_LENGTH = 40
const DIGITS = 16
/** The mails carry codes and links that open accounts. */
const OWNER_ONLY = 0o600

/** Readable by the id's harmless characters, unique by its fingerprint. */
const fileNameOf = ({ id }: Mail): string => {
  const readable = id.replaceAll(/[^A-Za-z\d_-]+/g, '-').slice(0, READABLE_LENGTH)
  return `${readable}-${fingerprint(id).slice(0, DIGITS)}.eml`
}

const writeDurably = async (path: string, content: string | Buffer): Promise<void> => {
  const file = await open(path, 'wx', OWNER_ONLY)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Mails as `.eml` files in a directory, which any mail program opens. The same mail sent again replaces its file, and
 * no reader ever finds half of one.
 *
 * Source: decisions.md §7, `SMTP_URL`: without it, mails are written into DATA_DIR/outbox.
 */
export const outboxMailer = ({ directory, from }: { directory: string; from: string }): Mailer => {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    send: async (mail) => {
      const { message } = await transport.sendMail(messageOf(mail, from))
      if (!Buffer.isBuffer(message)) throw new TypeError('the stream transport gave no buffer')
      await mkdir(directory, { recursive: true })
      const written = join(directory, `.${randomUUID()}.tmp`)
      try {
        await writeDurably(written, message)
        await rename(written, join(directory, fileNameOf(mail)))
      } catch (error) {
        await rm(written, { force: true })
        throw error
      }
    },
  }
}

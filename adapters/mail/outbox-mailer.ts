import { createTransport } from 'nodemailer'
import type { Mailer } from '../../core/ports/messaging.ts'
import { outbox } from '../outbox/outbox.ts'
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

import { type Instant, plusSeconds } from '../../kernel/day.ts'
import { type Queue, queueOf, settled } from '../../kernel/queue.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { mailContext, mails, type QueuedMail } from './mail.ts'

/** Seconds between one failed try and the next: about a day in all. */
export const MAIL_STEPS_SECONDS: readonly number[] = [30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800]
/** Longer than the mailer takes for one mail, the wait for a connection included. */
const MAIL_LEASE_SECONDS = 120
const MAILS_AT_ONCE = 4

/** When a mail that failed so often is tried again, or null to give up. */
export const nextMailTry = (attempts: number, now: Instant): Instant | null => {
  const stepSeconds = MAIL_STEPS_SECONDS[attempts - 1]
  return stepSeconds === undefined ? null : plusSeconds(now, stepSeconds)
}

/** The queue of mails. */
export const mailQueue = (ports: PaymentsPorts): Queue =>
  queueOf({
    collection: mails,
    leaseSeconds: MAIL_LEASE_SECONDS,
    atOnce: MAILS_AT_ONCE,
    handle: async (mail) => {
      try {
        await send(ports, mail)
      } catch (error) {
        await settled(ports.store, mails, mail, { dueAt: nextMailTry(mail.attempts, ports.clock.now()) })
        throw error
      }
      await settled(ports.store, mails, mail, { dueAt: null })
    },
  })

const send = async ({ cipher, mailer }: PaymentsPorts, { id, to, subject, textSealed }: QueuedMail): Promise<void> =>
  mailer.send({ id, to, subject, text: cipher.open(textSealed, mailContext(id)) })

import { eq, not } from '../../kernel/records/where.ts'
import { applyOutcome, type Queue, queueOf } from '../../kernel/running/queue.ts'
import { type Instant, plusSeconds } from '../../kernel/values/day.ts'
import type { Sender } from '../../ports/email-renderer.ts'
import type { Mail } from '../../ports/mailer.ts'
import { byId } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import { logoUrl } from '../accounts/settings/logo-url.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { plainText } from './email-template.ts'
import { mails, type QueuedMail, templateOf } from './mail.ts'
import { sendByTenant } from './tenant-mail.ts'

/** Seconds between one failed try and the next: about a day in all. */
export const MAIL_STEPS_SECONDS: readonly number[] = [30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800]
/** Longer than an account's server and our own mailer take for one mail, the waits for connections included. */
const MAIL_LEASE_SECONDS = 180
const MAILS_AT_ONCE = 8
/** Enough that some mail servers that never answer hold up no other account's mails. */
const ACCOUNTS_MAILS_AT_ONCE = 64

const OURSELVES: Sender = { name: 'Portico', logoUrl: null }

/** When a mail that failed so often is tried again, or null to give up. */
export const nextMailTry = (attempts: number, now: Instant): Instant | null => {
  const stepSeconds = MAIL_STEPS_SECONDS[attempts - 1]
  return stepSeconds === undefined ? null : plusSeconds(now, stepSeconds)
}

/**
 * The queues of mails: our own, codes among them, wait for nobody's; those of accounts, which may go by servers of theirs, have
 * places for each account.
 */
export const mailQueues = (ports: PaymentsPorts): readonly Queue[] => {
  const row = {
    collection: mails,
    leaseSeconds: MAIL_LEASE_SECONDS,
    handle: (mail: QueuedMail) => handle(ports, mail),
  }
  const ofOurs = eq<'accountId'>('accountId', null)
  return [
    queueOf({ ...row, only: ofOurs, atOnce: MAILS_AT_ONCE }),
    queueOf({
      ...row,
      name: `${mails.name}.accounts`,
      only: not(ofOurs),
      host: 'accountId',
      atOnce: ACCOUNTS_MAILS_AT_ONCE,
    }),
  ]
}

const handle = async (ports: PaymentsPorts, mail: QueuedMail): Promise<void> => {
  try {
    if (mail.expiresAt > ports.clock.now()) await send(ports, mail)
  } catch (error) {
    await applyOutcome(ports.store, mails, mail, { dueAt: nextMailTry(mail.attempts, ports.clock.now()) })
    throw error
  }
  await applyOutcome(ports.store, mails, mail, { dueAt: null })
}

/** By the account's own mail server where it has one, and by ours where that does not take it. */
const send = async (ports: PaymentsPorts, queued: QueuedMail): Promise<void> => {
  const account = queued.accountId === null ? null : await ports.store.find(byId(accounts, queued.accountId))
  const mail = mailOf(ports, queued, account)
  if (account && (await sendByTenant(ports, account, mail))) return
  await ports.mailer.send(mail)
}

const mailOf = (
  { cipher, emailRenderer, settings }: PaymentsPorts,
  queued: QueuedMail,
  account: Account | null,
): Mail => {
  const template = templateOf(cipher, queued)
  const sender = account ? { name: account.name, logoUrl: logoUrl(settings, account) } : OURSELVES
  const { id, to } = queued
  const mail = {
    id,
    to,
    subject: template.subject,
    text: plainText(template),
    html: emailRenderer.html(template, sender),
  }
  return account ? { ...mail, inNameOf: { name: account.name, replyTo: account.email } } : mail
}

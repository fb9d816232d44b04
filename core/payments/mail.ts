import { eq, patch } from '../kernel/records/record.ts'
import type { Queue } from '../kernel/running/queue.ts'
import { accept, decideAndCommit, type Fresh } from '../kernel/running/use-case.ts'
import { addSeconds } from '../kernel/values/day.ts'
import { nfc } from '../kernel/values/text.ts'
import { renderMail } from '../office/mail.ts'
import type { Mail, Sender } from '../ports/messaging.ts'
import { byId } from '../ports/store.ts'
import { type Account, accounts, smtpServer } from './accounts/account.ts'
import { logoUrl } from './accounts/views.ts'
import { notify } from './inbox/inbox.ts'
import { type Membership, teamOf } from './members/membership.ts'
import { mail, type QueuedMail, templateOf } from './office.ts'
import type { PaymentsPorts } from './payments-ports.ts'

const PORTICO: Sender = { name: 'Portico', logoUrl: null }

/** The queues of mails: Portico's own, and those of accounts. */
export const mailQueues = (ports: PaymentsPorts): readonly Queue[] =>
  mail.queues(ports, (queued) => send(ports, queued))

/** Sends by the account's SMTP server, if it has one, and by ours if that fails. */
const send = async (ports: PaymentsPorts, queued: QueuedMail): Promise<void> => {
  const account = queued.accountId === null ? null : await ports.store.find(byId(accounts, queued.accountId))
  const letter = letterOf(ports, queued, account)
  if (account && (await sendByTenant(ports, account, letter))) return
  await ports.mailer.send(letter)
}

const letterOf = (
  { cipher, emailRenderer, settings }: PaymentsPorts,
  queued: QueuedMail,
  account: Account | null,
): Mail => {
  const sender = account ? { name: account.name, logoUrl: logoUrl(settings, account) } : PORTICO
  const letter = renderMail(queued, templateOf(cipher, queued), sender, emailRenderer)
  return account ? { ...letter, inNameOf: { name: account.name, replyTo: account.email } } : letter
}

const NOTIFY_EVERY_SECONDS = 24 * 3_600
const MAX_REASON = 200

/** Sends a mail by the account's SMTP server. Without one, or after a failure, notifies the team and returns false. */
const sendByTenant = async (ports: PaymentsPorts, account: Account, mail: Mail): Promise<boolean> => {
  const server = smtpServer(ports.cipher, account)
  if (!server) return false
  try {
    await ports.tenantMailer.send(mail, server)
    return true
  } catch (error) {
    await notifyFailure(ports, account, error instanceof Error ? error.message : `${error}`)
    return false
  }
}

const notifyFailure = (ports: PaymentsPorts, { id }: Account, reason: string) =>
  decideAndCommit(
    ports,
    (store) => store.read({ account: byId(accounts, id), memberships: teamOf(id) }),
    ({ account, memberships }, fresh) => decideFailure(account, memberships.records, reason, fresh),
  )

/** Decides the notification of a failing SMTP server: at most one a day. */
const decideFailure = (account: Account | null, memberships: readonly Membership[], reason: string, fresh: Fresh) => {
  if (!account?.smtp) return accept(null)
  const { id: accountId, smtp, smtpToldAt } = account
  if (smtpToldAt !== null && addSeconds(smtpToldAt, NOTIFY_EVERY_SECONDS) > fresh.steady) return accept(null)
  // A foreign server's message may contain characters that a store rejects.
  const storable = nfc(reason.replace(/[\p{Cc}\p{Surrogate}]+/gu, ' ')).slice(0, MAX_REASON)
  const data = { host: smtp.host, reason: storable }
  return accept(
    null,
    patch(accounts, accountId, { set: { smtpToldAt: fresh.steady }, when: eq('smtpToldAt', smtpToldAt) }),
    ...notify(fresh, memberships, { accountId, type: 'smtp.failed', data }),
  )
}

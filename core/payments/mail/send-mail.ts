import type { Queue } from '../../kernel/running/queue.ts'
import { renderMail } from '../../office/mail.ts'
import type { Mail, Sender } from '../../ports/messaging.ts'
import { byId } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import { logoUrl } from '../accounts/settings/logo-url.ts'
import { mail, type QueuedMail, templateOf } from '../office/mails.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { sendByTenant } from './tenant-mail.ts'

const OURSELVES: Sender = { name: 'Portico', logoUrl: null }

/** The queues of mails: our own, and those in the name of accounts. */
export const mailQueues = (ports: PaymentsPorts): readonly Queue[] =>
  mail.queues(ports, (queued) => send(ports, queued))

/** By the account's own mail server where it has one, and by ours where that does not take it. */
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
  const sender = account ? { name: account.name, logoUrl: logoUrl(settings, account) } : OURSELVES
  const letter = renderMail(queued, templateOf(cipher, queued), sender, emailRenderer)
  return account ? { ...letter, inNameOf: { name: account.name, replyTo: account.email } } : letter
}

import { t } from '../../fp.ts'
import type { Change } from '../../kernel/records/change.ts'
import { orNull, record } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { mailFields, mailIn, type NewMail } from '../../office/mail.ts'
import type { Cipher } from '../../ports/runtime.ts'

const queuedMail = record({
  ...mailFields,
  /** In whose name it goes out, and by whose mail server, where that has one; null for our own. */
  accountId: orNull(t.number),
})

export type QueuedMail = t.TypeOf<typeof queuedMail>

export const mail = mailIn('payments', queuedMail, { tenant: 'accountId', tenants: 'accounts' })

export const { mails, templateOf } = mail

/** The change that queues a mail: in our own name, where it says no account. */
export const queueMail = (
  cipher: Cipher,
  fresh: Fresh,
  letter: Omit<NewMail<QueuedMail>, 'accountId'> & Partial<Pick<QueuedMail, 'accountId'>>,
): Change => mail.enqueue(cipher, fresh, { accountId: null, ...letter })

import { IMAGE_TYPES } from '../kernel/input/image.ts'
import { type Change, orNull, record, t } from '../kernel/records/record.ts'
import type { Fresh } from '../kernel/running/use-case.ts'
import { auditIn, type AuditActor as ByWhom } from '../office/audit.ts'
import type { FieldChanges } from '../office/audit-changes.ts'
import { filesIn } from '../office/files.ts'
import { mailFields, mailIn, messagesIn, type NewMail } from '../office/mail.ts'
import { jobsIn, processesIn } from '../office/worker.ts'
import type { Cipher } from '../ports/runtime.ts'

/** The audited actions. Charges and payments are recorded by the ledger and the events instead. */
export const AUDITED_ACTIONS = [
  'account.opened',
  'account.updated',
  'organization.removed',
  'terms.set',
  'pin.set',
  'key.exchanged',
  'key.replaced',
  'api-key.created',
  'api-key.updated',
  'api-key.rotated',
  'api-key.revoked',
  'user.registered',
  'user.added',
  'user.updated',
  'user.removed',
  'password.reset',
  'email.verified',
  'second-factor.enabled',
  'second-factor.removed',
  'second-factor.reset',
  'second-factor.locked',
  'second-factor.recovery-used',
  'recovery-codes.replaced',
  'trusted-device.added',
  'trusted-device.removed',
  'passkey.added',
  'passkey.renamed',
  'passkey.removed',
  'passkey.rejected',
  'session.ended',
  'sessions.ended',
  'link.paused',
  'link.resumed',
  'split-receiver.created',
  'split-receiver.revoked',
  'personal-data.read',
  'personal-data.erased',
  'member-data.read',
  'member-data.erased',
  'audit.values-erased',
] as const
export type AuditedAction = (typeof AUDITED_ACTIONS)[number]

interface PaymentsAudit {
  readonly action: AuditedAction
  /** A user's chain has the entries without an account. */
  readonly chain: `account:${number}` | `user:${number}`
  readonly subject: `${'account' | 'user' | 'session' | 'link' | 'client' | 'api-key' | 'split-receiver'}:${number | string}`
  readonly userId: number
}

/** The user who makes a change and the origin; no user if a code authorised it or the bank reported it. */
export type AuditActor = ByWhom<number>

/** The audit of changes to accounts, users and payment links. */
export const audit = auditIn<PaymentsAudit>('payments', {
  actions: AUDITED_ACTIONS,
  secrets: ['pin', 'smtp.pass'],
  ignored: ['smtpToldAt'],
})

export const { recordAudit, changesOf } = audit

/** Returns the changes that record an action on a record of an account in the account's audit chain. */
export const auditInAccount = (
  fresh: Fresh,
  by: AuditActor,
  accountId: number,
  action: AuditedAction,
  subject: PaymentsAudit['subject'],
  changes?: FieldChanges,
): readonly Change[] => recordAudit(fresh, by, { chain: `account:${accountId}`, action, subject, changes })

/** Returns the changes that record an action on an account itself. */
export const auditAccount = (
  fresh: Fresh,
  by: AuditActor,
  accountId: number,
  action: AuditedAction,
  changes?: FieldChanges,
): readonly Change[] => auditInAccount(fresh, by, accountId, action, `account:${accountId}`, changes)

const queuedMail = record({
  ...mailFields,
  /** The sending account, whose SMTP server is used if it has one; null for Portico's own mails. */
  accountId: orNull(t.number),
  /** The keys of the named members, account and user: `7|9`; null if none, and in records of earlier releases. */
  names: orNull(t.array(t.string)),
})

export type QueuedMail = t.TypeOf<typeof queuedMail>

export const mail = mailIn('payments', queuedMail, { tenant: 'accountId', tenants: 'accounts' })

export const { mails, templateOf } = mail

/** The change that enqueues a mail, in Portico's name by default. */
export const queueMail = (
  cipher: Cipher,
  fresh: Fresh,
  letter: Omit<NewMail<QueuedMail>, 'accountId' | 'names'> & Partial<Pick<QueuedMail, 'accountId' | 'names'>>,
): Change => mail.enqueue(cipher, fresh, { accountId: null, names: null, ...letter })

/** Short messages to payers, by WhatsApp or SMS. */
export const shortMessages = messagesIn('payments')

export const { messages, enqueue: queueMessage } = shortMessages

/** Uploaded images: logos are public, those of registrations are private. */
export const images = filesIn('payments', { kinds: ['logo', 'registration'], contentTypes: IMAGE_TYPES })

export const { storedFiles, save: saveImage, attach: attachImage, detach: detachImage } = images

export const jobs = jobsIn('payments')
export const processes = processesIn('payments')

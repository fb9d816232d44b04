import { t } from '../fp.ts'
import { nullIfAbsent } from '../kernel/input/field.ts'
import { IMAGE_TYPES } from '../kernel/input/image.ts'
import { jsonObject } from '../kernel/input/json.ts'
import { id, oneOf, timestamp } from '../kernel/input/scalars.ts'
import { storedTypes } from '../kernel/input/table.ts'
import { guid } from '../kernel/input/texts.ts'
import type { Change, Take } from '../kernel/records/change.ts'
import { type Json, orNull, record } from '../kernel/records/record.ts'
import type { Fresh } from '../kernel/running/fresh.ts'
import { auditIn, type AuditActor as ByWhom } from '../office/audit.ts'
import { filesIn } from '../office/files.ts'
import { inboxIn } from '../office/inbox.ts'
import { mailFields, mailIn, type NewMail } from '../office/mail.ts'
import { messagesIn } from '../office/messages.ts'
import { eventFields, outboxIn, type Subscriber as SubscriberTo } from '../office/outbox.ts'
import { jobsIn, processesIn } from '../office/worker.ts'
import type { Cipher } from '../ports/runtime.ts'

export const EVENT_TYPES = [
  'charge.created',
  'charge.updated',
  'charge.paid',
  'charge.expired',
  'charge.cancelled',
  'charge.deleted',
  'charge.failed',
  'charge.refunded',
  'payment_link.paid',
  'withdraw.completed',
  'withdraw.failed',
  'pix.received',
  'export.ready',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

const event = record({
  // `data` is the event's record as the API showed it then.
  ...eventFields(EVENT_TYPES),
  accountId: t.number,
  /** The id of the event's record, or `NO_RECORD`. */
  subjectId: t.number,
  /**
   * The amount paid of a charge as of this commit, taken at commit because concurrent payments are decided without each other.
   * Null if the event has no payment; otherwise the `amount_paid` of `data`.
   */
  amountPaidCents: orNull(t.number),
  /** The refunded amount of a charge, likewise. */
  refundedCents: orNull(t.number),
  /** The amount of this payment; null if the event has no payment. */
  receivedCents: orNull(t.number),
  /** The time of a charge's event, in milliseconds since 1970; null for other events, whose time is `createdAt`. */
  happenedMs: orNull(t.number),
  /** The webhook URLs in addition to the account's own. */
  urls: t.array(t.string),
})

/** The subject of an event without a record: a payment without a charge. Ids start at 1. */
export const NO_RECORD = 0

/** An event in an account, written in the commit of its change. */
export type Event = t.TypeOf<typeof event>
export type Subscriber = SubscriberTo<Event>

export const outbox = outboxIn('payments', event, 'accountId')

export const { events, subscriber } = outbox

/** The change that records an event, for the commit of the change that it reports. Null and repeated `urls` are dropped. */
export const recordEvent = (
  fresh: Fresh,
  type: EventType,
  about: {
    readonly accountId: number
    readonly subjectId: number
    readonly data: Json
    readonly urls: readonly (string | null)[]
    readonly receivedCents?: number | null
  },
  take?: Take<'amountPaidCents' | 'refundedCents' | 'happenedMs'>,
): Change => {
  const urls = [...new Set(about.urls.filter((url) => url !== null))]
  const { receivedCents = null } = about
  const event = { ...about, type, amountPaidCents: null, refundedCents: null, receivedCents, happenedMs: null, urls }
  return outbox.record(fresh, event, take)
}

const NOTIFICATION_TYPES = [
  'charge.paid',
  'pix.received',
  'charge.failed',
  'webhook.failed',
  'smtp.failed',
  'key.exchanged',
  'export.ready',
  'export.failed',
  'bank.differs',
  'bank.unreadable',
  'pay_out.late',
  'messages.unsent',
  'cards.declined',
] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

export const notificationFields = {
  id: guid({ about: 'Identificador' }),
  type: oneOf(NOTIFICATION_TYPES, { about: 'O que aconteceu' }),
  userId: id({ wire: 'notifiable_id', about: 'Quem é notificado' }),
  data: jsonObject({ about: 'Os dados do que aconteceu' }),
  readAt: nullIfAbsent(timestamp({ about: 'Quando foi lida' })),
  createdAt: timestamp({ about: 'Criação' }),
  updatedAt: timestamp({ about: 'Última alteração' }),
}

const notification = record({
  ...storedTypes(notificationFields),
  /** The account of the notified event. */
  accountId: t.number,
})

/** An in-app notification of a user. */
export type Notification = t.TypeOf<typeof notification>

export const inbox = inboxIn<Notification>('payments', notification)

export const { notifications } = inbox

interface NewNotification {
  readonly accountId: number
  readonly type: NotificationType
  readonly data: Json
}

/** Builds a notification with a given id: an export's file refers to it. */
export const notificationOf = (
  { now, ...whose }: Pick<Notification, 'id' | 'userId'> & Pick<Fresh, 'now'>,
  { data, ...notification }: NewNotification,
): Notification => ({
  ...notification,
  ...whose,
  data: JSON.stringify(data),
  readAt: null,
  createdAt: now,
  updatedAt: now,
})

/** The changes that notify users. */
export const notify = (
  fresh: Fresh,
  people: readonly Pick<Notification, 'userId'>[],
  notification: NewNotification,
): readonly Change[] => inbox.notify(fresh, people, { ...notification, data: JSON.stringify(notification.data) })

/** The audited actions. Charges and payments are recorded by the ledger and the events instead. */
const ACTIONS = [
  'account.opened',
  'account.updated',
  'organization.removed',
  'terms.set',
  'pin.set',
  'key.exchanged',
  'user.registered',
  'user.added',
  'user.updated',
  'user.removed',
  'password.reset',
  'email.verified',
  'session.ended',
] as const
export type AuditedAction = (typeof ACTIONS)[number]

interface PaymentsAudit {
  readonly action: AuditedAction
  /** A user's chain has the entries without an account. */
  readonly chain: `account:${number}` | `user:${number}`
  readonly subject: `${'account' | 'user' | 'session'}:${number | string}`
  readonly userId: number
}

/** The user who makes a change and the origin; no user if a code authorised it or the bank reported it. */
export type AuditActor = ByWhom<number>

/** The audit of changes to accounts and users. */
export const audit = auditIn<PaymentsAudit>('payments', {
  actions: ACTIONS,
  secrets: ['pin', 'smtp.pass'],
  ignored: ['smtpToldAt'],
})

export const { recordAudit, changesOf } = audit

const queuedMail = record({
  ...mailFields,
  /** The sending account, whose SMTP server is used if it has one; null for Portico's own mails. */
  accountId: orNull(t.number),
})

export type QueuedMail = t.TypeOf<typeof queuedMail>

export const mail = mailIn('payments', queuedMail, { tenant: 'accountId', tenants: 'accounts' })

export const { mails, templateOf } = mail

/** The change that enqueues a mail, in Portico's name by default. */
export const queueMail = (
  cipher: Cipher,
  fresh: Fresh,
  letter: Omit<NewMail<QueuedMail>, 'accountId'> & Partial<Pick<QueuedMail, 'accountId'>>,
): Change => mail.enqueue(cipher, fresh, { accountId: null, ...letter })

/** Short messages to payers, by WhatsApp or SMS. */
export const shortMessages = messagesIn('payments')

export const { messages, enqueue: queueMessage } = shortMessages

/** Uploaded images: logos are public, those of registrations are private. */
export const images = filesIn('payments', { kinds: ['logo', 'registration'], contentTypes: IMAGE_TYPES })

export const { storedFiles, save: saveImage, attach: attachImage, detach: detachImage } = images

export const jobs = jobsIn('payments')
export const processes = processesIn('payments')

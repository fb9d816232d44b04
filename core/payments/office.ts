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

/** Source: decisions.md §3, Events. */
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
  // `data` is the record that it is about, as the API showed it then.
  ...eventFields(EVENT_TYPES),
  accountId: t.number,
  /** The id of the record that it is about; `NO_RECORD` where there is none. */
  subjectId: t.number,
  /**
   * What was paid of a charge as of this commit, its own payment included: of payments at once each is decided without the
   * others. Null where nothing was paid with it; else the `amount_paid` of `data`.
   */
  amountPaidCents: orNull(t.number),
  /** The same of what was given back of it. */
  refundedCents: orNull(t.number),
  /** What came by this payment alone, whatever became of its charge; null where the event is of none. */
  receivedCents: orNull(t.number),
  /** When it happened, in milliseconds since 1970, where it is about a charge; null elsewhere: `createdAt` counts. */
  happenedMs: orNull(t.number),
  /** URLs besides the account's own that are to be told. */
  urls: t.array(t.string),
})

/** The subject of an event that is about no record: money without a charge. No id is 0. */
export const NO_RECORD = 0

/** Something that happened in an account, written in the commit that made it happen. */
export type Event = t.TypeOf<typeof event>
export type Subscriber = SubscriberTo<Event>

export const outbox = outboxIn('payments', event, 'accountId')

export const { events, subscriber } = outbox

/** The change that tells of something: rides in the commit of what it tells. `urls` with null or repeated ones is fine. */
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
  const told = { ...about, type, amountPaidCents: null, refundedCents: null, receivedCents, happenedMs: null, urls }
  return outbox.record(fresh, told, take)
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
  /** The account in which it happened. */
  accountId: t.number,
})

/** Something that somebody is told inside the app. Source: 01-access.md, Notification. */
export type Notification = t.TypeOf<typeof notification>

export const inbox = inboxIn<Notification>('payments', notification)

export const { notifications } = inbox

interface NewNotification {
  readonly accountId: number
  readonly type: NotificationType
  readonly data: Json
}

/** A notification whose id is known before: the file of an export has it. */
export const notificationOf = (
  { now, ...whose }: Pick<Notification, 'id' | 'userId'> & Pick<Fresh, 'now'>,
  { data, ...told }: NewNotification,
): Notification => ({ ...told, ...whose, data: JSON.stringify(data), readAt: null, createdAt: now, updatedAt: now })

/** The changes that tell these people. */
export const notify = (
  fresh: Fresh,
  people: readonly Pick<Notification, 'userId'>[],
  told: NewNotification,
): readonly Change[] => inbox.notify(fresh, people, { ...told, data: JSON.stringify(told.data) })

/** What somebody did. Charges and payments are not among it: the ledger and the events are their trail. */
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
  /** A user's holds what belongs to no account. */
  readonly chain: `account:${number}` | `user:${number}`
  readonly subject: `${'account' | 'user' | 'session'}:${number | string}`
  readonly userId: number
}

/** Who does something and from where; nobody where a code was enough, or it is the bank's own word. */
export type AuditActor = ByWhom<number>

/** Who changed what in an account, or of themselves. Source: decisions.md §12. */
export const audit = auditIn<PaymentsAudit>('payments', {
  actions: ACTIONS,
  secrets: ['pin', 'smtp.pass'],
  ignored: ['smtpToldAt'],
})

export const { recordAudit, changesOf } = audit

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

/** Short messages to payers, by WhatsApp or SMS. */
export const shortMessages = messagesIn('payments')

export const { messages, enqueue: queueMessage } = shortMessages

/** Images that people send: a logo is shown to anybody, those of a registration to nobody. */
export const images = filesIn('payments', { kinds: ['logo', 'registration'], contentTypes: IMAGE_TYPES })

export const { storedFiles, save: saveImage, attach: attachImage, detach: detachImage } = images

export const jobs = jobsIn('payments')
export const processes = processesIn('payments')

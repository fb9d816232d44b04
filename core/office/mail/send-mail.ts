import type { Collection } from '../../kernel/records/collection.ts'
import type { Field } from '../../kernel/records/record.ts'
import { eq, not } from '../../kernel/records/where.ts'
import { applyOutcome, type Due, type Queue, queueOf } from '../../kernel/running/queue.ts'
import type { Runtime } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import type { EmailRenderer, Mail, Sender } from '../../ports/messaging.ts'
import { type EmailTemplate, plainText } from './email-template.ts'
import type { AnyMail } from './queued-mail.ts'

/** Seconds between one failed try and the next: about a day in all. */
export const MAIL_STEPS_SECONDS: readonly number[] = [30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800]
/** Longer than a tenant's server and our own mailer take for one mail, the waits for connections included. */
const MAIL_LEASE_SECONDS = 180
const MAILS_AT_ONCE = 8
/** Enough that some mail servers that never answer hold up no other tenant's mails. */
const TENANTS_MAILS_AT_ONCE = 64

/** When something that failed so often is sent again, or null to give up. */
export const nextMailTry = (attempts: number, steady: Instant): Instant | null => {
  const stepSeconds = MAIL_STEPS_SECONDS[attempts - 1]
  return stepSeconds === undefined ? null : addSeconds(steady, stepSeconds)
}

type Sending = Pick<Runtime, 'store' | 'clock'>

/** Sends what is not too late, and says when a failure is tried again. */
export const sendQueued = async <R extends Due & Pick<AnyMail, 'expiresAt'>>(
  { store, clock }: Sending,
  from: Collection<R>,
  queued: R,
  send: (queued: R) => Promise<void>,
): Promise<void> => {
  const outcome = (dueAt: Instant | null) =>
    applyOutcome(store, from, queued, { dueAt } as Partial<R> & Pick<R, 'dueAt'>)
  try {
    if (queued.expiresAt > clock.steady()) await send(queued)
  } catch (error) {
    await outcome(nextMailTry(queued.attempts, clock.steady()))
    throw error
  }
  await outcome(null)
}

export interface Tenants<M> {
  /** The field that says in whose name a mail goes out; null for our own. */
  readonly tenant: Field<M>
  /** What they are called, in the name of their queue. */
  readonly tenants: string
}

/**
 * The queues of mails: our own, codes among them, wait for nobody's; those of tenants, which may go by servers of theirs, have
 * places for each tenant.
 */
export const mailQueues = <M extends AnyMail>(
  mails: Collection<M>,
  { tenant, tenants }: Tenants<M>,
  ports: Sending,
  send: (mail: M) => Promise<void>,
): readonly Queue[] => {
  const row = {
    collection: mails,
    leaseSeconds: MAIL_LEASE_SECONDS,
    handle: (mail: M) => sendQueued(ports, mails, mail, send),
  }
  const ofOurs = eq(tenant, null)
  return [
    queueOf({ ...row, only: ofOurs, atOnce: MAILS_AT_ONCE }),
    queueOf({
      ...row,
      name: `${mails.name}.${tenants}`,
      only: not(ofOurs),
      host: tenant,
      atOnce: TENANTS_MAILS_AT_ONCE,
    }),
  ]
}

/** A queued mail as it goes out, in the look of its sender. */
export const rendered = (
  { id, to }: Pick<AnyMail, 'id' | 'to'>,
  template: EmailTemplate,
  sender: Sender,
  emailRenderer: EmailRenderer,
): Mail => ({
  id,
  to,
  subject: template.subject,
  text: plainText(template),
  html: emailRenderer.html(template, sender),
})

import type { Collection } from '../../kernel/records/collection.ts'
import type { Runtime } from '../../kernel/running/use-case.ts'
import { type AnyMail, mailsIn, queuedIn, templateIn } from './queued-mail.ts'
import { mailQueues, type Tenants } from './send-mail.ts'

/**
 * The mails of a business: `mailIn('estate', record({ ...mailFields, companyId: orNull(t.string) }), { tenant: 'companyId', tenants: 'companies' })`.
 * A mail is queued in the commit that makes it necessary, sealed, and tried for about a day.
 */
export const mailIn = <M extends AnyMail>(business: string, codec: Collection<M>['codec'], tenants: Tenants<M>) => {
  const mails = mailsIn<M>(business, codec, tenants.tenant)
  return {
    mails,
    queued: queuedIn(mails),
    templateOf: templateIn(mails),
    /** What the worker runs: `send` says by whom a mail goes out, and in whose name. */
    queues: (ports: Pick<Runtime, 'store' | 'clock'>, send: (mail: M) => Promise<void>) =>
      mailQueues(mails, tenants, ports, send),
  }
}

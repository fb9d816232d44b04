import { t } from '../../fp.ts'
import type { Change } from '../../kernel/records/change.ts'
import { orNull, record } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import type { Queue } from '../../kernel/running/queue.ts'
import { mailFields, mailIn, type NewMail, renderMail } from '../../office/mail.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId } from '../../ports/store.ts'
import type { EstateMail, RealEstatePorts } from '../real-estate-ports.ts'
import { companies } from '../records/company.ts'

const queuedMail = record({
  ...mailFields,
  /** The company in whose name it goes out; null for our own. */
  companyId: orNull(t.string),
})

export type QueuedMail = t.TypeOf<typeof queuedMail>

const mail = mailIn('estate', queuedMail, { tenant: 'companyId', tenants: 'companies' })

export const { mails, templateOf } = mail

/** The change that queues a mail: in our own name, unless it names a company. */
export const queueMail = (
  cipher: Cipher,
  fresh: Fresh,
  letter: Omit<NewMail<QueuedMail>, 'companyId'> & Partial<Pick<QueuedMail, 'companyId'>>,
): Change => mail.enqueue(cipher, fresh, { companyId: null, ...letter })

/** The queues of mails, which a worker runs where there is a mailer. */
export const mailQueues = (ports: RealEstatePorts, { mailer, emailRenderer }: EstateMail): readonly Queue[] =>
  mail.queues(ports, async (queued) => {
    const company = queued.companyId === null ? null : await ports.store.find(byId(companies, queued.companyId))
    const sender = { name: company?.legalName ?? 'Portico', logoUrl: null }
    await mailer.send(renderMail(queued, templateOf(ports.cipher, queued), sender, emailRenderer))
  })

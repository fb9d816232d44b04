import { sweepOf } from '../../kernel/running/jobs.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { ruleSubscriber } from './fire-rule.ts'
import { messageCounts } from './message-quota.ts'
import { mailPayer, notifyPayers } from './notify-payers.ts'
import { reminderQueue } from './remind-payers.ts'

/** What payers are told of their charges: by the account's rules, and when somebody asks for it. */
export const reminders = {
  collections: [messageCounts],
  sweeps: [sweepOf(messageCounts)],
  queues: (ports: PaymentsPorts) => [reminderQueue(ports)],
  subscribers: (ports: PaymentsPorts) => [ruleSubscriber(ports)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Queues what tells the payers of at most 300 charges, by their ids or codes, how they stand: by each channel once, in
     * words of ours or a message of one's own. Unknown charges are skipped, and so is who a channel cannot reach; `count`
     * says how many charges were found. What is over the day's limits is kept as not sent, and the ADMINs are told in the app.
     * Fails: `fields`, `charge.none-given`, `charge.unknown` (none of them is the account's; a deleted one is none),
     * `account.unknown`, `organization.inactive`.
     * Source: 02-billing.md, Charges; decisions.md §9 and §12, Fair shares.
     */
    notify: notifyPayers(ports),
    /**
     * Mails the payer of one charge, by its id or code, how it stands; `email` is null where that is over the day's limits: it is
     * kept as not sent.
     * Fails: `charge.unknown` (a deleted one too), `client.no-email` (a client that was removed, too), `account.unknown`,
     * `organization.inactive`.
     * Source: 02-billing.md, Charges; decisions.md §9 and §12, Fair shares.
     */
    mail: mailPayer(ports),
  }),
} satisfies PaymentsModule

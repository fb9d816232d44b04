import { sweepOf } from '../../kernel/running/jobs.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { messageCounts } from './message-quota.ts'
import { mailPayer, notifyPayers } from './notify-payers.ts'
import { previewMessage } from './preview.ts'
import { reminderQueue, ruleSubscriber } from './remind-payers.ts'

/** Messages to payers about their charges: by the account's rules and on request. */
export const reminders = {
  collections: [messageCounts],
  sweeps: [sweepOf(messageCounts)],
  queues: (ports: PaymentsPorts) => [reminderQueue(ports)],
  subscribers: (ports: PaymentsPorts) => [ruleSubscriber(ports)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Notifies the payers of at most 300 charges, by ids or codes, of their status: once by each channel, with the
     * given message or the default text. Unknown charges and unreachable payers are skipped; `count` is the number of
     * charges found. Messages above the day's limits are stored as not sent, and the ADMINs are notified in the app.
     * Fails: `fields`, `charge.none-given`, `charge.unknown` (none belongs to the account, or all are deleted),
     * `account.unknown`, `organization.inactive`.
     */
    notify: notifyPayers(ports),
    /**
     * Sends the payer of a charge, by its id or code, an email with its status. Above the day's limits `email` is null
     * and the email is stored as not sent. Fails: `charge.unknown` (also if deleted), `client.no-email` (also if the
     * client was removed), `account.unknown`, `organization.inactive`.
     */
    mail: mailPayer(ports),
    /**
     * Renders the message of a rule with the account's text or the default one, about a sample charge. Sends nothing.
     * Fails: `fields`, `account.unknown`.
     */
    preview: previewMessage(ports),
  }),
} satisfies PaymentsModule

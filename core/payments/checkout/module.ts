import { sweepOf } from '../../kernel/running/jobs.ts'
import { cardTryCounts } from '../cards/card-tries.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { linkPayee, openLink } from './open-link.ts'
import { linkPayers, payLink } from './pay-link.ts'
import { paymentStatus, readPayment } from './read-payment.ts'

/** Payment by a link: the operations of a payer with its public id and token. */
export const checkout = {
  collections: [linkPayers, cardTryCounts],
  sweeps: [sweepOf(linkPayers), sweepOf(cardTryCounts)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Reads a link and its payee, amounts in cents.
     * Fails: `link.unknown` (also if removed), `link.token` (missing or wrong), `link.over` (expired), `link.paused`,
     * `link.paid` (a link of one use), `link.used-up`.
     */
    open: openLink(ports),
    /**
     * Reads the payee and title of a link, also if it accepts no payments any more.
     * Fails: `link.unknown` (also if removed), `link.token` (missing or wrong).
     */
    payee: linkPayee(ports),
    /**
     * Pays by a link: issues a charge of its account in the name of the link's creator, at once at the bank or the
     * acquirer. The payer reads the charge by its `code`, and is a client of the account or becomes one. A payer gets
     * an open charge of the same method and amount again. The charges and declined cards of the key's `origin` are
     * limited. Fails: `fields` (`amountCents` if the charge's value is wrong), `link.unknown`, `link.token`,
     * `link.over`, `link.paused`, `link.paid`, `link.used-up`, `link.throttled` (five open charges of the payer, or too
     * many new ones of the address or the link), `card.throttled` (too many declined cards of a payer, card or address
     * within an hour), `card.waiting` (the limit of cards that wait for the acquirer), `account.unknown`,
     * `charge.unknown`, `link.processing` (undecided card payments reserve the remaining uses),
     * `organization.inactive`, `bank.unsupported`, `card.unsupported` (its brand), `card.declined`, `bank.refused` and
     * `bank.unavailable` (the failed charge is stored).
     */
    pay: payLink(ports),
    /**
     * Reads the status and payee of a charge by its code, for polling by its payer.
     * Fails: `charge.unknown` (also if deleted).
     */
    status: paymentStatus(ports),
    /**
     * Reads a charge by its code, with its payment data, its Pix QR code and the `successUrl` of its link.
     * Fails: `fields`, `charge.unknown` (also if deleted).
     */
    read: readPayment(ports),
  }),
} satisfies PaymentsModule

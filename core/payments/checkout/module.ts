import { sweepOf } from '../../kernel/running/jobs.ts'
import { cardTryCounts } from '../cards/card-tries.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { linkPayers } from './link-payer.ts'
import { linkPayee, openLink } from './open-link.ts'
import { payLink } from './pay-link.ts'
import { paymentStatus, readPayment } from './read-payment.ts'

/** What a payer does with a payment link, knowing its public id and its token. */
export const checkout = {
  collections: [linkPayers, cardTryCounts],
  sweeps: [sweepOf(linkPayers), sweepOf(cardTryCounts)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * A link as its payer sees it, its amounts in cents, and whom it pays.
     * Fails: `link.unknown` (a removed one too), `link.token` (none, or a wrong one), `link.over` (expired), `link.paid` (it
     * was for one payment), `link.used-up`.
     * Source: 02-billing.md, Public payer routes; decisions.md §3 and §9.
     */
    open: openLink(ports),
    /**
     * Whom a link pays and for what, also where it takes no payments any more: for whoever has its token.
     * Fails: `link.unknown` (a removed one too), `link.token` (none, or a wrong one).
     * Source: decisions.md §3, Payment link.
     */
    payee: linkPayee(ports),
    /**
     * Pays by a link: makes a charge of its account, as its creator would, and asks the bank or the acquirer at once. Its
     * `code` names it to its payer, who is a client of the account or becomes one. A payer with an open charge of the same method
     * and amount gets it again. The `origin` of the key bounds the charges and the declined cards of one address.
     * Fails: `fields` (`amountCents` where the charge's value is wrong), `link.unknown`, `link.token`, `link.over`, `link.paid`,
     * `link.used-up`, `link.throttled` (five open charges of the payer, or too many new ones of the address or the link),
     * `card.throttled` (too many declined of a payer, card or address within the hour), `card.waiting` (as many cards wait for
     * the acquirer), `account.unknown`, `charge.unknown`, `link.processing` (what is left of its
     * uses is held by cards that are not decided yet), `organization.inactive`, `bank.unsupported`, `card.unsupported` (its
     * brand), `card.declined`, `bank.refused` and `bank.unavailable` (a failed charge is kept).
     * Source: 02-billing.md, Public payer routes; decisions.md §3 and §9.
     */
    pay: payLink(ports),
    /**
     * What has become of a charge, by its code, and whom it pays: for who pays it, and asks until it is paid.
     * Fails: `charge.unknown` (a deleted one too).
     * Source: 02-billing.md, Public payer routes; decisions.md §9.
     */
    status: paymentStatus(ports),
    /**
     * A charge by its code, with all that it is paid by, its Pix drawn, and where its link sends whoever has paid.
     * Fails: `fields`, `charge.unknown` (a deleted one too).
     * Source: 02-billing.md, Public payer routes; decisions.md §9.
     */
    read: readPayment(ports),
  }),
} satisfies PaymentsModule

import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { links as collection } from './link.ts'
import { listLinkPayments, listLinks } from './list-links.ts'
import { paidSubscriber } from './paid.ts'
import { readLink } from './read-link.ts'
import { createLink, removeLink, updateLink } from './write-link.ts'

/** Payment links: addresses at which whoever has them pays an account. */
export const links = {
  collections: [collection],
  subscribers: () => [paidSubscriber],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Makes a link, its amounts in cents; `publicUrl` is what a payer opens.
     * Fails: `fields` (`unknown` for a client of another account), `bank.unsupported` (a method that nobody could pay by).
     * Source: 02-billing.md, Payment links; decisions.md §3 and §9.
     */
    create: createLink(ports),
    /**
     * A page of the account's links by their creation, with what all of them are and received in cents; days are those of
     * São Paulo, both ends included.
     * Fails: `fields`.
     * Source: 02-billing.md, Payment links.
     */
    list: listLinks(ports),
    /**
     * One of the account's links, by its public id, with who made it and whom it is for.
     * Fails: `link.unknown` (another account's and a removed one too).
     * Source: 02-billing.md, Payment links.
     */
    read: readLink(ports),
    /**
     * Changes a link; what is left out stays, and null clears. More uses open one again that was used up.
     * Fails: `fields` (`link.method-used`: somebody has begun to pay by that method), `link.unknown`, `link.expired`,
     * `bank.unsupported`.
     * Source: 02-billing.md, Payment links; decisions.md §7 and §9.
     */
    update: updateLink(ports),
    /**
     * Removes a link: it opens nothing any more; what was asked for through it stays.
     * Fails: `link.unknown`.
     * Source: 02-billing.md, Payment links.
     */
    remove: removeLink(ports),
    /**
     * A page of the charges that were made through a link, the newest first; with `paidOnly` of those that were paid.
     * Fails: `fields`, `link.unknown`.
     * Source: 02-billing.md, Payment links; decisions.md §9.
     */
    payments: listLinkPayments(ports),
  }),
} satisfies PaymentsModule

import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { links as collection } from './link.ts'
import { paidSubscriber } from './paid.ts'
import { listLinkPayments, listLinks, readLink } from './read-link.ts'
import { createLink, pauseLink, removeLink, resumeLink, updateLink } from './write-link.ts'

/** Payment links: URLs at which payers pay an account. */
export const links = {
  collections: [collection],
  subscribers: () => [paidSubscriber],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Creates a link, its amounts in cents; `publicUrl` is the URL for payers.
     * Fails: `fields` (`unknown` for a client of another account), `bank.unsupported` (a method without a bank or
     * acquirer), `second-factor.required` (as `charges.issue`).
     */
    create: createLink(ports),
    /**
     * Lists a page of the account's links by creation, with the number of all links and the amount received in cents,
     * by status. Days are São Paulo days, inclusive.
     * Fails: `fields`.
     */
    list: listLinks(ports),
    /**
     * Reads one of the account's links by its public id, with its creator, last editor and client.
     * Fails: `link.unknown` (also if removed or of another account).
     */
    read: readLink(ports),
    /**
     * Changes a link; an omitted field stays, null clears. A greater limit of uses reopens a used-up link.
     * Fails: `fields` (`link.method-used`: a payment by a removed method has begun; `charge.consumer-fine` …),
     * `link.unknown`, `link.expired`, `bank.unsupported`.
     */
    update: updateLink(ports),
    /**
     * Pauses a link: its page accepts no payments until it is resumed. Charges that exist stay payable. The pause is
     * audited; a paused link stays paused. Fails: `link.unknown`, `link.expired`.
     */
    pause: pauseLink(ports),
    /** Resumes a paused link; an active link stays active. Fails: `link.unknown`, `link.expired`. */
    resume: resumeLink(ports),
    /** Removes a link; its charges stay. Fails: `link.unknown`. */
    remove: removeLink(ports),
    /**
     * Lists a page of a link's charges, newest first; with `paidOnly` the paid ones.
     * Fails: `fields`, `link.unknown`.
     */
    payments: listLinkPayments(ports),
  }),
} satisfies PaymentsModule

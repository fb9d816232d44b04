import { plainUseCases } from '../../kernel/resources/plain-use-cases.ts'
import { sweepOf } from '../../kernel/running/jobs.ts'
import type { AcquirerNotifications } from '../../ports/acquirer.ts'
import { unreadableRecords } from '../bank/notices.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { cancelTitle } from './cancellation.ts'
import { chargeCard } from './card.ts'
import { replaceTitle, updateCharge } from './change.ts'
import { charges as collection } from './charge.ts'
import { otherTitles } from './detail.ts'
import { deleteCharge, deleteOperations, expiryJob } from './end.ts'
import { readBoletoInvoice, readInvoice } from './invoice.ts'
import { issueCharge, resumeCharge } from './issue.ts'
import { listCharges } from './list.ts'
import { bankNotifications, takeDecision } from './notifications.ts'
import { listPublicCharges, searchBoletos } from './payer-charges.ts'
import { issueWithPlan, resumePlan } from './plan.ts'
import { readCharge, readFullCharge, readPublicBoleto, readPublicCharge } from './read.ts'
import { chargeGroup, paymentPlan } from './references.ts'
import { refundCharge, refundOperations } from './refund.ts'
import { refundablePix, refunds } from './refund-records.ts'
import { quotePayment, simulatePayment } from './simulation.ts'
import { createTitle, titleSteps } from './titles.ts'

/** Charges, from their issue to their end. */
export const charges = {
  collections: [collection, otherTitles, refunds, refundablePix],
  operations: (ports: PaymentsPorts) => [
    createTitle(ports),
    cancelTitle(ports),
    replaceTitle(ports),
    deleteOperations(ports),
    refundOperations(ports),
  ],
  migrations: () => titleSteps,
  jobs: (ports: PaymentsPorts) => [expiryJob(ports)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Issues a charge, its value in cents and its rates in hundredths, and registers its title at the bank, or charges its
     * card: neither the card's number nor its code is kept. One that is approved is paid at once.
     * Fails: `fields`, `account.unknown`, `organization.inactive`, `charge.unknown`, `bank.unsupported` (the bank cannot
     * make what it would be paid by), `card.unsupported` (its brand), `card.throttled` (five declined of its payer or card within
     * the hour), `card.waiting` (as many wait for the acquirer), `bank.refused`, `card.declined` and `bank.unavailable` (a failed
     * charge is kept).
     * Source: 02-billing.md, Charges; decisions.md §3 and §9.
     */
    issue: issueCharge(ports),
    /**
     * Issues a charge for each part of a payment plan: `valueCents` is all of them together, the first is due on `dueDate`
     * and has the cents that are left over. Given in due order; one that the bank refuses is a failed charge among them.
     * Fails: `fields`, `account.unknown`, `organization.inactive`, `charge.unknown`, `bank.unsupported`, `bank.refused` and
     * `bank.unavailable` (where it makes none of them; failed charges are kept).
     * Source: 02-billing.md, Charges; decisions.md §9.
     */
    issueWithPlan: issueWithPlan(ports),
    /**
     * Carries on the charges of a plan, by their ids as one text with commas, of whose titles the bank has said nothing yet.
     * Fails: `charge.unknown`, `bank.refused`, `bank.unavailable`.
     * Source: decisions.md §9.
     */
    resumePlan: resumePlan(ports),
    /**
     * Pays a pending charge, by its id or code, as if its bank had confirmed the amount due today: in accounts 1, 2 and 3
     * alone, and never in production. A card that its acquirer left pending is approved.
     * Fails: `simulation.forbidden`, `bank.unsupported` (where money is real), `charge.unknown`, `charge.not-pending`,
     * `charge.busy` (its acquirer is being asked), `bank.unavailable`, `card.declined`.
     * Source: 02-billing.md, Charges; decisions.md §3 and §9.
     */
    simulatePayment: simulatePayment(ports),
    /**
     * Carries on a charge of which the bank, or its acquirer, has said nothing yet: by its id, its txid, or the code of one that
     * is paid by card.
     * Fails: `charge.unknown`, `bank.refused`, `card.declined`, `bank.unavailable`.
     * Source: decisions.md §9.
     */
    resume: resumeCharge(ports),
    /**
     * Changes one of the account's pending charges, by its id; what is left out stays, null clears. One whose title says something else then gets
     * another, and is as it was until the bank has made it: `isAnswered` says whether it has.
     * Fails: `fields`, `charge.unknown`, `charge.not-pending`, `charge.busy` (the bank is still being asked of it),
     * `bank.unsupported`, `bank.refused` and `bank.unavailable` (nothing changed).
     * Source: 02-billing.md, Charges; decisions.md §9.
     */
    update: updateCharge(ports),
    /**
     * Deletes one of the account's charges, by its id, once the bank has closed its open title: `isAnswered` says whether it has. What was paid
     * of it stays as it is.
     * Fails: `charge.unknown`, `charge.busy` (the bank is still being asked of it), `bank.refused` and `bank.unavailable`
     * (nothing changed).
     * Source: 02-billing.md, Charges; decisions.md §3 and §9.
     */
    delete: deleteCharge(ports),
    /**
     * Gives a Pix that paid one of the account's charges back, by the charge's id, whole or in part, its value in cents: by default all that
     * is left of the newest Pix that has enough, until the ninetieth day after it came. `isAnswered` says whether the bank has
     * said what became of it; while it has not, the amount stays reserved.
     * Fails: `fields` (`refund.several`, `refund.left`, `refund.balance`, `unknown` id), `charge.unknown` (another account's too), `organization.inactive`,
     * `bank.unsupported`, `refund.not-pix`, `refund.late`, `bank.refused` and `bank.unavailable` (nothing went back).
     * Source: issue 14.
     */
    refund: refundCharge(ports),
    /**
     * Carries on a refund of which the bank has said nothing yet, by its id. Whoever comes after the answer is told the same.
     * Fails: `charge.unknown` (there is no such refund), `bank.refused`, `bank.unavailable`.
     * Source: issue 14.
     */
    resumeRefund: refundOperations(ports).repeat,
    /**
     * A page of the account's charges with their clients; days are those of São Paulo, both ends included.
     * Fails: `fields`.
     * Source: 02-billing.md, Charges; decisions.md §3 and §9.
     */
    list: listCharges(ports),
    /**
     * One of the account's charges, by its id or code; deleted ones too.
     * Fails: `charge.unknown` (another account's too).
     * Source: 02-billing.md, Charges.
     */
    read: readCharge(ports),
    /**
     * The same charge with who issued it.
     * Source: 02-billing.md, Charge.
     */
    readFull: readFullCharge(ports),
    /**
     * A charge as its payer sees it, by its code or its Pix's txid: whom it pays, and its QR code as PNG.
     * Fails: `fields`, `charge.unknown` (a deleted one too).
     * Source: 02-billing.md, Public payer routes; decisions.md §9.
     */
    readPublic: readPublicCharge(ports),
    /**
     * The same charge, where it has a boleto.
     * Fails: `fields`, `charge.unknown` (a deleted one too), `boleto.unknown`.
     * Source: 02-billing.md, Public payer routes.
     */
    readPublicBoleto: readPublicBoleto(ports),
    /**
     * The page of a charge as PDF, as `read` gives the charge: a boleto with its slip, a Pix to scan, a receipt. What cannot be
     * paid any more shows nothing to pay by. Rejects where it cannot be drawn.
     * Fails: `account.unknown`.
     * Source: 02-billing.md, Charges; decisions.md §9.
     */
    readInvoice: readInvoice(ports),
    /**
     * The same of the boleto of a txid, for whoever has it.
     * Fails: `boleto.name` (no txid), `boleto.unknown` (no boleto, or a deleted charge).
     * Source: 02-billing.md, Public payer routes.
     */
    readBoletoInvoice: readBoletoInvoice(ports),
    /**
     * The boletos of a payer, whoever issued them, latest due day first: by document and e-mail, or by nosso número.
     * Fails: `fields`, `boleto.search-code` (a wrong code, and always where the settings have none), `code.throttled` (100
     * wrong ones in an hour, 3,600 seconds, from one address).
     * Source: 02-billing.md, Public payer routes; decisions.md §3 and §9.
     */
    searchBoletos: searchBoletos(ports),
    /**
     * Lists what a CPF or CNPJ owes, in whichever account: pending and expired charges, newest first; none without a document.
     * Charges whose payer a payment link's caller named are left out. `origin` is the caller's address: unknown documents are
     * wrong tries of it; calls without it are counted together.
     * Fails: `document.throttled` (a hundred wrong tries of the address within the hour), `fields` (`unknown` for a document that no
     * client has).
     * Source: 02-billing.md, Public payer routes; decisions.md §9, Exposure.
     */
    listPublic: listPublicCharges(ports),
  }),
} satisfies PaymentsModule

/** Where an acquirer tells what it has decided: `await pay.cards.decided(notice)()`. */
export const cards = {
  operations: (ports: PaymentsPorts) => [chargeCard(ports)],
  useCases: (ports: PaymentsPorts) =>
    ({
      /**
       * Takes what an acquirer has decided of a card that it had left pending, by our own id there: posted once, however often
       * it is told; what was approved for a charge that nobody is to pay any more is given back.
       * Fails: `fields` (by the notice's own names), `charge.unknown`.
       * Source: decisions.md §4, §9 and §11.
       */
      decided: takeDecision(ports),
    }) satisfies AcquirerNotifications,
} satisfies PaymentsModule

/** The entry point for what happens at a bank: `await pay.bank.paid(notice)()`. */
export const bank = {
  collections: [unreadableRecords],
  sweeps: [sweepOf(unreadableRecords)],
  useCases: bankNotifications,
} satisfies PaymentsModule

/** The groups of an account’s charges. */
export const groups = {
  collections: [chargeGroup.collection],
  useCases: plainUseCases(chargeGroup),
} satisfies PaymentsModule

/** How an account asks for an amount in parts. */
export const plans = {
  collections: [paymentPlan.collection],
  useCases: (ports: PaymentsPorts) => {
    // A plan is changed as a whole: how far it reaches, its fields say together.
    const { update: _, ...plans } = plainUseCases(paymentPlan)(ports)
    return plans
  },
} satisfies PaymentsModule

/** What would be, without anything being created. */
export const simulations = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * What an amount in cents would be by each method: at once by Pix and boleto, in 1 to 12 parts by card, of which the first
     * takes the cents left over.
     * Fails: `fields`.
     * Source: 02-billing.md, Charges (POST /billing/simulate-payment); decisions.md §9, Charges.
     */
    payment: quotePayment(ports),
  }),
} satisfies PaymentsModule

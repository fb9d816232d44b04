import { plainModule, plainUseCases } from '../../kernel/resources/plain-use-cases.ts'
import { sweepOf } from '../../kernel/running/jobs.ts'
import type { AcquirerNotifications } from '../../ports/acquirer.ts'
import { unreadableRecords } from '../bank/run-operation.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { chargeCard } from './card.ts'
import { updateCharge } from './change.ts'
import { charges as collection } from './charge.ts'
import { consumerFineQueue } from './consumer-fine.ts'
import { otherTitles } from './detail.ts'
import { deleteCharge, deleteOperations, expiryJob } from './end.ts'
import { releaseJob } from './held-shares.ts'
import { issueCharge, resumeCharge } from './issue.ts'
import { chargeGroup, paymentPlan } from './new-charge.ts'
import { bankNotifications, takeDecision } from './notifications.ts'
import { issueWithPlan, resumePlan } from './plan.ts'
import { readHistory, readPayments } from './queries/history.ts'
import { readBoletoInvoice, readInvoice } from './queries/invoice.ts'
import { listCharges, summarizeCharges } from './queries/list.ts'
import { listPublicCharges, searchBoletos } from './queries/payer-charges.ts'
import { quoteAmountDue, readTerms } from './queries/quote.ts'
import { readCharge, readFullCharge, readPublicBoleto, readPublicCharge } from './queries/read.ts'
import { refundCharge, refundOperations } from './refund.ts'
import { countLatePayments, refundablePix, refunds } from './refund-records.ts'
import { replaceTitle } from './replace-title.ts'
import { restTitleQueue, restTitles } from './rest-title.ts'
import { quotePayment, simulatePayment } from './simulation.ts'
import { createTitle } from './titles.ts'
import { cancelTitle } from './write.ts'

/** Charges, from their issue to their end. */
export const charges = {
  collections: [collection, otherTitles, refunds, refundablePix, restTitles],
  queues: (ports: PaymentsPorts) => [restTitleQueue(ports), consumerFineQueue(ports)],
  operations: (ports: PaymentsPorts) => [
    createTitle(ports),
    cancelTitle(ports),
    replaceTitle(ports),
    deleteOperations(ports),
    refundOperations(ports),
  ],
  jobs: (ports: PaymentsPorts) => [expiryJob(ports), releaseJob(ports)],
  migrations: () => [countLatePayments],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Issues a charge, its value in cents and its rates in hundredths, and registers its title at the bank, or charges
     * its card. Neither the card's number nor its CVV is stored. A charge with an approved card is paid at once. A late
     * fine is at most 2 % of the value, unless the payer has a CNPJ or the account has no consumers; the account's
     * default is limited to it.
     * Fails: `fields` (`charge.discount`, `charge.consumer-fine`, `charge.fine` …), `account.unknown`,
     * `organization.inactive`, `charge.unknown`, `bank.unsupported` (the bank does not support the payment method),
     * `card.unsupported` (its brand), `card.throttled` (five declined tries of the payer or card within the hour),
     * `card.waiting` (as many tries wait for the acquirer), `second-factor.required` (the account requires it for
     * withdrawals, no unused proof was attached, and `splits` name an account for the first time), `bank.refused`,
     * `card.declined` and `bank.unavailable` (a failed charge is stored).
     */
    issue: issueCharge(ports),
    /**
     * Issues a charge for each installment of a payment plan: `valueCents` is their sum, the first is due on `dueDate`
     * and has the remaining cents. Returns the charges by due day; one that the bank refused is among them as failed.
     * Fails: `fields`, `account.unknown`, `organization.inactive`, `charge.unknown`, `bank.unsupported`,
     * `second-factor.required` (as `issue`), `bank.refused` and `bank.unavailable` (all failed; they are stored).
     */
    issueWithPlan: issueWithPlan(ports),
    /**
     * Resumes the charges of a plan whose titles the bank has not answered, by their ids as one text with commas.
     * Fails: `charge.unknown`, `bank.refused`, `bank.unavailable`.
     */
    resumePlan: resumePlan(ports),
    /**
     * Pays a pending charge, by its id or code, as if the bank had confirmed the amount due today. Only for accounts 1,
     * 2 and 3, and never in production. A pending card is approved. Fails: `simulation.forbidden`, `bank.unsupported`
     * (a bank with real money), `charge.unknown`, `charge.not-pending`, `charge.busy` (an operation at the acquirer is
     * running, or the boleto of the rest is not registered yet), `boleto.unknown` (the bank refused the boleto of the
     * rest), `bank.unavailable`, `card.declined`.
     */
    simulatePayment: simulatePayment(ports),
    /**
     * Resumes a charge that the bank or the acquirer has not answered: by its id, its txid, or the code of a card
     * charge. Fails: `charge.unknown`, `bank.refused`, `card.declined`, `bank.unavailable`.
     */
    resume: resumeCharge(ports),
    /**
     * Changes one of the account's pending charges, by its id: an absent field stays, null clears it. If its title
     * shows a changed field, the title is replaced, and the charge changes after the bank's answer: until then
     * `isAnswered` is false. Any change, an empty one too, requests the title for the rest of a charge that was paid in
     * part, if the bank refused it. A change that leaves at most the account's tolerance of such a charge closes it as
     * paid.
     * Fails: `fields` (`charge.consumer-fine` …), `charge.unknown`, `charge.not-pending`, `charge.busy` (a bank
     * operation is running), `bank.unsupported`, `bank.refused` and `bank.unavailable` (nothing changed).
     */
    update: updateCharge(ports),
    /**
     * Deletes one of the account's charges, by its id, after the bank has closed its open title: until then
     * `isAnswered` is false. Its payments stay, and a later one is credited and counted. Fails: `charge.unknown`,
     * `charge.busy` (a bank operation is running), `bank.refused` and `bank.unavailable` (nothing changed).
     */
    delete: deleteCharge(ports),
    /**
     * Refunds a Pix that paid one of the account's charges, by the charge's id, in full or in part, its value in cents:
     * by default all that is left of the only Pix with a refundable amount, until the ninetieth day after its receipt.
     * With `isOfOverpaid` it refunds the over-payment alone, from up to 20 Pix: the worker sends all but the first.
     * `isAnswered` is false before the bank's answer to the first; until then the amount stays reserved. The receivers
     * of shares return what theirs exceed after the refund, from what they have; the account pays what they lack
     * (`refunds` with `shares`). Fails: `fields` (`refund.several`, `refund.left`, `refund.balance` for what no share
     * returns, `unknown` id), `charge.unknown` (another account's too), `organization.inactive`, `bank.unsupported`,
     * `refund.not-pix`, `refund.late`, `bank.refused` and `bank.unavailable` (nothing was refunded).
     */
    refund: refundCharge(ports),
    /**
     * Resumes a refund that the bank has not answered, by its id. After the answer, returns the same result.
     * Fails: `charge.unknown` (there is no such refund), `bank.refused`, `bank.unavailable`.
     */
    resumeRefund: refundOperations(ports).repeat,
    /**
     * Returns a page of the account's charges with their clients. Days are those of São Paulo; ranges include both
     * ends. Fails: `fields`.
     */
    list: listCharges(ports),
    /**
     * Counts and sums the account's charges that the filters of `list` match, by status and payment method; deleted
     * ones only if the filter names their status. Fails: `fields`.
     */
    summarize: summarizeCharges(ports),
    /**
     * Returns one of the account's charges with its issuer, by its id or code, even if deleted.
     * Fails: `charge.unknown` (another account's too).
     */
    read: readCharge(ports),
    /** Adds the refunds to a charge, and the issuer if it was read without. */
    readFull: readFullCharge(ports),
    /**
     * Returns the events of one of the account's charges and the messages to its payer, the newest first, by its id; at
     * most 100 of each. Messages are kept for seven days. Fails: `charge.unknown` (another account's too).
     */
    history: readHistory(ports),
    /**
     * Returns the payments of one of the account's charges, the newest 100, and the parts of the amount that is left
     * today, by its id. Fails: `charge.unknown` (another account's too).
     */
    payments: readPayments(ports),
    /**
     * Returns the interest, fine and discount of one of the account's charges, by its id, and the amount due today.
     * Fails: `charge.unknown` (another account's too).
     */
    terms: readTerms(ports),
    /**
     * Returns a charge for its payer, by its code or the txid of its Pix: with the payee and the QR code as PNG.
     * Fails: `fields`, `charge.unknown` (a deleted one too).
     */
    readPublic: readPublicCharge(ports),
    /**
     * Returns a charge with a boleto for its payer, by its code.
     * Fails: `fields`, `charge.unknown` (a deleted one too), `boleto.unknown`.
     */
    readPublicBoleto: readPublicBoleto(ports),
    /**
     * Returns the PDF of a charge that `read` returned: a boleto with its slip, a Pix with its QR code, or a receipt.
     * Only a pending charge shows boleto and Pix code. Rejects if the PDF cannot be rendered.
     * Fails: `account.unknown`.
     */
    readInvoice: readInvoice(ports),
    /**
     * Returns the PDF of the boleto of a txid, without authentication.
     * Fails: `boleto.name` (no txid), `boleto.unknown` (no boleto, or a deleted charge).
     */
    readBoletoInvoice: readBoletoInvoice(ports),
    /**
     * Returns the boletos of a payer in all accounts, latest due day first: by document and e-mail, or by nosso número.
     * Fails: `fields`, `boleto.search-code` (a wrong code, and any code if the settings have none), `code.throttled`
     * (100 wrong codes of one address within an hour).
     */
    searchBoletos: searchBoletos(ports),
    /**
     * Lists the open charges of a CPF or CNPJ in all accounts: pending and expired ones, newest first; none without a
     * document. Charges whose payer the caller of a payment link named are left out. `origin` is the caller's address:
     * unknown documents count as its wrong tries; calls without an address are counted together.
     * Fails: `document.throttled` (a hundred wrong tries of the address within the hour), `fields` (`unknown` for a
     * document that no client has).
     */
    listPublic: listPublicCharges(ports),
  }),
} satisfies PaymentsModule

/** The entry point for notices of an acquirer: `await pay.cards.decided(notice)()`. */
export const cards = {
  operations: (ports: PaymentsPorts) => [chargeCard(ports)],
  useCases: (ports: PaymentsPorts) =>
    ({
      /**
       * Applies an acquirer's decision on a pending card, by our id at the acquirer, once for any number of notices. A
       * sale that was approved for a charge which accepts no payment is voided.
       * Fails: `fields` (by the notice's own names), `charge.unknown`.
       */
      decided: takeDecision(ports),
    }) satisfies AcquirerNotifications,
} satisfies PaymentsModule

/** The entry point for notices of the bank: `await pay.bank.paid(notice)()`. */
export const bank = {
  collections: [unreadableRecords],
  sweeps: [sweepOf(unreadableRecords)],
  useCases: bankNotifications,
} satisfies PaymentsModule

/** The groups of an account’s charges. */
export const groups = plainModule(chargeGroup)

/** The payment plans of an account. */
export const plans = {
  collections: [paymentPlan.collection],
  useCases: (ports: PaymentsPorts) => {
    // Plans have no partial update: the fields together determine the last due day.
    const { update: _, ...plans } = plainUseCases(paymentPlan)(ports)
    return plans
  },
} satisfies PaymentsModule

/** Quotes; nothing is created. */
export const simulations = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Quotes an amount in cents for each payment method: at once by Pix and boleto, in 1 to 12 installments by card, of
     * which the first has the remaining cents. Fails: `fields`.
     */
    payment: quotePayment(ports),
    /**
     * Quotes the amount due of a new charge on a day, with the fine, interest and discount of the input or the account;
     * with a payment plan, of each installment. Without a day, on the due day of each. Checks the limits and fees of an
     * issue. Fails: `fields`, `account.unknown`.
     */
    amountDue: quoteAmountDue(ports),
  }),
} satisfies PaymentsModule

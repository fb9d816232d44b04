import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { printContract } from './contract-document.ts'
import { moveContract, quoteTermination, removeContract } from './end-contract.ts'
import { listContracts, readContract } from './read-contract.ts'
import { previewAdjustment, renewContract } from './renew-contract.ts'
import { createContract, replaceContract } from './write-contract.ts'

/** What was agreed about properties. */
export const contracts = {
  useCases: (ports: RealEstatePorts) => ({
    /**
     * A page of the company's contracts, the newest first; owners see those of their properties, tenants their own. A search
     * looks through property code and client name.
     * Fails: `fields`.
     */
    list: listContracts(ports),
    /**
     * One of the company's contracts with its payments, by its id; of owners and tenants their own.
     * Fails: `contract.unknown`.
     */
    read: readContract(ports),
    /**
     * Makes a contract, with or without a proposal; values are cents. The property of a lease is rented by it, of a sale sold.
     * Fails: `fields` (`unknown` references, `after`), `property.purpose`, `property.occupied`, `proposal.unconvertible`.
     */
    create: createContract(ports),
    /**
     * Replaces the terms of an active contract; its parties, property and type stay. Another rent is an adjustment once the
     * first rent was billed: rents are billed by it from the first of the next month, or from `adjustedFrom`, and the twelve
     * months of an index begin again (Lei 10.192/2001 art. 2 §2).
     * Fails: `fields` (`unknown` broker, `after`, `not-before` and `not-after` for `adjustedFrom`), `contract.unknown`,
     * `contract.ended`, `contract.bound`, `contract.period-closed` (`startDate` in a former period), `contract.adjustments`
     * (more than 200).
     */
    replace: replaceContract(ports),
    /**
     * Moves a contract: terminated and cancelled ones free their property and what was to be paid later is cancelled, renewed
     * ones leave it to the next lease.
     * What their payer was charged of those is cancelled first.
     * Fails: `fields`, `contract.unknown`, `contract.move`, `contract.payments` (more than 900 are to be cancelled),
     * `charge.uncancelled` (refused, the contract is as it was), `charging.unavailable`, `payment.charged` (meanwhile).
     */
    move: moveContract(ports),
    /**
     * Goes on with an active contract: its period becomes one of the former, and a new one begins on the day after. Its value,
     * in cents, is the one that is given, or that to which the contract's index adjusts the former one.
     * Fails: `fields` (`after`), `contract.unknown`, `contract.ended`, `contract.periods`, `contract.adjustments`,
     * `adjustment.early`, `adjustment.missing`, `adjustment.no-percentage`, `adjustment.unpayable`.
     */
    renew: renewContract(ports),
    /**
     * What the index of an active contract makes of its value on a day, today unless said; cents. It is adjusted by the twelve
     * months before the last anniversary of its period or last adjustment, never within the first year, and not downwards
     * unless that was agreed.
     * Fails: `fields`, `contract.unknown`, `contract.ended`, `adjustment.early`, `adjustment.missing` (a month that the table
     * of indexes does not know), `adjustment.no-percentage` (a fixed one without), `adjustment.unpayable`.
     * Source: Lei 10.192/2001, art. 2.
     */
    previewAdjustment: previewAdjustment(ports),
    /**
     * One of the company's contracts as a PDF of one page; of owners and tenants their own. The same contract is the same bytes.
     * Fails: `contract.unknown`.
     */
    print: printContract(ports),
    /**
     * What leaving an active contract early costs on a day, today unless said; cents. The fine that was agreed is owed in
     * proportion to what is left of the term that runs.
     * Fails: `fields`, `contract.unknown`, `contract.ended`, `contract.no-termination-fine`.
     * Source: Lei 8.245, art. 4.
     */
    quoteTermination: quoteTermination(ports),
    /**
     * Removes a contract without payments; the property of an active lease or sale is free then.
     * Fails: `contract.unknown`, `contract.in-use`.
     */
    remove: removeContract(ports),
  }),
} satisfies RealEstateModule

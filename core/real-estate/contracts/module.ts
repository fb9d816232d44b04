import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { printContract } from './contract-document.ts'
import { moveContract, quoteTermination, removeContract } from './end-contract.ts'
import { listContracts, readContract } from './read-contract.ts'
import { previewAdjustment, renewContract } from './renew-contract.ts'
import { createContract, replaceContract } from './write-contract.ts'

/** The leases, sales and management contracts of a company. */
export const contracts = {
  useCases: (ports: RealEstatePorts) => ({
    /**
     * Returns a page of the company's contracts, newest first; owners see those of their properties, tenants their own.
     * The search covers property code and client name. Fails: `fields`.
     */
    list: listContracts(ports),
    /**
     * Returns a contract with its payments; owners and tenants see their own.
     * Fails: `contract.unknown`.
     */
    read: readContract(ports),
    /**
     * Creates a contract, with or without a proposal; values are cents. A lease makes its property Rented, a sale Sold.
     * Fails: `fields` (`unknown` references, `after`), `property.other-purpose`, `property.occupied`,
     * `proposal.unconvertible`.
     */
    create: createContract(ports),
    /**
     * Replaces the terms of an active contract; its parties, property and type stay. Once the first rent is billed,
     * another rent is an adjustment: it applies from the first of the next month, or from `adjustedFrom`, and the
     * twelve months of an index begin again (Lei 10.192/2001 art. 2 §2).
     * Fails: `fields` (`unknown` broker, `after`, `not-before` and `not-after` for `adjustedFrom`), `contract.unknown`,
     * `contract.ended`, `contract.bound`, `contract.period-closed` (`startDate` in a former period),
     * `contract.adjustments` (more than 200).
     */
    replace: replaceContract(ports),
    /**
     * Moves a contract to another status. Termination and cancellation free the property of a lease or sale, and cancel
     * the payments due later, after their charges. A rent of which a part has arrived stays open for the days that were
     * let; if no more than the part is owed, the payment is marked as paid with it. A renewed contract keeps its later
     * payments. Fails: `fields`, `contract.unknown`, `contract.move`, `contract.payments` (more than 900 due later),
     * `charge.uncancelled` (refused, the contract is unchanged), `charging.unavailable`, `payment.charged` (meanwhile).
     */
    move: moveContract(ports),
    /**
     * Renews an active contract: the current period becomes a former one, and a new one begins on the day after it. The
     * new value, in cents, is that of the input, or the current one adjusted by the contract's index.
     * Fails: `fields` (`after`), `contract.unknown`, `contract.ended`, `contract.periods`, `contract.adjustments`,
     * `adjustment.early`, `adjustment.missing`, `adjustment.no-percentage`, `adjustment.unpayable`.
     */
    renew: renewContract(ports),
    /**
     * Returns the value to which its index adjusts an active contract on a day, by default today; cents. The twelve
     * months before the last anniversary of the period or of the last adjustment count. Within the first year there is
     * no adjustment, and a fall applies only if that was agreed (Lei 10.192/2001, art. 2).
     * Fails: `fields`, `contract.unknown`, `contract.ended`, `adjustment.early`, `adjustment.missing` (a month without
     * an index figure), `adjustment.no-percentage` (of a fixed adjustment), `adjustment.unpayable`.
     */
    previewAdjustment: previewAdjustment(ports),
    /**
     * Returns a contract as a PDF of one page; owners and tenants get their own. An unchanged contract gives the same
     * bytes.
     * Fails: `contract.unknown`.
     */
    print: printContract(ports),
    /**
     * Returns the cost of terminating an active contract early on a day, by default today; cents. The agreed fine is
     * owed in proportion to the remaining term (Lei 8.245, art. 4).
     * Fails: `fields`, `contract.unknown`, `contract.ended`, `contract.no-termination-fine`.
     */
    quoteTermination: quoteTermination(ports),
    /**
     * Removes a contract without payments, and frees the property of an active lease or sale.
     * Fails: `contract.unknown`, `contract.in-use`.
     */
    remove: removeContract(ports),
  }),
} satisfies RealEstateModule

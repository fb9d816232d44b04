import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { convertProposal } from './convert-proposal.ts'
import { listProposals, readProposal } from './read-proposals.ts'
import { createProposal, moveProposal, removeProposal, replaceProposal } from './write-proposals.ts'

/** The offers of clients for properties. */
export const proposals = {
  useCases: (ports: RealEstatePorts) => ({
    /**
     * Returns a page of the company's proposals, newest first; brokers see their own. The search covers property code
     * and client name.
     * Fails: `fields`.
     */
    list: listProposals(ports),
    /**
     * Returns a proposal with its property, client and broker; brokers see their own.
     * Fails: `proposal.unknown`.
     */
    read: readProposal(ports),
    /**
     * Creates a proposal under review; its value is cents. The broker's user and the Admins are notified.
     * Fails: `fields` (`unknown` references, `past`), `proposal.broker` (a broker names another one),
     * `property.other-purpose`, `property.occupied`.
     */
    create: createProposal(ports),
    /**
     * Replaces the fields of a proposal under review or negotiation, also of an expired one; missing fields are
     * cleared.
     * Fails: as `create`, and `proposal.unknown`, `proposal.closed`.
     */
    replace: replaceProposal(ports),
    /**
     * Moves a proposal to another status; on approval the broker's user is notified.
     * Fails: `fields`, `proposal.unknown`, `proposal.move`, `proposal.expired`.
     */
    move: moveProposal(ports),
    /**
     * Creates the contract of an approved proposal, once, and returns it; its property is rented or sold. The value is
     * cents.
     * Fails: `fields` (`after`; `unknown` if a party was removed), `proposal.unknown`, `proposal.not-approved`,
     * `proposal.expired`, `proposal.converted`, `property.other-purpose`, `property.occupied`.
     */
    convert: convertProposal(ports),
    /**
     * Removes a proposal that was not converted.
     * Fails: `proposal.unknown`, `proposal.in-use`.
     */
    remove: removeProposal(ports),
  }),
} satisfies RealEstateModule

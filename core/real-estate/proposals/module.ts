import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { convertProposal } from './convert-proposal.ts'
import { listProposals, readProposal } from './read-proposals.ts'
import { createProposal, moveProposal, removeProposal, replaceProposal } from './write-proposals.ts'

/** What clients offer for properties. */
export const proposals = {
  useCases: (ports: RealEstatePorts) => ({
    /**
     * A page of the company's proposals, the newest first; brokers see their own. A search looks through the property's code
     * and the client's name.
     * Fails: `fields`.
     */
    list: listProposals(ports),
    /**
     * One of the company's proposals, with its property, client and broker; of brokers their own.
     * Fails: `proposal.unknown`.
     */
    read: readProposal(ports),
    /**
     * Makes a proposal, under review; its value is cents. The broker's user and the Admins are told.
     * Fails: `fields` (`unknown` for what points at nothing, `past`), `proposal.broker` (a broker's for another one),
     * `property.purpose`, `property.occupied`.
     */
    create: createProposal(ports),
    /**
     * Replaces what is told of a proposal that is under review or negotiated, an expired one too: what is left out is none.
     * Fails: as `create`, and `proposal.unknown`, `proposal.closed`.
     */
    replace: replaceProposal(ports),
    /**
     * Moves a proposal to another status; once it is approved, the broker's user is told.
     * Fails: `fields`, `proposal.unknown`, `proposal.move`, `proposal.expired`.
     */
    move: moveProposal(ports),
    /**
     * Makes the contract of an approved proposal, once, and gives it: its property is rented or sold by it; its value is cents.
     * Fails: `fields` (`after`; `unknown` where whom it is of is gone), `proposal.unknown`, `proposal.not-approved`,
     * `proposal.expired`, `proposal.converted`, `property.purpose`, `property.occupied`.
     */
    convert: convertProposal(ports),
    /**
     * Removes a proposal of which no contract was made.
     * Fails: `proposal.unknown`, `proposal.in-use`.
     */
    remove: removeProposal(ports),
  }),
} satisfies RealEstateModule

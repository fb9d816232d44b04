import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { listCommissions, readCommission } from './read-commission.ts'
import { createCommission, moveCommission, removeCommission, replaceCommission } from './write-commission.ts'

/** What brokers earn by contracts. */
export const commissions = {
  useCases: (ports: RealEstatePorts) => ({
    /**
     * A page of the company's commissions, the newest first; a broker sees their own. A search looks through broker name,
     * property code and client name.
     * Fails: `fields`.
     * Source: 03-real-estate.md, Commissions; decisions.md §10, Lists.
     */
    list: listCommissions(ports),
    /**
     * One of the company's commissions, by its id; of a broker their own.
     * Fails: `commission.unknown`.
     * Source: 03-real-estate.md, Commissions.
     */
    read: readCommission(ports),
    /**
     * Makes a commission, pending, of a value in cents or of a percentage of the contract's value, half up, as it is now.
     * Fails: `fields` (`unknown` broker or contract, `only-one`, `commission.worthless`: less than a cent).
     * Source: 03-real-estate.md, Commissions; decisions.md §10, Figures.
     */
    create: createCommission(ports),
    /**
     * Replaces what is told of a commission that is not paid; its value is worked out anew from the percentage sent.
     * Fails: `commission.unknown`, `commission.closed` (paid already), and as making one does.
     * Source: decisions.md §6 and §10, Edges.
     */
    replace: replaceCommission(ports),
    /**
     * Moves a commission from pending to approved, and on to paid; notes that are told replace those that it has.
     * Fails: `fields`, `commission.unknown`, `commission.move.refused`.
     * Source: 03-real-estate.md, States and transitions.
     */
    move: moveCommission(ports),
    /**
     * Removes a commission that was not paid.
     * Fails: `commission.unknown`, `commission.paid`.
     * Source: 03-real-estate.md, Commissions.
     */
    remove: removeCommission(ports),
  }),
} satisfies RealEstateModule

import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { drawStatement, readStatement } from './read-statement.ts'

/** Those whose properties the agency lets, and what it owes them. */
export const owners = {
  useCases: (ports: RealEstatePorts) => ({
    /**
     * What came in and went out for an owner (a client, or a user with the role Owner) in a month, by the São Paulo month in
     * which it was paid; to an owner their own. Values are cents.
     * Fails: `fields`, `owner.unknown`.
     * Source: decisions.md §6, Owner and Tenant.
     */
    readStatement: readStatement(ports),
    /**
     * The same statement as a PDF.
     * Fails: `fields`, `owner.unknown`.
     * Source: decisions.md §6, Owner and Tenant.
     */
    drawStatement: drawStatement(ports),
  }),
} satisfies RealEstateModule

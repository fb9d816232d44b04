import type { PaymentsModule, PaymentsPorts } from '../../payments-ports.ts'
import { listOrganizations } from './list-organizations.ts'
import { removeOrganization } from './remove-organization.ts'
import { updateOrganization } from './update-organization.ts'

/** Accounts, as the people who belong to them see them. */
export const organizations = {
  useCases: (ports: PaymentsPorts) => ({
    /**
     * The organizations that a caller belongs to, the newest membership first: a page, or with null all of them.
     * Fails: `fields`.
     * Source: 01-access.md, GET /v1/organizations.
     */
    list: listOrganizations(ports),
    /**
     * Changes name, e-mail, document or status of an organization; any status may follow any other.
     * Fails: `fields` (`document.taken`), `organization.unknown`.
     * Source: 01-access.md, PUT /v1/organizations/{id}; decisions.md §1, Organization status.
     */
    update: updateOrganization(ports),
    /**
     * Removes an organization for good; nothing of it is erased. Its document stays taken if it has a ledger entry; else
     * another founder takes it over, and its own people after 30 days.
     * Fails: `organization.unknown`.
     * Source: 01-access.md, DELETE /v1/organizations/{id}; decisions.md §1.
     */
    remove: removeOrganization(ports),
  }),
} satisfies PaymentsModule

import type { PaymentsModule } from '../../payments-module.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { listOrganizations } from './list-organizations.ts'
import { removeOrganization } from './remove-organization.ts'
import { updateOrganization } from './update-organization.ts'

/** Accounts, as the people who belong to them see them. */
export const organizations = {
  useCases: (ports: PaymentsPorts) => ({
    /** The organizations that a caller belongs to. */
    list: listOrganizations(ports),
    /** Changes name, e-mail, document or status of an organization. */
    update: updateOrganization(ports),
    /** Removes an organization. */
    remove: removeOrganization(ports),
  }),
} satisfies PaymentsModule

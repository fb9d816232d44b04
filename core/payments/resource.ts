import { resourcesOf } from '../kernel/resources/resources-of.ts'

/** Makes the plain resources of an account. */
export const resource = resourcesOf({ name: 'payments', tenant: 'accountId', ids: 'integer', coded: true })

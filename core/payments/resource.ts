import { resourcesOf } from '../kernel/resources/resources-of.ts'

const business = { name: 'payments', tenant: 'accountId', ids: 'integer' } as const

/** Creates a plain resource of an account. */
export const resource = resourcesOf({ ...business, coded: true })

/** Creates a plain resource without a code, which is found by its id only. */
export const uncodedResource = resourcesOf({ ...business, coded: false })

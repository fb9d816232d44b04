import { resourcesOf } from '../kernel/resources/resources-of.ts'

const business = { name: 'payments', tenant: 'accountId', ids: 'integer' } as const

/** Makes the plain resources of an account. */
export const resource = resourcesOf({ ...business, coded: true })

/** Makes those that nobody names but by their id. */
export const uncodedResource = resourcesOf({ ...business, coded: false })

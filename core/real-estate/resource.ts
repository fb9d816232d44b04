import { resourcesOf } from '../kernel/resources/resources-of.ts'

/** Makes the resources of an agency: records of a company, with GUIDs. */
export const resource = resourcesOf({ name: 'estate', tenant: 'companyId', ids: 'text', coded: false })

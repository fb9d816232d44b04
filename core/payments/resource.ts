import { id, timestamp } from '../kernel/input/scalars.ts'
import { resourcesOf } from '../kernel/resources/resource.ts'

const shown = {
  id: id({ about: 'Identificador' }),
  createdAt: timestamp({ about: 'Criação' }),
  updatedAt: timestamp({ about: 'Última alteração' }),
}
const business = { name: 'payments', tenant: 'accountId', ids: 'integer', shown } as const

/** Creates a plain resource of an account. */
export const resource = resourcesOf({ ...business, coded: true })

/** Creates a plain resource without a code, which is found by its id only. */
export const uncodedResource = resourcesOf({ ...business, coded: false })

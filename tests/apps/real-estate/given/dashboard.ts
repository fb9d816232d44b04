import type { Fixture } from './basics.ts'
import { aDeal } from './commissions.ts'
import { paidOf } from './owners.ts'

/** One that has let a property, and was paid a rent. */
const agency: Fixture = async (api) => {
  const admin = await api.agency()
  const { contractId } = await aDeal(api, admin)
  await paidOf(api, admin, { contractId })
  return { token: admin.token }
}

export const dashboard: Readonly<Record<string, Fixture>> = { agency }

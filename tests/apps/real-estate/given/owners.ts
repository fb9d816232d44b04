import { storedIn } from '../stored.ts'
import { type EstateTestApi, type Person, worked } from '../test-api.ts'
import type { Fixture } from './basics.ts'
import { aPayment } from './rents.ts'

/** A payment that was paid, of a value and at a moment. */
export const paidOf = async (
  api: EstateTestApi,
  admin: Person,
  over: Readonly<Record<string, unknown>>,
  paidAt = '2026-11-10T12:00:00Z',
) => {
  const { id, value } = await aPayment(api, admin, over)
  const body = { method: 'Pix', paidAt, paidValue: value }
  return worked(await api.ask('PATCH', `/api/payments/${id}/pay`, { token: admin.token, body }))
}

/** An owner of a property that is let for 8.5% and managed. */
export const anOwner = async (api: EstateTestApi, admin: Person, email = 'dona@example.com') => {
  const { clientOf, propertyOf, contractOf } = storedIn(api, admin)
  const owner = await clientOf({ name: 'Dona Alice', email })
  const house = await propertyOf({ ownerId: owner.id })
  const of = { propertyId: house.id, propertyCode: house.code }
  const lease = await contractOf({ ...of, administrationPercentage: 8.5 })
  const management = await contractOf({ ...of, type: 'Management', clientId: owner.id })
  return { owner, house, lease, management }
}

const owner: Fixture = async (api) => {
  const admin = await api.agency()
  const { owner: of, lease } = await anOwner(api, admin)
  await paidOf(api, admin, { contractId: lease.id })
  return { token: admin.token, params: { id: of.id }, query: { period: '2026-11' } }
}

export const owners: Readonly<Record<string, Fixture>> = { owner }

import { type EstateTestApi, type Person, worked } from '../test-api.ts'
import { type Fixture, post } from './basics.ts'
import { someParties } from './contracts.ts'

const OFFER = {
  type: 'Lease',
  proposedValue: 2400,
  paymentConditions: 'Fiador; vencimento no dia 10.',
  validUntil: '2030-12-15T23:59:59Z',
  notes: 'O cliente aceita mudar-se em janeiro.',
}

/** A proposal that an admin makes. */
export const aProposal = async (api: EstateTestApi, admin: Person, over: Readonly<Record<string, unknown>> = {}) => {
  const { body } = await someParties(api, admin)
  const made = await post(api, admin, '/api/proposals', { ...OFFER, ...body, ...over })
  return { made, body }
}

const proposal: Fixture = async (api) => {
  const admin = await api.agency()
  const { made, body } = await aProposal(api, admin)
  return { token: admin.token, params: { id: made.id }, body }
}

/** One that was approved. */
const approved: Fixture = async (api) => {
  const { token, params, body } = await proposal(api)
  for (const status of ['Negotiating', 'Approved'])
    worked(await api.ask('PATCH', `/api/proposals/${params?.id}/status`, { ...(token && { token }), body: { status } }))
  return { ...(token && { token }), ...(params && { params }), ...(body && { body }) }
}

export const proposals: Readonly<Record<string, Fixture>> = { proposal, approved }

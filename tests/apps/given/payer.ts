import { anyDocument, type Fixture, issued, made, organization } from './basics.ts'

/** A charge, named as a call that tells of several names it. */
const chargeToNotify: Fixture = async (api) => {
  const { token, params } = await issued(api)
  return { token, params, body: { ids: [Number(params.id)] } }
}

/** A plan, and somebody who is to pay by it. */
const planToCharge: Fixture = async (api) => {
  const { token } = await organization(api)
  const plan = { description: 'Em três vezes', interval: 1, interval_type: 'months', installments_count: 3 }
  const { data } = made(await api.ask('POST', '/payment-plans', { token, body: plan }))
  return { token, body: { payment_plan_id: data.id, document: anyDocument() } }
}

/** Somebody who owes, by their document. */
const debtor: Fixture = async (api) => {
  const document = anyDocument()
  await issued(api, { document })
  return { query: { client: document } }
}

export const payerFixtures: Readonly<Record<string, Fixture>> = { chargeToNotify, planToCharge, debtor }

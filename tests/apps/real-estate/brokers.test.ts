// Also runs on MongoDB, in test:long.
import test from 'ava'
import { openAgency } from './given/basics.ts'
import { outcomeOf, worked } from './test-api.ts'

const BRUNO = { name: 'Bruno Lima', creci: ' creci-sp 123 ', email: 'Bruno@Example.com', status: 'Active' }

test('brokers are shown with their figures, also after a change', async (t) => {
  const { ask, brokerOf, contractOf, proposalOf } = await openAgency(t)
  const { id } = await brokerOf()
  const sale = await contractOf({ brokerId: id, type: 'Sale' })
  for (let leases = 0; leases < 2; leases += 1) await contractOf({ brokerId: id })
  for (const isConverted of [true, true, false]) await proposalOf(sale, id, { isConverted })
  const figures = { totalSales: 1, totalLeases: 2, conversionRate: 0.6667 }
  t.like(worked(await ask('GET', '/api/brokers')).data[0], { id, ...figures })
  t.like(worked(await ask('PUT', `/api/brokers/${id}`, BRUNO)), { name: BRUNO.name, ...figures })
})

test('a broker with an active contract or an open proposal is not removed', async (t) => {
  const { api, ask, brokerOf } = await openAgency(t)
  for (const over of [{ activeContracts: 1 }, { openProposals: 1 }]) {
    const { id } = await brokerOf(over)
    const before = await api.everything()
    const refused = await ask('DELETE', `/api/brokers/${id}`)
    t.is(outcomeOf(refused), '400 broker.in-use')
    t.deepEqual(await api.everything(), before)
  }
})

test('a Broker whose record is inactive or removed has no access from the next request on, an Admin keeps it', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const bruno = await api.colleague(admin, 'Broker', 'bruno@example.com')
  const unlinked = await api.colleague(admin, 'Broker')
  const elsewhere = await api.sign({ sub: bruno.uid, email: 'outro@example.com', email_verified: true })
  const outcomes = async () => {
    const replies = [
      await api.ask('GET', '/api/clients', { token: bruno.token }),
      await api.ask('POST', '/api/auth/refresh', { token: bruno.token }),
      await api.ask('POST', '/api/auth/login', { token: elsewhere, body: {} }),
    ]
    return [...new Set(replies.map((each) => (each.status === 200 ? '200' : outcomeOf(each))))]
  }
  const { id } = worked(await ask('POST', '/api/brokers', BRUNO))
  t.is((await api.ask('GET', '/api/clients', { token: bruno.token })).status, 200)
  worked(await ask('PUT', `/api/brokers/${id}`, { ...BRUNO, status: 'Inactive' }))
  t.deepEqual(await outcomes(), ['403 broker.barred'])
  worked(await ask('PUT', `/api/brokers/${id}`, BRUNO))
  t.is((await api.ask('GET', '/api/clients', { token: bruno.token })).status, 200)
  t.is((await ask('DELETE', `/api/brokers/${id}`)).status, 204)
  t.deepEqual(await outcomes(), ['403 broker.barred'])
  worked(await ask('POST', '/api/brokers', BRUNO))
  t.is((await api.ask('GET', '/api/clients', { token: bruno.token })).status, 200, 'a new record')
  worked(await ask('POST', '/api/brokers', { ...BRUNO, creci: '7', email: admin.email, status: 'Inactive' }))
  for (const { token } of [admin, unlinked]) t.is((await api.ask('GET', '/api/clients', { token })).status, 200)
})

test('a Broker stays barred if the e-mail of the inactive record changes, until a record with the e-mail is active', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const { token } = await api.colleague(admin, 'Broker', 'bruno@example.com')
  const outcome = async () => {
    const reply = await api.ask('GET', '/api/clients', { token })
    return reply.status === 200 ? '200' : outcomeOf(reply)
  }
  const { id } = worked(await ask('POST', '/api/brokers', BRUNO))
  const replace = async (over: object) => void worked(await ask('PUT', `/api/brokers/${id}`, { ...BRUNO, ...over }))
  await replace({ status: 'Inactive' })
  for (const email of ['outro@example.com', 'terceiro@example.com']) {
    await replace({ status: 'Inactive', email })
    t.is(await outcome(), '403 broker.barred')
  }
  await replace({ status: 'Active', email: 'terceiro@example.com' })
  t.is(await outcome(), '403 broker.barred', 'the record may be of another person')
  await replace({ status: 'Active' })
  t.is(await outcome(), '200')
  await replace({ status: 'Inactive', email: 'terceiro@example.com' })
  t.is(await outcome(), '403 broker.barred')
  worked(await ask('POST', '/api/brokers', { ...BRUNO, creci: '7' }))
  t.is(await outcome(), '200', 'a new record with the e-mail')
})

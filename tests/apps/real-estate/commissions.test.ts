// Also runs on MongoDB, in test:long.

import test from 'ava'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { events } from '../../../core/real-estate/office.ts'
import { contracts } from '../../../core/real-estate/records/contract.ts'
import { storedIn } from '../../core/real-estate/records.ts'
import { openAgency } from './given/basics.ts'
import { aCommission, aDeal } from './given/given.ts'
import { NOW, outcomeOf, worked, wrongIn } from './test-api.ts'

test('the value is calculated at creation and stays, until a PUT sends the percentage again', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const { id, brokerId, contractId } = await aCommission(api, admin, { percentage: 10 })
  await api.host.store.commit([patch(contracts, contractId, { set: { valueCents: 300_000 }, when: always })])
  const path = `/api/commissions/${id}`
  const shown = worked(await ask('GET', path))
  t.like(shown, { value: 250, contract: { value: 3000 } })
  const body = { brokerId, contractId, percentage: 10 }
  t.is(worked(await ask('PUT', path, body)).value, 300)
  t.like(worked(await ask('PUT', path, { brokerId, contractId, value: 10.01 })), { value: 10.01, percentage: null })
})

test('exactly one of value and percentage is required, and it is worth at least a cent', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const deal = await aDeal(api, admin)
  const before = await api.everything()
  const wrong = async (over: object) => {
    const answer = await ask('POST', '/api/commissions', { ...deal, ...over })
    return [answer.status, wrongIn(answer)]
  }
  t.deepEqual(await wrong({}), [400, { value: ['required'] }])
  t.deepEqual(await wrong({ value: 1, percentage: 1 }), [400, { percentage: ['only-one'] }])
  t.deepEqual(await wrong({ percentage: 0.0001 }), [400, { percentage: ['commission.worthless'] }])
  t.deepEqual(await api.everything(), before)
})

test('each change of status notifies once with its time, even with five simultaneous requests', async (t) => {
  const { api, admin } = await openAgency(t)
  const { token } = await api.colleague(admin, 'Financial')
  const { id, brokerId } = await aCommission(api, admin)
  const path = `/api/commissions/${id}/status`
  // Without notes in the request they stay.
  const notes = 'conferida'
  for (const [status, type, at, change] of [
    ['Approved', 'commission.approved', 'approvedAt', { notes }],
    ['Paid', 'commission.paid', 'paidAt', {}],
  ] as const) {
    const body = { status, ...change }
    const answers = await Promise.all(Array.from({ length: 5 }, () => api.ask('PATCH', path, { token, body })))
    t.deepEqual(answers.map((each) => each.status).sort(), [200, 422, 422, 422, 422])
    const done = answers.find((each) => each.status === 200)?.body
    t.like(done, { status, notes })
    // A request that found the record locked waited, and the clock advanced.
    t.true(NOW <= done[at] && done[at] <= api.clock.now(), done[at])
    const sent = (await api.every(events)).filter((each) => each.type === type)
    t.deepEqual(
      sent.map(({ subjectId, data }) => [subjectId, JSON.parse(data)]),
      [[id, { brokerId, valueCents: 21_250 }]],
    )
  }
})

test('a paid commission is neither replaced nor removed', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const { contractOf, brokerOf, commissionOf } = storedIn(api, admin)
  const { id: brokerId } = await brokerOf()
  const { id, contractId } = await commissionOf(await contractOf(), brokerId, { status: 'Paid', valueCents: 100 })
  const before = await api.everything()
  const put = (more: object) => ask('PUT', `/api/commissions/${id}`, { brokerId, contractId, ...more })
  t.is(outcomeOf(await put({ value: 2 })), '422 commission.closed')
  t.is((await put({})).status, 400)
  t.is(outcomeOf(await ask('DELETE', `/api/commissions/${id}`)), '400 commission.paid')
  t.deepEqual(await api.everything(), before)
})

test('a broker with a verified e-mail reads their own commissions; other brokers read none', async (t) => {
  const { api, admin, brokerOf, contractOf } = await openAgency(t)
  const bruno = await api.colleague(admin, 'Broker', 'bruno@example.com')
  const { id: brokerId } = await brokerOf({ email: 'bruno@example.com' })
  const { id: contractId } = await contractOf()
  const own = await aCommission(api, admin, { brokerId, contractId })
  const others = await aCommission(api, admin)
  const list = async (query = '') => worked(await api.ask('GET', `/api/commissions${query}`, { token: bruno.token }))
  for (const query of ['', `?brokerId=${brokerId}`]) t.like(await list(query), { total: 1, data: [own] })
  t.like(await list(`?brokerId=${others.brokerId}`), { total: 0, data: [] })
  t.deepEqual(worked(await api.ask('GET', `/api/commissions/${own.id}`, { token: bruno.token })), own)
  t.is((await api.ask('GET', `/api/commissions/${others.id}`, { token: bruno.token })).status, 404)
  const unverified = await api.sign({ sub: bruno.uid, email: bruno.email, email_verified: false })
  t.is(worked(await api.ask('GET', '/api/commissions', { token: unverified })).total, 0)
  t.is((await api.ask('GET', `/api/commissions/${own.id}`, { token: unverified })).status, 404)
})

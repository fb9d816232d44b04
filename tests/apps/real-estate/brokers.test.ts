// Also runs on MongoDB, in test:long.
import test from 'ava'
import { contracts } from '../../../core/real-estate/records/contract.ts'
import { aBroker, openAgency } from './given/basics.ts'
import { outcomeOf, type Person, worked } from './test-api.ts'

const BRUNO = { name: 'Bruno Lima', creci: ' creci-sp 123 ', email: 'Bruno@Example.com', status: 'Active' }

test('CRECI and e-mail are unique among the brokers of a company, regardless of case', async (t) => {
  const { api, admin } = await openAgency(t)
  const other = await api.agency()
  const ask = (by: Person, body: object) =>
    api.ask('POST', '/api/brokers', { token: by.token, body: { ...BRUNO, ...body } })
  worked(await ask(admin, {}))
  t.is(outcomeOf(await ask(admin, { creci: 'Creci-SP 123', email: 'x@example.com' })), '409 broker.creci.taken')
  t.is(outcomeOf(await ask(admin, { creci: '9', email: 'BRUNO@example.com' })), '409 broker.email.taken')
  t.is((await ask(other, {})).status, 201)
  const second = await aBroker(api, admin)
  const put = await api.ask('PUT', `/api/brokers/${second.id}`, { token: admin.token, body: BRUNO })
  t.is(put.status, 409)
  t.is(put.body.errors.length, 2)
})

test('the figures of brokers count contracts that are not cancelled and the share of converted proposals', async (t) => {
  const { ask, brokerOf, contractOf, proposalOf, softDelete } = await openAgency(t)
  const [bruno, carla] = [await brokerOf(), await brokerOf()]
  for (const [type, status] of [
    ['Sale', 'Active'],
    ['Lease', 'Terminated'],
    ['Lease', 'Active'],
    ['Lease', 'Cancelled'],
    ['Management', 'Active'],
  ] as const)
    await contractOf({ brokerId: bruno.id, type, status })
  const gone = await contractOf({ brokerId: bruno.id, type: 'Sale' })
  await softDelete(contracts, gone)
  for (const isConverted of [true, true, false]) await proposalOf(gone, bruno.id, { isConverted })
  const { data } = worked(await ask('GET', '/api/brokers'))
  t.deepEqual(
    data.map(({ id, totalSales, totalLeases, conversionRate }: (typeof data)[number]) => ({
      id,
      totalSales,
      totalLeases,
      conversionRate,
    })),
    [
      { id: bruno.id, totalSales: 1, totalLeases: 2, conversionRate: 0.6667 },
      { id: carla.id, totalSales: 0, totalLeases: 0, conversionRate: 0 },
    ].sort((a, b) => (a.id < b.id ? 1 : -1)),
  )
  const body = { ...BRUNO, name: 'Bruno Reis' }
  const put = await ask('PUT', `/api/brokers/${bruno.id}`, body)
  t.like(put.body, { name: 'Bruno Reis', totalSales: 1, totalLeases: 2, conversionRate: 0.6667 })
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

// Also runs on MongoDB.
import test from 'ava'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { contracts } from '../../../core/real-estate/records/contract.ts'
import { payments } from '../../../core/real-estate/records/payment.ts'
import { brokers } from '../../../core/real-estate/records/people.ts'
import { openAgency } from './given/basics.ts'
import { aContract, LEASE, someParties } from './given/given.ts'
import { storedIn } from './stored.ts'
import { openEstateApi, worked } from './test-api.ts'

test('simultaneous changes of broker and an end leave correct counts', async (t) => {
  const { api, admin, ask, brokerOf } = await openAgency(t)
  const { body } = await someParties(api, admin)
  const lease = { ...LEASE, ...body }
  const { id } = worked(await ask('POST', '/api/contracts', lease))
  const others = [await brokerOf(), await brokerOf(), await brokerOf()]
  const counted = async () =>
    Object.fromEntries((await api.every(brokers)).map((each) => [each.id, each.activeContracts]))
  const handed = (brokerId: string) => ask('PUT', `/api/contracts/${id}`, { ...lease, brokerId })
  await Promise.all(others.map((each) => handed(each.id)))
  const [record] = await api.every(contracts)
  const all = [body.brokerId, ...others.map((each) => each.id)]
  t.deepEqual(await counted(), Object.fromEntries(all.map((each) => [each, each === record?.brokerId ? 1 : 0])))
  const end = () => ask('PATCH', `/api/contracts/${id}/status`, { status: 'Terminated' })
  const [ended] = await Promise.all([end(), ...all.map(handed), ...all.map(handed)])
  // A request that lost too often gets 503.
  if (ended.status === 503) worked(await end())
  t.deepEqual(await counted(), Object.fromEntries(all.map((each) => [each, 0])))
})

test('a contract that ends during a rent run or a payment by hand leaves no later payment', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  for (let round = 0; round < 6; round += 1) {
    const { id } = await aContract(api, admin)
    const expense = { contractId: id, type: 'Expense', period: '2027-02', value: 10, dueDate: '2027-02-10' }
    const [end, ...others] = await Promise.all([
      ask('PATCH', `/api/contracts/${id}/status`, { status: 'Terminated' }),
      ask('POST', '/api/contracts/run-rent', { period: '2027-01' }),
    ])
    t.is(end.status, 200, end.text)
    for (const other of others) t.is(other.status, 200, other.text)
    const owed = (await api.every(payments)).filter((each) => each.contractId === id && each.status === 'Pending')
    t.deepEqual(owed, [], `round ${round}`)
    // A later POST is refused, because the contract has ended.
    t.is((await ask('POST', '/api/payments', expense)).status, 201)
  }
})

test('a payment whose due date moves before today while its contract ends stays due', async (t) => {
  const moved: string[] = []
  const api = await openEstateApi(t, {
    instead: ({ store }) => ({
      store: {
        ...store,
        // Its due date changes between the read and the commit of the end.
        async commit(changes, hooks) {
          const id = changes.some(({ at }) => at[0] === payments.name) ? moved.pop() : undefined
          if (id !== undefined)
            await store.commit([patch(payments, id, { set: { dueDate: '2026-11-10' }, when: always })])
          return store.commit(changes, hooks)
        },
      },
    }),
  })
  const admin = await api.agency()
  const { contractOf, paymentOf } = storedIn(api, admin)
  const lease = await contractOf()
  const { id } = await paymentOf(lease, { dueDate: '2026-12-10' })
  moved.push(id)
  const path = `/api/contracts/${lease.id}/status`
  worked(await api.ask('PATCH', path, { token: admin.token, body: { status: 'Terminated' } }))
  t.is((await api.every(payments)).find((each) => each.id === id)?.status, 'Pending')
})

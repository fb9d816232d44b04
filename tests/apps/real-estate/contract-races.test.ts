// Also runs on MongoDB.

import test from 'ava'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { payments } from '../../../core/real-estate/records/payment.ts'
import { storedIn } from '../../core/real-estate/records.ts'
import { openAgency } from './given/basics.ts'
import { aContract } from './given/given.ts'
import { openEstateApi, worked } from './test-api.ts'

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

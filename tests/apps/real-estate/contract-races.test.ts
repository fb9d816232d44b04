// Also runs on MongoDB.

import test from 'ava'
import { payments } from '../../../core/real-estate/records/payment.ts'
import { openAgency } from './given/basics.ts'
import { aContract } from './given/given.ts'

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

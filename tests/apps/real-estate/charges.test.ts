// Also runs on MongoDB, in test:long.

import test from 'ava'
import { chargedOrders } from '../../../adapters/charging/charged-orders.ts'
import { memoryLog } from '../../../adapters/telemetry/log.ts'
import type { Host } from '../../../apps/host/host.ts'
import { openCharging as openEmbedded } from '../../../apps/real-estate/app.ts'
import { isLeft } from '../../../core/failure.ts'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import type { ChargeOrder, Charging } from '../../../core/ports/charging.ts'
import { charges } from '../../../core/real-estate/charging/charge.ts'
import { columns } from '../../core/payments/world.ts'
import { storedIn } from '../../core/real-estate/records.ts'
import { aChargeable } from './given/given.ts'
import { anApiKey, openCharging, payInto } from './payments-of.ts'
import { outcomeOf, worked, wrongIn } from './test-api.ts'

const LATER = '2026-11-23T13:10:00.000Z'

for (const mode of ['timeout_lost', 'unavailable'] as const)
  test(`an issue that the bank answers with ${mode} is retried until one charge exists`, async (t) => {
    const { api, admin, bank, charge, show, work, issued } = await openCharging(t)
    const { id } = await aChargeable(api, admin)
    await bank.fail('create_boleto', mode)
    const first = await charge(id, 'Boleto')
    t.is(outcomeOf(first), '503 charging.unavailable')
    t.truthy(first.headers.get('retry-after'))
    api.clock.set(LATER)
    await work()
    await work()
    t.deepEqual(columns(await api.every(charges), 'state', 'dueAt'), [['open', null]])
    const again = worked(await charge(id, 'Boleto'))
    t.is((await show(id)).boletoUrl, again.boletoUrl)
    t.is((await issued()).filter(({ status }) => status === 'pending').length, 1)
  })

test('a charge that the bank refuses is 422 and leaves the payment unchanged', async (t) => {
  const { api, admin, bank, charge, show, work } = await openCharging(t)
  const { id } = await aChargeable(api, admin)
  const before = await show(id)
  await bank.fail('create_pix', 'refuse')
  const refused = await charge(id)
  t.is(outcomeOf(refused), '422 charge.refused')
  t.false(refused.body.detail.includes('{'))
  await work()
  t.deepEqual(await show(id), before)
  t.is(worked(await charge(id)).status, 'Open')
})

/** Returns the charging port of a process that crashes after the issue, before it returns, as long as `dies` is set. */
const dying = (host: Host): Charging & { dies: boolean } => {
  const embedded = openEmbedded(host, memoryLog()).then(({ charging }) => charging)
  return {
    dies: false,
    account: async (apiKey) => (await embedded).account(apiKey),
    find: async (key) => (await embedded).find(key),
    cancel: async (key) => (await embedded).cancel(key),
    async issue(order: ChargeOrder) {
      const answer = await (await embedded).issue(order)
      if (this.dies) throw new Error('died')
      return answer
    },
  }
}

test('a charge whose process crashed after the issue is completed, and a payment in between is recorded', async (t) => {
  let charging: ReturnType<typeof dying> | undefined
  const opened = await openCharging(t, {
    instead: (host) => {
      charging = dying(host)
      return { charging }
    },
  })
  const { api, admin, bank, charge, show, work, issued } = opened
  const { id } = await aChargeable(api, admin)
  const other = await aChargeable(api, admin)
  if (charging) charging.dies = true
  t.is((await charge(id)).status, 500)
  t.is((await charge(other.id)).status, 500)
  if (charging) charging.dies = false
  const [own] = await issued()
  await bank.payTitle(own?.txid ?? '')
  await work()
  t.like(await show(id), { status: 'Paid', method: 'Pix', paidValue: 2450 })
  api.clock.set(LATER)
  await work()
  t.deepEqual((await api.every(charges)).map(({ state }) => state).sort(), ['open', 'paid'])
  t.is(worked(await charge(other.id)).status, 'Open')
  t.is((await issued()).length, 2)
})

test('a payment of a charge whose id was not stored is matched by its title', async (t) => {
  const { api, admin, bank, charge, show, work, issued } = await openCharging(t)
  const { id } = await aChargeable(api, admin)
  worked(await charge(id, 'Boleto'))
  const [order] = await api.every(chargedOrders)
  const forgotten = { kind: 'patch', at: [chargedOrders.name, order?.id ?? ''], set: { chargeId: null } } as const
  await api.host.store.commit([{ ...forgotten, when: always }])
  const [own] = await issued()
  await bank.payTitle(own?.txid ?? '', { method: 'boleto' })
  await work()
  t.like(await show(id), { status: 'Paid', method: 'Boleto', paidValue: 2450 })
})

type Opened = Awaited<ReturnType<typeof openCharging>>

/** Operations that end a payment without its charge, and its status afterwards. */
const ENDINGS = {
  'paying by hand': [(opened: Opened, { id }: { id: string }) => opened.payByHand(id), 'Paid'],
  'deleting it': [({ ask }: Opened, { id }: { id: string }) => ask('DELETE', `/api/payments/${id}`), null],
  'terminating its contract': [
    ({ ask }: Opened, { contractId }: { contractId: string }) =>
      ask('PATCH', `/api/contracts/${contractId}/status`, { status: 'Terminated', reason: null }),
    'Cancelled',
  ],
} as const

for (const [name, [end, status]] of Object.entries(ENDINGS))
  test(`${name} cancels the open charge first, and changes nothing if the bank refuses`, async (t) => {
    const opened = await openCharging(t)
    const { api, admin, bank, charge, show, work, issued, ask } = opened
    const payment = await aChargeable(api, admin)
    const asked = worked(await charge(payment.id))
    const before = await show(payment.id)
    await bank.fail('cancel_title', 'refuse')
    const refused = await end(opened, payment)
    t.is(outcomeOf(refused), '422 charge.uncancelled')
    t.deepEqual(await show(payment.id), before)
    t.is(worked(await ask('GET', `/api/contracts/${payment.contractId}`)).status, 'Active')
    t.is(worked(await charge(payment.id)).id, asked.id)
    worked(await end(opened, payment))
    t.is((await issued())[0]?.status, 'DELETED')
    t.deepEqual(columns(await api.every(charges), 'state', 'dueAt'), [['cancelled', null]])
    if (status) t.is((await show(payment.id)).status, status)
    await work()
    t.is((await charge(payment.id)).status, status ? 422 : 404)
  })

test('a cancellation without a reply of the bank is completed later; then the payment can be paid by hand', async (t) => {
  const { api, admin, bank, charge, show, work, payByHand } = await openCharging(t)
  const { id } = await aChargeable(api, admin)
  worked(await charge(id, 'Boleto'))
  await bank.fail('cancel_title', 'timeout_lost')
  t.is((await payByHand(id)).status, 503)
  api.clock.set(LATER)
  await work()
  await work()
  t.like(await show(id), { status: 'Pending', boletoUrl: null })
  t.like(worked(await payByHand(id)), { status: 'Paid', method: 'Cash' })
})

test('a charge that was paid before its cancellation pays the payment', async (t) => {
  const { api, admin, bank, charge, show, work, payByHand, issued } = await openCharging(t)
  const { id } = await aChargeable(api, admin)
  worked(await charge(id))
  await bank.payTitle((await issued())[0]?.txid ?? '')
  const refused = await payByHand(id)
  t.is(outcomeOf(refused), '422 charge.uncancelled')
  await work()
  t.like(await show(id), { status: 'Paid', method: 'Pix', paidValue: 2450 })
})

test('a payment with an open charge is not replaced; after its expiry it is, and can be charged again', async (t) => {
  const { api, admin, charge, ask, issued } = await openCharging(t)
  const { id, contractId } = await aChargeable(api, admin, { finePercentage: 10 })
  const body = { contractId, type: 'Rent', period: '2026-12', value: 2600, dueDate: '2026-12-10' }
  const first = worked(await charge(id))
  const refused = await ask('PUT', `/api/payments/${id}`, body)
  t.is(outcomeOf(refused), '422 payment.charged')
  // The Pix expired with its due day.
  api.clock.set('2026-12-11T12:00:00.000Z')
  worked(await ask('PUT', `/api/payments/${id}`, body))
  const second = worked(await charge(id))
  t.not(second.id, first.id)
  t.like(second, { value: 2860, dueDate: '2026-12-11', discount: 0 })
  t.is((await issued()).length, 2)
})

/** Marks the account of the charges as removed, as 0.21.0 removed one with open charges. */
const removeAccount = async ({ api, issued }: Opened) => {
  const [{ accountId = 0 } = {}] = await issued()
  await api.host.store.commit([patch(accounts, accountId, { set: { removedAt: api.clock.now() }, when: always })])
}

test('an open charge of a removed account is closed when it is requested, and no other is issued there', async (t) => {
  const opened = await openCharging(t)
  const { api, admin, bank, charge, payByHand, issued, show, work } = opened
  const [first, second, third] = [
    await aChargeable(api, admin),
    await aChargeable(api, admin),
    await aChargeable(api, admin),
  ]
  for (const { id } of [first, second, third]) worked(await charge(id))
  await removeAccount(opened)
  for (const _time of ['first', 'again']) {
    const refused = await charge(first.id)
    t.deepEqual([refused.status, refused.body.code], [422, 'charge.refused'])
  }
  t.is((await issued())[0]?.status, 'DELETED')
  worked(await payByHand(second.id))
  t.is((await issued())[1]?.status, 'DELETED')

  // A payment that is faster than the cancellation pays the rent.
  await bank.payTitle((await issued())[2]?.txid ?? '')
  await work()
  t.like(await show(third.id), { status: 'Paid', method: 'Pix', paidValue: 2450 })

  await payInto(api, admin, await anApiKey(bank.pay, { name: 'Outra conta' }))
  t.is(worked(await charge(first.id)).status, 'Open')
  t.is((await issued()).length, 4)
})

test('a charge that was changed in the payments app is returned as changed', async (t) => {
  const { api, admin, bank, charge, issued } = await openCharging(t)
  const { id } = await aChargeable(api, admin)
  worked(await charge(id))
  const [first] = await issued()
  const { accountId = 0, dueDate = '', id: chargeId = 0 } = first ?? {}
  const change = { valueCents: 100_000, dueDate, paymentMethod: 'PIX' } as const
  t.false(isLeft(await bank.pay.charges.update({ accountId }, chargeId, change)()))
  t.like(worked(await charge(id)), { value: 1000, dueDate })
})

test('returns 422 with a reason for a payment that cannot be charged', async (t) => {
  const { api, admin, charge, payByHand } = await openCharging(t)
  const codeOf = async (id: string) => {
    const { status, body } = await charge(id)
    return [status, body.code]
  }
  const { contractOf, paymentOf } = storedIn(api, admin)
  t.deepEqual(await codeOf((await paymentOf(await contractOf())).id), [422, 'payment.no-tax-id'])
  const free = await aChargeable(api, admin, { discountValueCents: 300_000 })
  t.deepEqual(await codeOf(free.id), [422, 'payment.nothing-due'])
  const paid = await aChargeable(api, admin)
  worked(await payByHand(paid.id))
  t.deepEqual(await codeOf(paid.id), [422, 'payment.closed'])
  const another = await api.agency()
  const foreign = await aChargeable(api, another)
  t.deepEqual(await codeOf(foreign.id), [404, 'payment.unknown'])
  const none = await api.ask('POST', `/api/payments/${foreign.id}/charge`, {
    token: another.token,
    body: { method: 'Pix' },
  })
  t.deepEqual([none.status, none.body.code], [422, 'payment.no-account'])
})

test('a payment account is shown by name; its API key is sealed and never returned', async (t) => {
  const { api, admin, bank, apiKey, ask, charge, payByHand, issued } = await openCharging(t)
  const path = '/api/company/payment-account'
  t.deepEqual(worked(await ask('GET', path)), { name: 'Padaria Central' })
  t.false(JSON.stringify(await api.everything()).includes(apiKey))
  t.deepEqual(wrongIn(await ask('PUT', path, { apiKey: 'x'.repeat(40) })), { apiKey: ['unknown'] })
  t.is((await api.ask('GET', path, { token: (await api.agency()).token })).status, 404)
  const { id } = await aChargeable(api, admin)
  worked(await charge(id))
  await payInto(api, admin, await anApiKey(bank.pay, { name: 'Outra conta' }))
  t.deepEqual(worked(await ask('GET', path)), { name: 'Outra conta' })
  // A charge of the former account is cancelled there.
  worked(await payByHand(id))
  t.is((await issued())[0]?.status, 'DELETED')
})

// Also runs on MongoDB, in test:long.
import test from 'ava'
import { chargedOrders } from '../../../../adapters/charging/charged-orders.ts'
import { memoryLog } from '../../../../adapters/telemetry/log.ts'
import type { Host } from '../../../../apps/host/host.ts'
import { openCharging as openEmbedded } from '../../../../apps/real-estate/app.ts'
import { always } from '../../../../core/kernel/records/where.ts'
import type { ChargeOrder, Charging } from '../../../../core/ports/charging.ts'
import { charges } from '../../../../core/real-estate/charging/charge.ts'
import { aChargeable } from '../given/rents.ts'
import { worked } from '../test-api.ts'
import { openCharging } from './open-charging.ts'

const LATER = '2026-11-23T13:10:00.000Z'

for (const mode of ['timeout', 'timeout_lost', 'unavailable'] as const)
  test(`a bank that answers an issue with ${mode} is asked on until there is one charge`, async (t) => {
    const { api, admin, bank, charge, show, work, issued } = await openCharging(t)
    const { id } = await aChargeable(api, admin)
    await bank.fail('create_boleto', mode)
    const first = await charge(id, 'Boleto')
    t.is(first.status, 503, first.text)
    t.is(first.body.code, 'charging.unavailable')
    t.truthy(first.headers.get('retry-after'))
    api.clock.set(LATER)
    await work()
    await work()
    t.deepEqual(
      (await api.every(charges)).map(({ state, dueAt }) => [state, dueAt]),
      [['open', null]],
    )
    const again = worked(await charge(id, 'Boleto'))
    t.is((await show(id)).boletoUrl, again.boletoUrl)
    t.is((await issued()).filter(({ status }) => status === 'pending').length, 1)
  })

test('a bank that refuses an issue is told of, and the payment is as it was', async (t) => {
  const { api, admin, bank, charge, show, work } = await openCharging(t)
  const { id } = await aChargeable(api, admin)
  const before = await show(id)
  await bank.fail('create_pix', 'refuse')
  const refused = await charge(id)
  t.is(refused.status, 422, refused.text)
  t.is(refused.body.code, 'charge.refused')
  t.false(refused.body.detail.includes('{'))
  await work()
  t.deepEqual(await show(id), before)
  t.is(worked(await charge(id)).status, 'Open')
})

/** Who issues charges, and dies before anybody hears of it, as long as it is told to. */
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

test('a charge whose issue nobody lived to hear of is carried on, and what pays it meanwhile is taken', async (t) => {
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
  await bank.paid(own?.txid ?? '')
  await work()
  t.like(await show(id), { status: 'Paid', method: 'Pix', paidValue: 2450 })
  api.clock.set(LATER)
  await work()
  t.deepEqual((await api.every(charges)).map(({ state }) => state).sort(), ['open', 'paid'])
  t.is(worked(await charge(other.id)).status, 'Open')
  t.is((await issued()).length, 2)
})

test('a payment of a charge whose number nobody lived to write down is known by its title', async (t) => {
  const { api, admin, bank, charge, show, work, issued } = await openCharging(t)
  const { id } = await aChargeable(api, admin)
  worked(await charge(id, 'Boleto'))
  const [order] = await api.every(chargedOrders)
  const forgotten = { kind: 'patch', at: [chargedOrders.name, order?.id ?? ''], set: { chargeId: null } } as const
  await api.host.store.commit([{ ...forgotten, when: always }])
  const [own] = await issued()
  await bank.paid(own?.txid ?? '', { method: 'boleto' })
  await work()
  t.like(await show(id), { status: 'Paid', method: 'Boleto', paidValue: 2450 })
})

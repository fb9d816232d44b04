import test, { type ExecutionContext } from 'ava'
import { fakeBank } from '../../../adapters/bank/fake/bank.ts'
import type { Host } from '../../../apps/host/host.ts'
import { idempotencyKeys } from '../../../core/office/idempotency-keys.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import { events } from '../../../core/payments/events.ts'
import { entries } from '../../../core/payments/ledger/ledger.ts'
import { jobs, mails } from '../../../core/payments/office.ts'
import type { PaymentsPorts } from '../../../core/payments/payments-ports.ts'
import { deliveries } from '../../../core/payments/webhooks/deliveries.ts'
import { MARIA, type Merchant, openTestApi, type TestApi, worked } from '../payments/test-api.ts'

const DAY = 86_400
const TODAY = '2026-11-23'
const HOOK = 'https://merchant.example/hook'
/** 07:00 in São Paulo, tomorrow and the day after. */
const SCHEDULES = ['2026-11-24T10:00:00.000Z', '2026-11-25T10:00:00.000Z']

const opened = async (t: ExecutionContext, instead: (host: Host) => Partial<PaymentsPorts> = () => ({})) => {
  const api = await openTestApi(t, { instead })
  const merchant = await api.merchant()
  const issue = async (by: Merchant, key: string) => {
    const body = { ...MARIA, due_date: TODAY, webhook: HOOK }
    return worked(await api.ask('POST', '/invoices', { token: by.token, body, headers: { 'idempotency-key': key } }))
      .data
  }
  const statusOf = async (by: Merchant, id: number) =>
    worked(await api.ask('GET', `/invoices/${id}`, { token: by.token })).data.status.title
  const typesOf = (id: number) =>
    api
      .told(HOOK)
      .flatMap(({ type, data }) => (data.id === id ? [type] : []))
      .sort()
  return { api, merchant, issue, statusOf, typesOf }
}

/** Two minutes go by, and the worker does what is due, sweeps among it. */
const twoMinutes = async (api: TestApi) => {
  for (let times = 0; times < 4; times += 1) {
    await api.drain()
    api.clock.advance(30)
  }
  await api.drain()
}

const dueOf = async (api: TestApi, name: string) => (await api.every(jobs)).find(({ id }) => id === name)?.dueAt

/** Returns parked records: none may wait for a time more than some minutes away. */
const parked = async (api: TestApi) => {
  const waiting = [
    ...(await api.every(events)),
    ...(await api.every(mails)),
    ...(await api.every(deliveries)),
    ...(await api.every(jobs)).filter(({ id }) => id === 'sweep' || id === 'expire-charges'),
  ]
  return waiting.flatMap(({ id, dueAt }) => (dueAt !== null && dueAt > '2026-11-23T13:15:00.000Z' ? [id] : []))
}

test('a clock that is a day ahead for some minutes makes nothing come early, late or twice', async (t) => {
  const { api, merchant, issue, statusOf, typesOf } = await opened(t)
  const [before, unpaid] = [await issue(merchant, 'before'), await issue(merchant, 'unpaid')]
  await api.drain()
  const daily = await dueOf(api, 'reconcile-bank')
  t.is(daily, SCHEDULES[0])

  api.clock.jump(DAY)
  // A token signed a day ago by this clock has expired.
  t.is((await api.ask('GET', '/invoices', { token: merchant.token })).status, 401)
  const then = await api.again(merchant)
  await twoMinutes(api)
  t.is((await issue(then, 'before')).id, before.id)
  const during = await issue(then, 'during')
  t.is((await issue(then, 'during')).id, during.id)
  t.is(await statusOf(then, unpaid.id), 'pending')
  t.is((await api.pay(before.pix.txid)).status, 200)
  await twoMinutes(api)
  t.deepEqual([typesOf(before.id), typesOf(during.id)], [['charge.created', 'charge.paid'], ['charge.created']])
  t.is(await statusOf(then, during.id), 'pending')

  api.clock.jump(-DAY)
  t.is((await issue(merchant, 'before')).id, before.id)
  t.is((await issue(merchant, 'during')).id, during.id)
  await twoMinutes(api)
  for (const { id, pix } of [unpaid, during]) {
    t.is(await statusOf(merchant, id), 'pending')
    t.is((await api.pay(pix.txid)).status, 200)
    await api.drain()
    t.is(await statusOf(merchant, id), 'paid')
    t.deepEqual(typesOf(id), ['charge.created', 'charge.paid'])
  }
  t.is((await api.every(charges)).length, 3)
  t.deepEqual([...new Set((await api.every(entries)).map(({ day }) => day))], [TODAY])
  for (const { datetime } of await api.every(entries)) t.true(datetime <= api.clock.now(), datetime)
  t.deepEqual([...new Set((await api.every(charges)).map(({ paymentDate }) => paymentDate))], [TODAY])
  t.deepEqual(await parked(api), [])
  t.is(await dueOf(api, 'reconcile-bank'), daily)

  // The daily schedules come on their day, once.
  api.clock.set(SCHEDULES[0] ?? '')
  await api.drain()
  t.is((await api.every(jobs)).find(({ id }) => id === 'reconcile-bank')?.lastRunAt, SCHEDULES[0])
  t.is(await dueOf(api, 'reconcile-bank'), SCHEDULES[1])
})

test('one that is still a day ahead after ten minutes is believed', async (t) => {
  const { api, merchant, issue, statusOf } = await opened(t)
  const first = await issue(merchant, 'k')
  await api.drain()
  api.clock.jump(DAY)
  await api.drain()
  api.clock.advance(599)
  await api.drain()
  const then = await api.again(merchant)
  t.is(await statusOf(then, first.id), 'pending')
  t.is((await issue(then, 'k')).id, first.id)
  api.clock.advance(1)
  await api.drain()
  t.is(await statusOf(then, first.id), 'expired')
  t.deepEqual(await api.every(idempotencyKeys), [], 'a key lives for a day')
  const past = await api.ask('POST', '/invoices', { token: then.token, body: { ...MARIA, due_date: TODAY } })
  t.is(past.status, 422)
  t.is(await dueOf(api, 'reconcile-bank'), SCHEDULES[1])
})

test('a charge that is issued while the clock jumps belongs to its key, and can be paid', async (t) => {
  for (const seconds of [DAY, -3_600]) {
    let atBank = (): void => {}
    const jumping = (host: Host): Partial<PaymentsPorts> => {
      const bank = fakeBank(host)
      const createTitle: typeof bank.createTitle = (order) => {
        atBank()
        return bank.createTitle(order)
      }
      return { bank: { ...bank, createTitle } }
    }
    const { api, merchant, issue, statusOf, typesOf } = await opened(t, jumping)
    atBank = () => api.clock.jump(seconds)
    const { id, pix } = await issue(merchant, 'k')
    atBank = () => {}
    await twoMinutes(api)
    api.clock.jump(-seconds)
    t.is((await issue(merchant, 'k')).id, id, `${seconds}`)
    t.is(await statusOf(merchant, id), 'pending')
    t.is((await api.pay(pix.txid)).status, 200)
    await twoMinutes(api)
    t.is(await statusOf(merchant, id), 'paid')
    t.deepEqual(typesOf(id), ['charge.created', 'charge.paid'])
    t.is((await api.every(charges)).length, 1)
    t.deepEqual([...new Set((await api.every(entries)).map(({ day }) => day))], [TODAY])
  }
})

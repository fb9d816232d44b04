import test from 'ava'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { isLeft } from '../../../../core/failure.ts'
import { always, insert } from '../../../../core/kernel/records/record.ts'
import { CHARGE_STATUSES, charges } from '../../../../core/payments/charges/charge.ts'
import { chargeView, dueOn, pixCodeOf, pixStatus } from '../../../../core/payments/charges/detail.ts'
import { expiryJob } from '../../../../core/payments/charges/end.ts'
import { recordChargeEvent } from '../../../../core/payments/charges/write.ts'
import { clients } from '../../../../core/payments/customers/client.ts'
import { events } from '../../../../core/payments/events.ts'
import { readPixCode } from '../../../../core/payments/pix/br-code.ts'
import { payloadOf } from '../../../../core/payments/webhooks/subscriber.ts'
import { groupOf, listOf } from '../../../../core/ports/store.ts'
import { onWire } from '../../kernel/input/reads.ts'
import { wholeRun } from '../../kernel/running/tasks.ts'
import { aCharge, aClient, aPix, detailOf, freshAt, inserted } from '../records.ts'
import { storeOf } from '../webhooks/webhook-fixtures.ts'
import { NOW, openPayments } from '../world.ts'

const OVER = '2026-12-01T03:00:00.000Z'

test('assigns rising event times within a commit, after a clock that went back, and from another process', async (t) => {
  const store = storeOf()
  await store.commit([insert(charges, aCharge())])
  const commits = [
    [NOW, 'charge.created', 'charge.paid'],
    ['2026-11-23T12:00:00.000Z', 'pix.received'],
  ] as const
  for (const [number, [now, ...types]] of commits.entries()) {
    const fresh = freshAt(now)
    // All seeds are equal: skips the ids that the first commit used.
    for (let drawn = 0; drawn < 2 * number; drawn += 1) fresh.uuid()
    const made = await store.commit(types.flatMap((type) => recordChargeEvent(fresh, type, detailOf())))
    t.true(made.ok)
  }
  const { records } = await store.list(listOf(events, { where: always, sort: { by: 'id', dir: 'asc' }, limit: 9 }))
  const times = Object.fromEntries(records.map((event) => [event.type, JSON.parse(payloadOf(event)).timestamp]))
  t.deepEqual(times, {
    'charge.created': NOW,
    'charge.paid': '2026-11-23T13:05:09.124Z',
    'pix.received': '2026-11-23T13:05:09.125Z',
  })
})

test('encodes a charge for webhooks, byte by byte', (t) => {
  const paid = aCharge({ status: 'paid', amountPaidCents: 15_051, paymentDate: '2026-11-24', description: 'Olá\n"x"' })
  const [recorded] = inserted(recordChargeEvent(freshAt(), 'charge.paid', { ...detailOf(), charge: paid }), events)
  const { pix } = JSON.parse(String(recorded?.data))
  const [before = '', after = ''] = String(recorded?.data).split(JSON.stringify(pix))
  t.is(
    before,
    '{"id":7,"code":"kVh2aQ0mZr8TgW5xYc3LdP","url":"https://pay.example.com/pay/charge/kVh2aQ0mZr8TgW5xYc3LdP",' +
      '"value":150.5,"amount_paid":150.51,"refunded_value":null,"payment_date":"2026-11-24",' +
      '"status":{"id":2,"title":"paid","description":"Pago"},"description":"Olá\\n\\"x\\"","payment_method":"PIX",' +
      '"due_date":"2026-11-30","client":{"id":3,"name":"Maria da Silva","email":"maria@example.com",' +
      '"document":"12345678909"},"pix":',
  )
  t.is(after, ',"boleto":null,"created_by":5,"created_at":"2026-11-23T10:05:09-03:00"}')
  t.deepEqual(Object.keys(pix), ['txid', 'qrcode', 'status'])
  const anonymous = { ...detailOf({ pix: null }), client: { ...aClient, email: null, document: null } }
  t.like(onWire(chargeView, anonymous), { amount_paid: null, payment_date: null, description: null, pix: null })
  t.deepEqual(onWire(chargeView, anonymous).client, { id: 3, name: 'Maria da Silva', email: null, document: null })
})

test('shows no over-payment below zero', (t) => {
  for (const [overpaidCents, amount_over] of [
    [500, 5],
    [-500, 0],
    [null, undefined],
  ] as const)
    t.is(onWire(chargeView, detailOf({ status: 'paid', overpaidCents })).amount_over, amount_over)
})

test('shows a code of the bank unchanged, and none without a Pix', (t) => {
  t.is(pixCodeOf(aCharge({ pix: { ...aPix, dynamicCode: '000201 as it is' } }), '2026-11-23'), '000201 as it is')
  t.is(pixCodeOf(aCharge({ pix: null }), '2026-11-23'), null)
  t.is(onWire(chargeView, detailOf({ pix: null })).pix, null)
})

test('builds a static code with the amount due that day, at most the maximum of a code', (t) => {
  const late = aCharge({ valueCents: 999_999_999_999, amountRateHundredths: 10_000_000, typeRate: 'PERCENTAGE' })
  for (const [charge, day, cents] of [
    [aCharge(), '2026-11-23', 15_050],
    [aCharge({ amountRateHundredths: 250, typeRate: 'ABSOLUTE' }), '2026-12-02', 15_550],
    [late, '2026-11-30', 999_999_999_999],
    [late, '2026-12-01', 999_999_999_999],
    [late, '9999-12-31', 999_999_999_999],
  ] as const) {
    t.is(dueOn(charge, day), cents)
    const read = readPixCode(pixCodeOf(charge, day) ?? '')
    t.is(isLeft(read) ? read.left : read.right.amountCents, cents)
  }
})

test('builds the static code of each key, name, txid and amount, also if a similar one was built before', (t) => {
  const pixes = [aPix, { ...aPix, key: 'outra@example.com' }, { ...aPix, payeeName: 'Loja' }, { ...aPix, txid: 'T2' }]
  for (const pix of [...pixes, ...pixes])
    for (const valueCents of [100, 200]) {
      const code = readPixCode(pixCodeOf(aCharge({ pix, valueCents }), '2026-11-23') ?? '')
      const { txid, key, payeeName: merchantName } = pix
      t.like(code, { right: { txid, key, merchantName, amountCents: valueCents } })
    }
})

test('derives the status of a Pix from the current status of its charge', (t) => {
  const shown = CHARGE_STATUSES.map((status) => pixStatus(detailOf({ status })))
  t.deepEqual(shown, ['pending', 'paid', 'cancelled', 'cancelled', 'cancelled', 'cancelled', 'paid'])
  const over = { ...detailOf(), asOf: OVER }
  t.is(pixStatus(over), 'cancelled')
  t.is(onWire(chargeView, over).status.title, 'expired')
})

test('expires all overdue charges of every account in slices, and records each once', async (t) => {
  const { ports } = openPayments({ clock: setClock(OVER) })
  const overs = [...Array(150).fill({}), { accountId: 2 }, { status: 'paid' }, { lapsesAt: '2026-12-01T03:00:00.001Z' }]
  const records = overs.map((over, index) => aCharge({ ...over, id: index + 1, code: `c${index}`, txid: `T${index}` }))
  await ports.store.commit([insert(clients, aClient), ...records.map((record) => insert(charges, record))])
  const job = expiryJob(ports)
  t.deepEqual([await wholeRun(job, OVER), await wholeRun(job, OVER)], [2, 1])
  const byStatus = await ports.store.group(groupOf(charges, { where: always, by: ['status'], sum: [] }))
  t.deepEqual(Object.fromEntries(byStatus.map(({ by, count }) => [by.status, count])), {
    expired: 151,
    paid: 1,
    pending: 1,
  })
  const [recorded, ...more] = await ports.store.group(groupOf(events, { where: always, by: ['type'], sum: [] }))
  t.deepEqual([recorded, more], [{ by: { type: 'charge.expired' }, count: 151, sums: {} }, []])
})

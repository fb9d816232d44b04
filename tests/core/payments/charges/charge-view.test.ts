import test from 'ava'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { memoryPorts } from '../../../../adapters/memory/memory-ports.ts'
import { isLeft } from '../../../../core/fp.ts'
import { insert } from '../../../../core/kernel/records/change.ts'
import { always } from '../../../../core/kernel/records/where.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { CHARGE_STATUSES } from '../../../../core/payments/charges/charge-status.ts'
import { chargeView, dueOn, pixCodeOf, pixStatus } from '../../../../core/payments/charges/charge-view.ts'
import { expiryJob } from '../../../../core/payments/charges/titles/charge-work.ts'
import { clients } from '../../../../core/payments/customers/client.ts'
import { events } from '../../../../core/payments/outbox/event.ts'
import { readPixCode } from '../../../../core/payments/pix/br-code-reader.ts'
import { groupOf } from '../../../../core/ports/store.ts'
import { wholeRun } from '../../kernel/running/tasks.ts'
import { aCharge, aClient, aPix, detailOf } from './billing-fixtures.ts'

const OVER = '2026-12-01T03:00:00.000Z'

test("a bank's own code is shown unchanged; without a Pix there is none", (t) => {
  t.is(pixCodeOf(aCharge({ pix: { ...aPix, dynamicCode: '000201 as it is' } }), '2026-11-23'), '000201 as it is')
  t.is(pixCodeOf(aCharge({ pix: null }), '2026-11-23'), null)
  t.is(chargeView(detailOf({ pix: null })).pix, null)
})

test('a static code asks for what is due that day, and never for more than a code holds', (t) => {
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

test('the status of a Pix is that of its charge as it stands now', (t) => {
  const shown = CHARGE_STATUSES.map((status) => pixStatus(detailOf({ status })))
  t.deepEqual(shown, ['pending', 'paid', 'cancelled', 'cancelled', 'cancelled', 'cancelled', 'paid'])
  const over = { ...detailOf(), asOf: OVER }
  t.is(pixStatus(over), 'cancelled')
  t.is(chargeView(over).status.title, 'expired')
})

test('the job expires all that ran out, of every account, in slices, and tells of each once', async (t) => {
  const ports = memoryPorts({ clock: setClock(OVER) })
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
  const [told, ...more] = await ports.store.group(groupOf(events, { where: always, by: ['type'], sum: [] }))
  t.deepEqual([told, more], [{ by: { type: 'charge.expired' }, count: 151, sums: {} }, []])
})

import test from 'ava'
import { notifications } from '../../../core/real-estate/office.ts'
import { payments } from '../../../core/real-estate/records/payment.ts'
import { storedIn } from '../../core/real-estate/records.ts'
import { aLease } from '../real-estate/given/given.ts'
import { openEstateApi, TODAY, worked } from '../real-estate/test-api.ts'

const DAY = 86_400
/** 07:00 in São Paulo on the day of the rents, two days ahead. */
const RENT_RUN = '2026-11-25T10:00:00.000Z'

test('a clock days ahead for some minutes runs no rents and sends no notification early', async (t) => {
  const api = await openEstateApi(t, { env: { RENT_RUN_DAY: '25' } })
  const admin = await api.agency()
  const stored = storedIn(api, admin)
  const lease = await aLease(api, admin)
  const contract = await stored.contractOf({ endDate: '2026-12-24' })
  const owed = await stored.paymentOf(contract, { dueDate: TODAY })
  const rents = async () => (await api.every(payments)).filter(({ contractId }) => contractId === lease.id).length
  await api.drain()

  api.clock.jump(2 * DAY)
  const token = await api.sign({ sub: admin.uid, email: admin.email, email_verified: true })
  for (let minute = 0; minute < 3; minute += 1) {
    await api.drain()
    api.clock.advance(60)
  }
  const checked = worked(await api.ask('POST', '/api/notifications/check-alerts', { token, body: {} }))
  t.deepEqual(checked, { contractsExpiring: 0, paymentsDefaulted: 0, notificationsCreated: 0 })
  const { contracts, financial } = worked(await api.ask('GET', '/api/dashboard', { token }))
  t.deepEqual([contracts.expiringSoon, financial.defaultedPayments], [0, 0])
  api.clock.jump(-2 * DAY)
  await api.drain()
  t.is(await rents(), 0)
  t.is((await api.every(payments)).find(({ id }) => id === owed.id)?.status, 'Pending')
  t.deepEqual(await api.every(notifications), [])

  api.clock.set(RENT_RUN)
  await api.drain()
  t.is(await rents(), 1)
  t.is((await api.every(payments)).find(({ id }) => id === owed.id)?.status, 'Defaulted')
  const notified = (await api.every(notifications)).map(({ resourceId }) => resourceId)
  for (const { id } of [contract, owed]) t.is(notified.filter((each) => each === id).length, 1)
})

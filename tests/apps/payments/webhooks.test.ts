import test, { type ExecutionContext } from 'ava'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { freshOf } from '../../../core/kernel/running/use-case.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { recordEvent } from '../../../core/payments/events.ts'
import { openTestApi, wrongFields } from './test-api.ts'

const PATH = '/access/webhook-notifications'
const URL_OF_ACCOUNT = 'https://loja.example/webhooks'

/** Opens the API with an account that has a webhook URL, and a function that records an event of an account. */
const withDeliveries = async (t: ExecutionContext) => {
  const here = await openTestApi(t)
  const { host, drain } = here
  const recordPaid = async (accountId: number, id: number) => {
    const about = { accountId, subjectId: id, data: { id }, urls: [URL_OF_ACCOUNT] }
    await host.store.commit([recordEvent(freshOf(host).fresh, 'charge.paid', about)])
    await drain()
  }
  const { token } = await here.merchant()
  await host.store.commit([patch(accounts, 1, { set: { webhookUrl: URL_OF_ACCOUNT }, when: always })])
  const get = (path: string, by = token) => here.ask('GET', path, { token: by })
  return { ...here, token, recordPaid, get }
}

test('returns 422 for a range that ends before its start', async (t) => {
  const { get } = await withDeliveries(t)
  t.deepEqual(wrongFields(await get(`${PATH}?start_date=2026-11-24&end_date=2026-11-23`)), ['end_date'])
})

test('returns 409 for the replay of a pending delivery', async (t) => {
  const { recordPaid, ask, token } = await withDeliveries(t)
  await recordPaid(1, 9)
  const replay = () => ask('POST', `${PATH}/1/replay`, { token })
  t.is((await replay()).status, 200)
  t.like(await replay(), { status: 409, body: { error_code: 'delivery.pending' } })
})

test('rejects a replay in a suspended account', async (t) => {
  const { recordPaid, get, ask, token, host, drain, sender } = await withDeliveries(t)
  await recordPaid(1, 1)
  await host.store.commit([patch(accounts, 1, { set: { status: 'SUSPENDED' }, when: always })])
  const refused = await ask('POST', `${PATH}/1/replay`, { token })
  t.like(refused, { status: 403, body: { message: 'Organização não está ativa.' } })
  t.like((await get(`${PATH}/1`)).body.data as object, { status: 'delivered', attempts: 1 })
  await drain()
  t.is(sender.requests.length, 1)
})

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

const idsOf = (body: Readonly<Record<string, unknown>>): readonly number[] =>
  (body.data as readonly { readonly payload: { readonly data: { readonly id: number } } }[]).map(
    ({ payload }) => payload.data.id,
  )

test('lists deliveries newest first, in pages and by São Paulo days', async (t) => {
  const { recordPaid, get, clock } = await withDeliveries(t)
  // The second and third are just before and at midnight in São Paulo.
  const instants = ['2026-11-23T13:30:00.000Z', '2026-11-24T02:59:59.999Z', '2026-11-24T03:00:00.000Z']
  for (const [index, instant] of instants.entries()) {
    clock.set(instant)
    await recordPaid(1, index + 1)
  }
  const listed = async (query: string) => {
    clock.set('2026-11-23T13:31:00.000Z')
    const { status, body } = await get(`${PATH}?${query}`)
    t.is(status, 200)
    return body
  }
  t.deepEqual(idsOf(await listed('')), [3, 2, 1])
  const second = await listed('page=2&per_page=2')
  t.deepEqual(idsOf(second), [1])
  t.deepEqual(second.meta, { current_page: 2, per_page: 2, total: 3, last_page: 2 })
  t.deepEqual(idsOf(await listed('start_date=2026-11-24')), [3])
  t.deepEqual(idsOf(await listed('end_date=2026-11-23')), [2, 1])
  const day = await listed('start_date=2026-11-23&end_date=2026-11-23')
  t.deepEqual(idsOf(day), [2, 1])
  t.like(day.meta as object, { total: 2 })
})

test('returns 422 for a range that ends before its start', async (t) => {
  const { get } = await withDeliveries(t)
  t.deepEqual(wrongFields(await get(`${PATH}?start_date=2026-11-24&end_date=2026-11-23`)), ['end_date'])
})

test('replays a completed delivery; a second replay gets 409, a repeated key the first reply', async (t) => {
  const { recordPaid, get, ask, token, drain, sender } = await withDeliveries(t)
  await recordPaid(1, 9)
  const before = (await get(`${PATH}/1`)).body.data as object
  const replay = (headers = {}) => ask('POST', `${PATH}/1/replay`, { token, headers })
  const keyed = { 'idempotency-key': 'de novo' }
  const first = await replay(keyed)
  t.is(first.status, 200)
  t.deepEqual(first.body, {
    code: 200,
    success: true,
    data: {
      ...before,
      status: 'pending',
      attempts: 0,
      response: null,
      next_attempt_at: '2026-11-23T10:05:09-03:00',
      delivered_at: null,
    },
    message: 'Entrega de webhook reenviada com sucesso.',
  })
  const again = await replay(keyed)
  t.deepEqual([again.status, again.body, again.headers.get('idempotent-replayed')], [200, first.body, 'true'])
  const other = await replay()
  t.is(other.status, 409)
  t.deepEqual(other.body, {
    code: 409,
    success: false,
    message: 'Entrega ainda em andamento.',
    error_code: 'delivery.pending',
  })
  await drain()
  t.deepEqual((await get(`${PATH}/1`)).body.data, before)
  t.is(sender.requests.length, 2)
  t.is(sender.requests[0]?.headers['webhook-id'], sender.requests[1]?.headers['webhook-id'])

  const both = await Promise.all([replay(), replay()])
  t.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  await drain()
  t.is(sender.requests.length, 3)
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

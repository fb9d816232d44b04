import test, { type ExecutionContext } from 'ava'
import { patch } from '../../../core/kernel/records/change.ts'
import { always } from '../../../core/kernel/records/where.ts'
import { freshOf } from '../../../core/kernel/running/fresh.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { memberships } from '../../../core/payments/members/membership.ts'
import { recordEvent } from '../../../core/payments/office.ts'
import { errorsOf, openTestApi } from './test-api.ts'

const PATH = '/access/webhook-notifications'
const URL_OF_ACCOUNT = 'https://loja.example/webhooks'

/** A bakery (account 1) with a webhook URL, and what tells of something that happened to an account. */
const bakery = async (t: ExecutionContext) => {
  const here = await openTestApi(t)
  const { host, drain } = here
  const happen = async (accountId: number, id: number) => {
    const about = { accountId, subjectId: id, data: { id }, urls: [URL_OF_ACCOUNT] }
    await host.store.commit([recordEvent(freshOf(host).fresh, 'charge.paid', about)])
    await drain()
  }
  const { token } = await here.merchant()
  await host.store.commit([patch(accounts, 1, { set: { webhookUrl: URL_OF_ACCOUNT }, when: always })])
  const get = (path: string, by = token) => here.ask('GET', path, { token: by })
  return { ...here, token, happen, get }
}

const idsOf = (body: Readonly<Record<string, unknown>>): readonly number[] =>
  (body.data as readonly { readonly payload: { readonly data: { readonly id: number } } }[]).map(
    ({ payload }) => payload.data.id,
  )

test('a delivery is listed and shown: payload sent, response received, status', async (t) => {
  const { happen, get } = await bakery(t)
  await happen(1, 9)
  const delivery = {
    id: 1,
    event: 'charge.paid',
    url: URL_OF_ACCOUNT,
    status: 'delivered',
    attempts: 1,
    payload: { type: 'charge.paid', timestamp: '2026-11-23T13:05:09.123Z', data: { id: 9 } },
    response: { status: 200, body: '', error: null },
    next_attempt_at: null,
    delivered_at: '2026-11-23T10:05:09-03:00',
    created_at: '2026-11-23T10:05:09-03:00',
    updated_at: '2026-11-23T10:05:09-03:00',
  }
  const list = await get(PATH)
  t.is(list.status, 200)
  t.is(list.headers.get('deprecation'), null)
  t.deepEqual(list.body, {
    code: 200,
    success: true,
    data: [delivery],
    meta: { current_page: 1, per_page: 15, total: 1, last_page: 1 },
    message: 'Entregas de webhook listadas com sucesso.',
  })
  const one = await get(`${PATH}/1`)
  t.is(one.status, 200)
  t.deepEqual(one.body, {
    code: 200,
    success: true,
    data: delivery,
    message: 'Entrega de webhook obtida com sucesso.',
  })
})

test('the list is paged, newest first, and filtered by São Paulo days', async (t) => {
  const { happen, get, clock } = await bakery(t)
  // The second and third are the two sides of midnight in São Paulo.
  const instants = ['2026-11-23T13:30:00.000Z', '2026-11-24T02:59:59.999Z', '2026-11-24T03:00:00.000Z']
  for (const [index, instant] of instants.entries()) {
    clock.set(instant)
    await happen(1, index + 1)
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

test('bad filters are 422 and named; a range the wrong way round names its end', async (t) => {
  const { get } = await bakery(t)
  for (const [query, ...fields] of [
    ['page=0', 'page'],
    ['per_page=x', 'per_page'],
    ['start_date=2026-02-30&end_date=ontem', 'start_date', 'end_date'],
    ['start_date=2026-11-24&end_date=2026-11-23', 'end_date'],
  ]) {
    const answer = await get(`${PATH}?${query}`)
    t.is(answer.status, 422, query)
    t.deepEqual(Object.keys(errorsOf(answer)), fields, query)
  }
})

test('a member of any role reads those of charges, and no other account', async (t) => {
  const { happen, get, host, merchant, ask } = await bakery(t)
  await happen(1, 1)
  for (const roleId of [1, 2, 3, 4, 5]) {
    await host.store.commit([patch(memberships, 1, { set: { roleId }, when: always })])
    t.is((await get(PATH)).status, 200)
    t.is((await get(`${PATH}/1`)).status, 200)
  }
  const { token } = await merchant('joao@example.com')
  await happen(2, 2)
  t.deepEqual(idsOf((await get(PATH, token)).body), [2])
  t.is((await ask('GET', PATH)).status, 401)
})

test('a delivery of another account, and what is no id, are 404', async (t) => {
  const { happen, get, merchant } = await bakery(t)
  await happen(1, 1)
  const { token } = await merchant('joao@example.com')
  for (const id of ['1', '99', '0', 'abc', '1.0']) {
    const { status, body } = await get(`${PATH}/${id}`, token)
    t.is(status, 404, id)
    t.deepEqual(body, {
      code: 404,
      success: false,
      message: 'Entrega de webhook não encontrada.',
      error_code: 'delivery.unknown',
    })
  }
})

test('a delivery that ended is sent once more; of two at once one is 409, and a repeated key is replayed', async (t) => {
  const { happen, get, ask, token, drain, sender } = await bakery(t)
  await happen(1, 9)
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

test('who may not write charges, another account and a suspended one have nothing sent again', async (t) => {
  const { happen, get, ask, token, merchant, host, drain, sender } = await bakery(t)
  await happen(1, 1)
  const replay = (id: string, by = token) => ask('POST', `${PATH}/${id}/replay`, { token: by })
  const { token: stranger } = await merchant('joao@example.com')
  for (const id of ['1', '99', '0', 'abc', '1.0']) {
    const { status, body } = await replay(id, stranger)
    t.is(status, 404, id)
    t.deepEqual(body, {
      code: 404,
      success: false,
      message: 'Entrega de webhook não encontrada.',
      error_code: 'delivery.unknown',
    })
  }
  await host.store.commit([patch(memberships, 1, { set: { roleId: 4 }, when: always })])
  t.like(await replay('1'), { status: 403, body: { message: 'Permissão insuficiente.' } })
  await host.store.commit([
    patch(memberships, 1, { set: { roleId: 3 }, when: always }),
    patch(accounts, 1, { set: { status: 'SUSPENDED' }, when: always }),
  ])
  t.like(await replay('1'), { status: 403, body: { message: 'Organização não está ativa.' } })
  t.like((await get(`${PATH}/1`)).body.data as object, { status: 'delivered', attempts: 1 })
  await drain()
  t.is(sender.requests.length, 1)
})

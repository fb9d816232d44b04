import test from 'ava'
import { charges } from '../../../core/payments/charges/charge.ts'
import { audit } from '../../../core/payments/office.ts'
import { PIN } from '../../core/payments/world.ts'
import {
  failure,
  openMerchant,
  openTestApi,
  pluck,
  pluckAll,
  statusAndMessage,
  worked,
  wrongFields,
} from './test-api.ts'

const PATH = '/billing/payment-links'
const FIXED = { title: 'Curso', payment_methods: ['PIX'], amount: 10 }
const VARIABLE = { title: 'Doação', payment_methods: ['PIX'], is_variable_amount: true, min_amount: 5 }

test('stores all fields of a link, and returns its address with a random token', async (t) => {
  const { ask, token } = await openMerchant(t)
  const body = worked(await ask('POST', PATH, { token, body: { ...FIXED, uses_count: 7, status: 3 } }))
  t.is(body.message, 'Link de pagamento criado com sucesso.')
  const { id, public_url, reference_code, ...rest } = body.data
  t.regex(id, /^[\w-]{22}$/)
  t.regex(public_url, new RegExp(`^https://pay\\.example\\.com/pay/${id}\\?token=[\\w-]{40}$`))
  t.truthy(reference_code)
  t.deepEqual(rest, {
    title: 'Curso',
    description: null,
    amount: 10,
    currency: 'BRL',
    is_variable_amount: false,
    min_amount: null,
    max_amount: null,
    status: { value: 1, label: 'Ativo' },
    payment_methods: ['PIX'],
    expires_at: null,
    max_uses: null,
    uses_count: 0,
    success_url: null,
    cancel_url: null,
    webhook_url: null,
    installments: 1,
    pass_transaction_fee_to_customer: false,
    send_client_id: false,
    created_at: '2026-11-23T10:05:09-03:00',
    updated_at: '2026-11-23T10:05:09-03:00',
  })
  const shown = await ask('GET', `${PATH}/${id}`, { token })
  t.is(shown.body.message, 'Link de pagamento recuperado com sucesso.')
  t.deepEqual(shown.body.data, { ...body.data, creator: { id: 1, name: 'Ana Souza' }, updater: null, customer: null })
})

test('shows the fine of a link that has one, changes it, and limits it for each payer', async (t) => {
  const { ask, token, every } = await openMerchant(t)
  const body = { ...VARIABLE, payment_methods: ['BOLETO'], fine: 1, type_fine: 'ABSOLUTE' }
  const { data } = worked(await ask('POST', PATH, { token, body }))
  t.like(data, { fine: 1, type_fine: 'ABSOLUTE' })
  const pay = async (amount: number, document: string) => {
    const payer = { name: 'Maria', email: 'maria@example.com', document }
    const { pathname, searchParams } = new URL(data.public_url)
    const paid = await ask('POST', `/public/paymentLink/${pathname.split('/').at(-1)}/pay`, {
      headers: { 'x-link-token': searchParams.get('token') ?? '' },
      body: { payment_method: 'BOLETO', amount, ...payer },
    })
    t.is(paid.status, 200, paid.text)
    const { fineHundredths, typeFine } =
      (await every(charges)).find(({ code }) => code === paid.body.data.charge_id) ?? {}
    return [fineHundredths, typeFine]
  }
  t.deepEqual(await pay(50, '123.456.789-09'), [100, 'ABSOLUTE'])
  t.deepEqual(await pay(49.99, '123.456.789-09'), [200, 'PERCENTAGE'])
  t.deepEqual(await pay(49.99, '11.222.333/0001-81'), [100, 'ABSOLUTE'])
  const one = `${PATH}/${data.id}`
  const put = (change: object) => ask('PUT', one, { token, body: change })
  t.like(worked(await put({ fine: 2, type_fine: null })).data, { fine: 2, type_fine: 'PERCENTAGE' })
  t.deepEqual(wrongFields(await put({ fine: 2.01 })), ['fine'])
  t.false('fine' in worked(await put({ fine: null })).data)

  worked(await ask('POST', '/access/account/pin', { token, body: { pin: PIN, confirm_pin: PIN } }))
  worked(await ask('PUT', '/access/account', { token, body: { pin: PIN, no_consumer_relation: true } }))
  worked(await put({ fine: 5, type_fine: 'ABSOLUTE' }))
  t.like(worked(await put({ type_fine: null })).data, { fine: 5, type_fine: 'PERCENTAGE' })
})

/** By field: a rejected link, and the nearest accepted one. */
const limits: readonly [field: string, bad: object, good: object | null][] = [
  ['payment_methods.0', { ...FIXED, payment_methods: ['BOLEPIX'] }, { ...FIXED, payment_methods: ['CARD'] }],
  ['amount', { ...FIXED, amount: undefined }, { ...VARIABLE, amount: undefined }],
  ['min_amount', { ...VARIABLE, min_amount: undefined }, { ...VARIABLE, min_amount: 0 }],
  ['max_amount', { ...VARIABLE, max_amount: 5 }, { ...VARIABLE, max_amount: 5.01 }],
  ['fine', { ...FIXED, fine: 2.01 }, { ...FIXED, fine: 2 }],
  ['fine', { ...FIXED, fine: 0.21, type_fine: 'ABSOLUTE' }, { ...FIXED, fine: 0.2, type_fine: 'ABSOLUTE' }],
  ['fine', { ...VARIABLE, fine: 2.01 }, { ...VARIABLE, fine: 2.01, type_fine: 'ABSOLUTE' }],
  ['expires_at', { ...FIXED, expires_at: '2026-11-23' }, { ...FIXED, expires_at: '2026-11-24' }],
  [
    'expires_at',
    { ...FIXED, expires_at: '2026-11-24T02:59:59Z' },
    { ...FIXED, expires_at: '2026-11-24T00:00:00-03:00' },
  ],
  ['expires_at', { ...FIXED, expires_at: '2026-13-01' }, { ...FIXED, expires_at: null }],
]

test('accepts each field of a new link at its limit, and rejects it beyond', async (t) => {
  const { ask, token } = await openMerchant(t)
  for (const [field, bad, good] of limits) {
    t.deepEqual(wrongFields(await ask('POST', PATH, { token, body: bad })), [field], JSON.stringify(bad))
    if (good) t.is((await ask('POST', PATH, { token, body: good })).status, 200, JSON.stringify(good))
  }
})

test('expires a link at the end of its day or at its time, and then rejects changes', async (t) => {
  const api = await openTestApi(t, { now: '2026-11-23T13:00:00.000Z' })
  const { ask, clock } = api
  let anna = await api.merchant()
  const make = async (expires_at: string) =>
    worked(await ask('POST', PATH, { token: anna.token, body: { ...FIXED, expires_at } })).data
  const [byDay, byInstant] = [await make('2026-11-24'), await make('2026-11-24T20:00:00.500-03:00')]
  t.deepEqual([byDay.expires_at, byInstant.expires_at], ['2026-11-24', '2026-11-24T20:00:00-03:00'])
  const statusAt = async (instant: string) => {
    clock.set(instant)
    anna = await api.again(anna)
    const shown = async (id: string) =>
      (await ask('GET', `${PATH}/${id}`, { token: anna.token })).body.data.status.value
    const { summary } = worked(await ask('GET', PATH, { token: anna.token }))
    return [await shown(byDay.id), await shown(byInstant.id), summary.expired.count]
  }
  t.deepEqual(await statusAt('2026-11-24T23:00:00.499Z'), [1, 1, 0])
  t.deepEqual(await statusAt('2026-11-24T23:00:00.500Z'), [1, 3, 1])
  t.deepEqual(await statusAt('2026-11-25T02:59:59.999Z'), [1, 3, 1])
  t.deepEqual(await statusAt('2026-11-25T03:00:00.000Z'), [3, 3, 2])
  for (const body of [{}, { expires_at: '2026-12-31' }, { expires_at: null }]) {
    t.deepEqual(statusAndMessage(await ask('PUT', `${PATH}/${byDay.id}`, { token: anna.token, body })), [
      422,
      'Um link de pagamento expirado não pode ser alterado.',
    ])
  }
  t.is((await ask('DELETE', `${PATH}/${byDay.id}`, { token: anna.token })).status, 200)
})

test('changes only the fields sent, stores the updater, and clears a field by null', async (t) => {
  const { ask, clock, token } = await openMerchant(t)
  const given = { ...FIXED, expires_at: '2026-12-31', max_uses: 3, success_url: 'https://a.example', installments: 2 }
  const link = worked(await ask('POST', PATH, { token, body: given })).data
  const change = async (body: object, method = 'PUT') => ask(method, `${PATH}/${link.id}`, { token, body })
  t.deepEqual((await change({})).body.data, link)
  clock.advance(60)
  const answer = await change({ max_uses: 4, title: 'Outro', amount: 99, webhook_url: 'https://b.example' }, 'PATCH')
  t.is(answer.body.message, 'Link de pagamento atualizado com sucesso.')
  t.deepEqual(answer.body.data, { ...link, max_uses: 4, updated_at: '2026-11-23T10:06:09-03:00' })
  const cleared = { expires_at: null, max_uses: null, success_url: null }
  t.like((await change({ ...cleared, payment_methods: ['CARD', 'PIX', 'CARD'] })).body.data, {
    ...cleared,
    payment_methods: ['CARD', 'PIX'],
    installments: 2,
  })
  const { data } = (await ask('GET', `${PATH}/${link.id}`, { token })).body
  t.deepEqual(data.updater, { id: 1, name: 'Ana Souza' })
  t.deepEqual(wrongFields(await change({ expires_at: '2026-11-23' })), ['expires_at'])
})

test('hides a removed link, and shows a client of the account as customer', async (t) => {
  const { ask, token } = await openMerchant(t)
  const { client } = worked(await ask('POST', '/v1/clients', { token, body: { name: 'Bia' } }))
  const made = worked(await ask('POST', PATH, { token, body: { ...FIXED, client_id: client.id } })).data
  const { data } = (await ask('GET', `${PATH}/${made.id}`, { token })).body
  t.deepEqual(data.customer, { id: client.id, name: 'Bia' })
  const removed = await ask('DELETE', `${PATH}/${made.id}`, { token })
  t.deepEqual(removed.body, { code: 200, success: true, message: 'Link de pagamento removido com sucesso.' })
  for (const path of [made.id, `${made.id}/payments`, `${made.id}/paid-payments`])
    t.deepEqual(failure(await ask('GET', `${PATH}/${path}`, { token })), [404, 'link.unknown'])
  for (const method of ['PUT', 'DELETE'])
    t.is((await ask(method, `${PATH}/${made.id}`, { token, body: {} })).status, 404, method)
  t.is((await ask('GET', PATH, { token })).body.meta.total, 0)
})

const FIXED_AMOUNT = { payment_methods: ['PIX'], amount: 10 }

/** Creates three links on three days, the second ended, and moves to the fourth day. */
const threeLinks = async (t: Parameters<typeof openTestApi>[0]) => {
  const api = await openTestApi(t)
  let anna = await api.merchant()
  const ids: string[] = []
  const bodies = [
    { title: 'Curso de Violão', description: 'Quatro aulas', expires_at: '2026-12-31' },
    { title: 'Aula avulsa', expires_at: '2026-11-25T12:00:00-03:00' },
    { title: 'Doação', reference_code: 'ÁRVORE_100%' },
  ]
  for (const more of bodies) {
    const made = await api.ask('POST', PATH, { token: anna.token, body: { ...FIXED_AMOUNT, ...more } })
    ids.push(worked(made).data.id)
    api.clock.advance(86_400)
    anna = await api.again(anna)
  }
  const list = async (query = '') => api.ask('GET', `${PATH}?${query}`, { token: anna.token })
  const titles = async (query: string) => {
    const { data, meta } = worked(await list(query))
    const found: number[] = data.map(({ id }: { id: string }) => ids.indexOf(id) + 1)
    return [meta.total, ...found]
  }
  return { ...api, anna, ids, list, titles }
}

test('lists links newest first, in pages, by each filter', async (t) => {
  const { titles, ids, anna, ask } = await threeLinks(t)
  worked(await ask('PUT', `${PATH}/${ids[0]}`, { token: anna.token, body: { max_uses: 3 } }))
  const asked: readonly (readonly [query: string, found: readonly number[]])[] = [
    ['', [3, 3, 2, 1]],
    ['order=asc', [3, 1, 2, 3]],
    ['per_page=2&page=2', [3, 1]],
    [`id=${ids[1]}`, [1, 2]],
    ['id=nenhum', [0]],
    ['status=1', [2, 3, 1]],
    ['status=3', [1, 2]],
    ['status=1,3', [3, 3, 2, 1]],
    ['search=violao', [1, 1]],
    ['search=arvore_100%25', [1, 3]],
    ['created_start=2026-11-24', [2, 3, 2]],
    ['created_end=2026-11-24', [2, 2, 1]],
    ['updated_start=2026-11-26', [1, 1]],
    ['updated_end=2026-11-25', [2, 3, 2]],
    ['due_date_start=2026-11-25', [2, 2, 1]],
    ['due_date_end=2026-11-25', [1, 2]],
    ['due_date_start=2026-12-31&due_date_end=2026-12-31', [1, 1]],
    ['created_by=1', [3, 3, 2, 1]],
    ['created_by=2', [0]],
    ['updated_by=1', [1, 1]],
    ['status=&search=&unknown=x', [3, 3, 2, 1]],
  ]
  for (const [query, found] of asked) t.deepEqual(await titles(query), found, query)
})

test('summarizes all links of the account, whatever the filter', async (t) => {
  const { list, titles, ask, merchant, every, anna, ids } = await threeLinks(t)
  const summary = async (query = '') => Object.values<Record<string, unknown>>(worked(await list(query)).summary)
  const counts = async (query = '') => pluck(await summary(query), 'count')
  t.deepEqual(pluckAll(await summary(), 'value', 'label', 'amount'), [
    [null, 'Todos', 0],
    [1, 'Ativo', 0],
    [2, 'Pausado', 0],
    [3, 'Expirado', 0],
  ])
  t.deepEqual(await counts(), [3, 2, 0, 1])
  t.deepEqual(await counts('status=2'), [3, 2, 0, 1])
  const set = async (what: 'pause' | 'resume', link = ids[0]) =>
    worked(await ask('POST', `/v1/payment-links/${link}/${what}`, { token: anna.token })).payment_link.status
  t.deepEqual([await set('pause'), await set('pause')], Array(2).fill({ value: 2, label: 'Pausado' }))
  t.deepEqual(await counts(), [3, 1, 1, 1])
  t.deepEqual(await titles('status=2'), [1, 1])
  t.deepEqual(await titles('status=1'), [1, 3])
  t.deepEqual(await set('resume'), { value: 1, label: 'Ativo' })
  const audited = (await every(audit.entries))
    .filter(({ subject }) => subject === `link:${ids[0]}`)
    .toSorted((one, other) => one.action.localeCompare(other.action))
  t.deepEqual(pluckAll(audited, 'action', 'chain', 'actorUserId'), [
    ['link.paused', 'account:1', 1],
    ['link.resumed', 'account:1', 1],
  ])
  const other = await merchant()
  worked(await ask('POST', PATH, { token: other.token, body: { ...FIXED_AMOUNT, title: 'De outra' } }))
  await ask('DELETE', `${PATH}/${ids[1]}`, { token: anna.token })
  t.deepEqual(await counts(), [2, 2, 0, 0])
})

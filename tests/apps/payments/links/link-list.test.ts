import test from 'ava'
import { errorsOf, openTestApi, worked } from '../test-api.ts'

const PATH = '/billing/payment-links'
const FIXED = { payment_methods: ['PIX'], amount: 10 }

const NONE = { count: 0, amount: 0 }
const SUMMARY = {
  all: { value: null, label: 'Todos', ...NONE },
  active: { value: 1, label: 'Ativo', ...NONE },
  paused: { value: 2, label: 'Pausado', ...NONE },
  expired: { value: 3, label: 'Expirado', ...NONE },
}

test('without links the list is empty, and its summary says so', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const { token } = await merchant()
  const { body } = await ask('GET', PATH, { token })
  t.deepEqual(body, {
    code: 200,
    success: true,
    data: [],
    meta: { current_page: 1, per_page: 15, total: 0, last_page: 1 },
    summary: SUMMARY,
    message: 'Links de pagamento listados com sucesso.',
  })
})

/** Three links of three days, the second ended; on the fourth day. */
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
    const made = await api.ask('POST', PATH, { token: anna.token, body: { ...FIXED, ...more } })
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

test('a list is the newest first, in pages, by each of its filters', async (t) => {
  const { titles, ids, anna, ask } = await threeLinks(t)
  const changed = await ask('PUT', `${PATH}/${ids[0]}`, { token: anna.token, body: { max_uses: 3 } })
  t.is(changed.status, 200)
  const asked: readonly (readonly [query: string, found: readonly number[]])[] = [
    ['', [3, 3, 2, 1]],
    ['order=asc', [3, 1, 2, 3]],
    ['per_page=2&page=2', [3, 1]],
    ['page=9', [3]],
    [`id=${ids[1]}`, [1, 2]],
    ['id=nenhum', [0]],
    ['status=1', [2, 3, 1]],
    ['status=2', [0]],
    ['status=3', [1, 2]],
    ['status=1,3', [3, 3, 2, 1]],
    ['search=violao', [1, 1]],
    ['search=QUATRO', [1, 1]],
    ['search=arvore_100%25', [1, 3]],
    ['search=%25', [1, 3]],
    ['search=nada', [0]],
    ['created_start=2026-11-24', [2, 3, 2]],
    ['created_end=2026-11-24', [2, 2, 1]],
    ['created_start=2026-11-24&created_end=2026-11-24', [1, 2]],
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

test('bad values of known keys are 422 and named', async (t) => {
  const { list } = await threeLinks(t)
  for (const [key, value] of [
    ['status', '4'],
    ['status', 'active'],
    ['order', 'up'],
    ['created_start', '2026-02-30'],
    ['updated_by', 'x'],
    ['per_page', '501'],
    ['page', '0'],
    ['search', 'a'.repeat(101)],
  ]) {
    const refused = await list(`${key}=${value}`)
    t.deepEqual([refused.status, Object.keys(errorsOf(refused))], [422, [key]])
  }
  const reversed = await list('due_date_start=2026-12-02&due_date_end=2026-12-01')
  t.deepEqual([reversed.status, Object.keys(errorsOf(reversed))], [422, ['due_date_end']])
})

test('the summary counts all links of the account, whatever the list is narrowed by', async (t) => {
  const { list, ask, merchant, anna, ids } = await threeLinks(t)
  const counts = async (query = '') => {
    const { summary } = worked(await list(query))
    return Object.values(summary as Record<string, { count: number }>).map(({ count }) => count)
  }
  t.deepEqual(await counts(), [3, 2, 0, 1])
  t.deepEqual(await counts('status=2'), [3, 2, 0, 1])
  const other = await merchant()
  worked(await ask('POST', PATH, { token: other.token, body: { ...FIXED, title: 'De outra' } }))
  await ask('DELETE', `${PATH}/${ids[1]}`, { token: anna.token })
  t.deepEqual(await counts(), [2, 2, 0, 0])
})

test('a link that ends today counts as ended from its instant on, one of a day on the next', async (t) => {
  const api = await openTestApi(t, { now: '2026-11-23T13:00:00.000Z' })
  let anna = await api.merchant()
  for (const expires_at of ['2026-11-24', '2026-11-24T12:00:00-03:00', '2026-11-24T12:00:01-03:00']) {
    const body = { ...FIXED, title: 'x', expires_at }
    worked(await api.ask('POST', PATH, { token: anna.token, body }))
  }
  const expired = async (instant: string) => {
    api.clock.set(instant)
    anna = await api.again(anna)
    const { summary, data } = worked(await api.ask('GET', PATH, { token: anna.token }))
    const shown = data.filter(({ status }: { status: { value: number } }) => status.value === 3).length
    return [summary.expired.count, shown]
  }
  t.deepEqual(await expired('2026-11-24T14:59:59.999Z'), [0, 0])
  t.deepEqual(await expired('2026-11-24T15:00:00.000Z'), [1, 1])
  t.deepEqual(await expired('2026-11-24T15:00:01.000Z'), [2, 2])
  t.deepEqual(await expired('2026-11-25T02:59:59.999Z'), [2, 2])
  t.deepEqual(await expired('2026-11-25T03:00:00.000Z'), [3, 3])
})

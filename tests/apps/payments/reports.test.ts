import test, { type ExecutionContext } from 'ava'
import { openMerchant, openTestApi, pluck, worked, wrongFields } from './test-api.ts'

const MESSAGE = 'Relatório de cobranças gerado com sucesso.'
const pending = { id: 1, title: 'pending', description: 'Pendente' }
const paid = { id: 2, title: 'paid', description: 'Pago' }
const expired = { id: 4, title: 'expired', description: 'Expirado' }
const deleted = { id: 6, title: 'DELETED', description: 'Apagado' }

/** Creates charges: two pending and a deleted one for the 30th, a paid one, one for January, one of another account. */
const opened = async (t: ExecutionContext) => {
  const api = await openTestApi(t)
  const [merchant, other] = [await api.merchant(), await api.merchant('joao@example.com', '11222333000262')]
  const { token } = merchant
  const issue = (value: number, dueDate: string) => api.charge(merchant, { value, due_date: dueDate })
  await issue(10, '2026-11-30')
  await issue(0.5, '2026-11-30')
  const gone = await issue(7, '2026-11-30')
  worked(await api.ask('DELETE', `/invoices/${gone.id}`, { token }))
  const settled = await issue(100, '2026-12-01')
  worked(await api.pay(settled.pix.txid, { value: 99.99 }))
  await issue(1, '2027-01-15')
  await api.charge(other, { value: 5, due_date: '2026-11-30' })
  const report = (query: string) => api.ask('GET', `/reports/invoices?${query}`, { token })
  return { ...api, merchant, report, token }
}

const row = (reference_date: string, status: { readonly id: number }, of: readonly [number, number, number]) => {
  const [total_qtd, total_amount_paid, total_value] = of
  return { reference_date, status_id: status.id, status, total_qtd, total_amount_paid, total_value }
}

test('sums charges by due day and status, deleted ones included', async (t) => {
  const { report } = await opened(t)
  const answer = await report('group_by=days&date_start=2026-11-30&date_end=2027-12-31')
  t.deepEqual([answer.status, answer.body.message], [200, MESSAGE])
  t.deepEqual(answer.body.data, [
    row('2026-11-30', pending, [2, 0, 10.5]),
    row('2026-11-30', deleted, [1, 0, 7]),
    row('2026-12-01', paid, [1, 99.99, 100]),
    row('2027-01-15', pending, [1, 0, 1]),
  ])
})

test('summarizes the charges that the list has, by status and method, whatever the filter', async (t) => {
  const { ask, clock, again, merchant: anna } = await opened(t)
  // The charges of November have lapsed, and no worker has expired them.
  clock.set('2026-12-02T15:00:00.000Z')
  const { token } = await again(anna)
  const summary = async (query: string) => worked(await ask('GET', `/v1/charges/summary?${query}`, { token })).summary
  t.deepEqual(await summary(''), {
    count: 4,
    value: 111.5,
    amount_paid: 99.99,
    groups: [
      { status: pending, payment_method: 'PIX', count: 1, value: 1, amount_paid: 0 },
      { status: paid, payment_method: 'PIX', count: 1, value: 100, amount_paid: 99.99 },
      { status: expired, payment_method: 'PIX', count: 2, value: 10.5, amount_paid: 0 },
    ],
  })
  for (const query of [
    ...['status_id=1', 'status_id=4', 'status_id=1,4', 'status_id=6', 'search=maria', 'payment_method=BOLETO'],
    ...['client_id=1', 'client_id=99', 'due_date_start=2026-12-01', 'created_at_end=2026-11-22'],
    'payment_date_start=2026-11-23&payment_date_end=2026-11-23',
  ]) {
    const { data } = worked(await ask('GET', `/invoices?per_page=100&${query}`, { token }))
    const { count, value } = await summary(query)
    const listed = data.reduce((sum: number, charge: { readonly value: number }) => sum + charge.value, 0)
    t.deepEqual([count, value], [data.length, listed], query)
  }
})

test('exports the charges that the list has, in the order of their issue', async (t) => {
  const { ask, token } = await opened(t)
  const table = async (query: string) => {
    const { status, text } = await ask('GET', `/v1/charges/export?${query}`, { token })
    const cells = text
      .trim()
      .split('\r\n')
      .map((line) => line.split(';'))
    return [status, ...cells.slice(1).map((line) => [line[0], line[6], line[7], line[8], line[9]])]
  }
  t.deepEqual(await table('due_date_start=2026-12-01'), [
    200,
    ['4', 'Pago', '01/12/2026', '100,00', '99,99'],
    ['5', 'Pendente', '15/01/2027', '1,00', ''],
  ])
  t.deepEqual(await table('status_id=6'), [200, ['3', 'Apagado', '30/11/2026', '7,00', '']])
  t.is((await ask('GET', '/v1/charges/export?format=xlsx', { token })).text.slice(0, 2), 'PK')
  const pdf = await ask('GET', '/v1/charges/export?format=pdf', { token })
  t.deepEqual([pdf.headers.get('content-type'), pdf.text.slice(0, 5)], ['application/pdf', '%PDF-'])
  const none = await ask('GET', '/v1/charges/export?search=nada', { token })
  t.deepEqual([none.status, none.body.message], [404, 'Nenhuma cobrança encontrada.'])
})

test('includes both ends of the range', async (t) => {
  const { report } = await opened(t)
  const days = async (from: string, to: string) =>
    pluck((await report(`group_by=days&date_start=${from}&date_end=${to}`)).body.data, 'reference_date')
  t.deepEqual(await days('2026-12-01', '2026-12-01'), ['2026-12-01'])
  t.deepEqual(await days('2026-12-02', '2027-01-14'), [])
  t.deepEqual(await days('2026-12-01', '2027-01-15'), ['2026-12-01', '2027-01-15'])
})

test('sums by month the days within the range', async (t) => {
  const { report, charge, token } = await opened(t)
  await charge({ token }, { value: 2, due_date: '2026-11-29' })
  const { body } = await report('group_by=months&date_start=2026-11-29&date_end=2026-12-31')
  t.deepEqual(body.data, [
    row('2026-11', pending, [3, 0, 12.5]),
    row('2026-11', deleted, [1, 0, 7]),
    row('2026-12', paid, [1, 99.99, 100]),
  ])
})

const PATH = '/billing/simulate-payment'

const cases: readonly (readonly [amount: number, installments: number, each: number, summary: string])[] = [
  [100, 1, 100, '1x de R$ 100,00'],
  [100, 3, 33.33, '1x de R$ 33,34 e 2x de R$ 33,33'],
  [0.23, 12, 0.01, '1x de R$ 0,12 e 11x de R$ 0,01'],
  [9_999_999_999.99, 2, 4_999_999_999.99, '1x de R$ 5.000.000.000,00 e 1x de R$ 4.999.999.999,99'],
]

test('simulates an amount by each method, with left-over cents in the first installment, and none below a cent', async (t) => {
  const { ask, everything, token } = await openMerchant(t)
  const before = await everything()
  for (const [amount, installments, each, summary] of cases) {
    const body = worked(await ask('POST', PATH, { token, body: { amount, installments } }))
    const atOnce = { installments: 1, installment_value: amount, total_amount: amount }
    const byCard = { installments, installment_value: each, total_amount: amount, original_amount: amount }
    const asked = { requested_amount: amount, requested_installments: installments, preferred_method: null }
    t.deepEqual(body.data, {
      pix: { method: 'pix', ...atOnce },
      boleto: { method: 'boleto', ...atOnce },
      credit_card: { method: 'credit_card', ...byCard },
      simulation_details: { ...asked, installments_summary: summary },
    })
  }
  t.deepEqual(wrongFields(await ask('POST', PATH, { token, body: { amount: 0.11, installments: 12 } })), ['amount'])
  t.deepEqual(await everything(), before, 'nothing is stored')
})

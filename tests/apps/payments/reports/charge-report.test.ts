import test, { type ExecutionContext } from 'ava'
import { errorsOf, openTestApi, worked } from '../test-api.ts'

const MESSAGE = 'Relatório de cobranças gerado com sucesso.'
const pending = { id: 1, title: 'pending', description: 'Pendente' }
const paid = { id: 2, title: 'paid', description: 'Pago' }
const deleted = { id: 6, title: 'DELETED', description: 'Apagado' }

/** Of one account: two pending and one deleted on the 30th, one paid on the 1st, one pending in January; of another, one. */
const open = async (t: ExecutionContext) => {
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
  return { ...api, report, token }
}

const row = (referenceDate: string, status: { readonly id: number }, of: readonly [number, number, number]) => ({
  reference_date: referenceDate,
  status_id: status.id,
  status,
  total_qtd: of[0],
  total_amount_paid: of[1],
  total_value: of[2],
})

test('charges are summed by the day on which they are due and by status, deleted ones too', async (t) => {
  const { report } = await open(t)
  const answer = await report('group_by=days&date_start=2026-11-30&date_end=2027-12-31')
  t.deepEqual([answer.status, answer.body.message], [200, MESSAGE])
  t.deepEqual(answer.body.data, [
    row('2026-11-30', pending, [2, 0, 10.5]),
    row('2026-11-30', deleted, [1, 0, 7]),
    row('2026-12-01', paid, [1, 99.99, 100]),
    row('2027-01-15', pending, [1, 0, 1]),
  ])
})

test('both ends are in the range, and nothing else', async (t) => {
  const { report } = await open(t)
  const days = async (from: string, to: string) =>
    (await report(`group_by=days&date_start=${from}&date_end=${to}`)).body.data.map(
      ({ reference_date: day }: { readonly reference_date: string }) => day,
    )
  t.deepEqual(await days('2026-12-01', '2026-12-01'), ['2026-12-01'])
  t.deepEqual(await days('2026-12-02', '2027-01-14'), [])
  t.deepEqual(await days('2026-12-01', '2027-01-15'), ['2026-12-01', '2027-01-15'])
})

test('the days of a month come together, of the days that are asked for', async (t) => {
  const { report, charge, token } = await open(t)
  await charge({ email: '', token, id: 1, uuid: '' }, { value: 2, due_date: '2026-11-29' })
  const { body } = await report('group_by=months&date_start=2026-11-29&date_end=2026-12-31')
  t.deepEqual(body.data, [
    row('2026-11', pending, [3, 0, 12.5]),
    row('2026-11', deleted, [1, 0, 7]),
    row('2026-12', paid, [1, 99.99, 100]),
  ])
})

const refused: readonly (readonly [query: string, fields: readonly string[]])[] = [
  ['', ['group_by', 'date_start', 'date_end']],
  ['group_by=years&date_start=2026-11-30&date_end=2026-11-30', ['group_by']],
  ['group_by=days&date_start=2026-02-30&date_end=x', ['date_start', 'date_end']],
  ['group_by=days&date_start=2026-11-30&date_end=2026-11-29', ['date_end']],
  ['group_by=days&group_by=days&date_start=2026-11-30&date_end=2026-11-30', ['group_by']],
]
test('a report is 422 by the name of what is missing or wrong', async (t) => {
  const { ask, merchant } = await openTestApi(t)
  const { token } = await merchant()
  for (const [query, fields] of refused) {
    const answer = await ask('GET', `/reports/invoices?${query}`, { token })
    t.is(answer.status, 422, query)
    t.deepEqual(Object.keys(errorsOf(answer)), fields)
  }
})

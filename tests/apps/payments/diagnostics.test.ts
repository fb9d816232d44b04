import test from 'ava'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { jobs } from '../../../core/payments/office.ts'
import { openTestApi, worked, wrongFields } from './test-api.ts'

test('queues at most one test job, and runs it', async (t) => {
  const { ask, every, drain, clock } = await openTestApi(t)
  const waiting = async () => (await every(jobs)).filter(({ id, dueAt }) => id === 'test-job' && dueAt !== null).length
  for (let round = 0; round < 2; round += 1) {
    const all = await Promise.all(Array.from({ length: 10 }, () => ask('GET', '/jobTeste')))
    for (const { status, text } of all) t.deepEqual([status, text], [200, 'disparado!'])
    t.is(await waiting(), 1)
    await drain(1)
    t.is(await waiting(), 0)
    t.is((await every(jobs)).find(({ id }) => id === 'test-job')?.lastRunAt, clock.now())
  }
})

const SICREDI = 25

test('counts the charges of all accounts at a bank by status and method, in a range of due dates', async (t) => {
  const { ask, merchant, charge, pay, host } = await openTestApi(t)
  const [one, other] = [await merchant(), await merchant('bia@example.com', '11222333000262')]
  const elsewhere = await merchant('caio@example.com', '11444777000161')
  await host.store.commit([patch(accounts, elsewhere.id, { set: { bankCode: '341' }, when: always })])
  for (const owner of [one, other, elsewhere]) await charge(owner, { due_date: '2026-11-30' })
  const settled = await charge(one, { due_date: '2026-12-01' })
  worked(await pay(settled.pix.txid))
  await charge(one, { due_date: '2026-12-02' })
  const rows = async (query: string, token?: string) =>
    worked(await ask('GET', `/testee?${query}`, { ...(token !== undefined && { token }) }))
  const row = (id: number, title: string, description: string, total: number) => {
    return { status_id: id, method: 'pix', total, status: { id, title, description } }
  }
  const [pending, paid] = [row(1, 'pending', 'Pendente', 2), row(2, 'paid', 'Pago', 1)]
  const range = 'dataInicio=2026-11-30&dataFim=2026-12-01'
  for (const token of [undefined, elsewhere.token])
    t.deepEqual(await rows(`${range}&bankId=${SICREDI}`, token), [pending, paid])
  t.deepEqual(await rows(`${range}&bankId=410`), [{ ...pending, total: 1 }])
  t.deepEqual(await rows('dataInicio=2026-12-01&dataFim=2026-12-01&bankId=25'), [paid])
  t.deepEqual(wrongFields(await ask('GET', `/testee?dataInicio=2026-11-30&dataFim=2026-11-29&bankId=25`)), ['dataFim'])
  for (const bankId of [1, 470, Number.MAX_SAFE_INTEGER]) t.deepEqual(await rows(`${range}&bankId=${bankId}`), [])

  // An account that changes its bank takes earlier charges along.
  t.is((await ask('PUT', `/fake-bank/accounts/${one.id}`, { body: { bank_code: '341' } })).status, 204)
  t.deepEqual(await rows(`${range}&bankId=${SICREDI}`), [{ ...pending, total: 1 }])
  t.deepEqual(await rows(`${range}&bankId=410`), [pending, paid])
})

// Also runs on MongoDB.
import test from 'ava'
import { entries, PIX_OUT, PIX_OUT_FEE } from '../../../../core/payments/ledger/ledger.ts'
import { FULL } from '../../../size.ts'
import { errorsOf, PIN, pluck, worked } from '../test-api.ts'
import { BANK, KEY, openWithdrawals, type Withdrawing } from './withdrawing.ts'

const CONFIRM = '/legacypay/withdraws/confirm'
const CALLERS = 50
/** The number of rounds of case M3. */
const CONFIRMED = FULL ? 100 : 3

const tally = (statuses: readonly number[]): Readonly<Record<number, number>> => {
  const counts: Record<number, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const FEE = 1

test.serial('M3: pays a withdrawal once that 50 requests confirm, with one entry and one of its fee', async (t) => {
  t.timeout(600_000)
  const w = await openWithdrawals(t, 2_000)
  await w.terms({ taxes: { pix_out: FEE } })
  let leftCents = 200_000
  for (let round = 1; round <= CONFIRMED; round += 1) {
    // Each of another value, since an equal one within the hour is a duplicate.
    const value = (1_000 + round) / 100
    leftCents -= 1_000 + round + FEE * 100
    const { data } = worked(await w.lookUp({ value }))
    const body = { internal_id: data.internal_id, keypix: KEY, value, pin: PIN }
    const confirmed = Array.from({ length: CALLERS }, async () => (await w.post(CONFIRM, body)).status)
    const { 201: paid, 409: used = 0, 422: repeated = 0, ...others } = tally(await Promise.all(confirmed))
    t.deepEqual([paid, used + repeated, others], [1, CALLERS - 1, {}])
    t.is((await w.paidOut()).length, round)
  }
  const lines = await w.api.every(entries)
  for (const { id } of [PIX_OUT, PIX_OUT_FEE]) t.is(lines.filter(({ typeId }) => typeId === id).length, CONFIRMED)
  const book = await w.book()
  t.deepEqual([book.balanceCents, book.availableCents], [leftCents, leftCents])
  t.deepEqual(await w.isWhole(), [])
})

test.serial("returns the bank's reason of a rejection, debits nothing and fails the withdrawal", async (t) => {
  const w = await openWithdrawals(t)
  worked(await w.api.ask('PUT', '/access/account', { token: w.merchant.token, body: { pin: PIN, webhook_url: HOOK } }))
  await w.api.fail('pay_out', 'refuse')
  const answer = await w.withdraw(10)
  t.deepEqual([answer.status, answer.body.success, answer.body.message], [422, false, 'Operação recusada pelo banco.'])
  const [record] = worked(await w.get('/recipients')).data
  t.is(record.status.value, 'failed')
  t.is(worked(await w.get(`/recipients/${record.id}`)).transaction, null)
  t.deepEqual([(await w.book()).availableCents, await w.waiting(), await w.paidOut()], [100_000, 0, []])
  await w.api.drain()
  t.deepEqual(eventsOf(w), [['withdraw.failed', record.id, 'failed']])
  t.is((await w.withdraw(10)).status, 201)
  await w.api.drain()
  t.is(eventsOf(w).filter(([type]) => type === 'withdraw.completed').length, 1)
})

const HOOK = 'https://loja.example/hook'
const eventsOf = (w: Withdrawing) =>
  w.api
    .told(HOOK)
    .filter(({ type }) => type.startsWith('withdraw.'))
    .map(({ type, data }) => [type, data.id, data.status.value])

test.serial(
  'returns 500 with Retry-After if the bank is unavailable; a looked-up key can be confirmed again',
  async (t) => {
    const w = await openWithdrawals(t)
    await w.api.fail('lookup_key', 'unavailable')
    const away = await w.lookUp({ value: 10 })
    t.deepEqual([away.status, away.headers.get('retry-after')], [500, '30'])
    t.regex(away.body.message, /banco/)
    const { data } = worked(await w.lookUp({ value: 10 }))
    const body = { internal_id: data.internal_id, keypix: KEY, value: 10, pin: PIN }
    await w.api.fail('pay_out', 'unavailable')
    const unreached = await w.post(CONFIRM, body)
    t.deepEqual([unreached.status, unreached.headers.get('retry-after')], [500, '30'])
    t.deepEqual([worked(await w.get('/recipients')).data, (await w.book()).availableCents], [[], 100_000])
    t.is((await w.post(CONFIRM, body)).status, 201)
    await w.api.fail('pay_out', 'unavailable')
    t.is((await w.post('/api/pix/withdraw-bank', { ...BANK, amount: 5 })).status, 500)
    t.is(worked(await w.get('/recipients')).data[0].status.value, 'failed')
    t.is((await w.post('/api/pix/withdraw-bank', { ...BANK, amount: 5 })).status, 200)
    t.is((await w.paidOut()).length, 2)
    t.deepEqual(await w.isWhole(), [])
  },
)

for (const mode of ['timeout', 'timeout_lost'])
  test.serial(`keeps a withdrawal pending and reserved after ${mode} until the bank answers`, async (t) => {
    const w = await openWithdrawals(t)
    await w.terms({ taxes: { pix_out: 1 } })
    await w.api.fail('pay_out', mode)
    const { status, body } = await w.withdraw(10)
    t.is(status, 202)
    t.deepEqual(Object.keys(body).sort(), ['data', 'message', 'success'])
    t.like(body.data, { status: { value: 'pending', title: 'Pendente' }, endtoendid: null })
    const { balanceCents, availableCents } = await w.book()
    t.deepEqual([balanceCents, availableCents, await w.waiting()], [100_000, 98_900, 1])
    const isPaid = mode === 'timeout'
    const endsAfter = isPaid ? 2 : 60
    await w.api.drain(endsAfter - 1)
    t.deepEqual([(await w.book()).availableCents, await w.waiting()], [98_900, 1])
    await w.api.drain(1)
    const { data, transaction } = worked(await w.get(`/recipients/${body.data.id}`))
    t.like(data, { status: { value: isPaid ? 'concluido' : 'failed' }, txid: body.data.txid })
    t.is(transaction?.value ?? null, isPaid ? -10 : null)
    const out: readonly { readonly txid: string }[] = await w.paidOut()
    t.deepEqual(pluck(out, 'txid'), isPaid ? [body.data.txid] : [])
    const after = await w.book()
    const leftCents = isPaid ? 98_900 : 100_000
    t.deepEqual([after.balanceCents, after.availableCents, await w.waiting()], [leftCents, leftCents, 0])
    t.deepEqual(await w.isWhole(), [])
  })

test.serial(
  'accepts 50 pending withdrawals, and returns 503 with Retry-After for one more without a reserve',
  async (t) => {
    const w = await openWithdrawals(t)
    await w.api.fail('pay_out', 'timeout_lost', 51)
    const pay = (n: number) => w.post('/api/pix/withdraw-bank', { ...BANK, account: `${n}`, amount: 1 })
    const statuses = []
    for (let n = 1; n <= 50; n += 1) statuses.push((await pay(n)).status)
    t.deepEqual(tally(statuses), { 202: 50 })
    const { status, headers } = await pay(51)
    t.deepEqual([status, headers.get('retry-after') !== null], [503, true])
    t.is((await w.book()).availableCents, 95_000)
    t.is((await w.post('/api/pix/withdraw-bank', { ...BANK, amount: 0.001 })).status, 422)
    t.deepEqual(Object.keys(errorsOf(await w.post('/api/pix/withdraw-bank', { ...BANK, amount: 1_000 }))), ['value'])
  },
)

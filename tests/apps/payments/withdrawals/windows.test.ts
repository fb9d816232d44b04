// Also runs on MongoDB, in test:long.
import test from 'ava'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { boundedCounts } from '../../../../core/payments/bounded-count.ts'
import { entries } from '../../../../core/payments/ledger/ledger.ts'
import { errorsOf, PIN, worked } from '../test-api.ts'
import { BANK, KEY, openWithdrawals } from './withdrawing.ts'

const CONFIRM = '/legacypay/withdraws/confirm'

test('returns the exceeded limit and the remaining amount, and does not count look-ups', async (t) => {
  const { api, merchant, post, terms, lookUp } = await openWithdrawals(t, 100)
  const why = async (mount: number) =>
    errorsOf(await post('/legacypay/saida-sicred', { mount, keyPix: KEY, pin: PIN })).value
  await terms({ limits: { pix_out_per_transaction: 40.5, pix_out_daily: 60, pix_out_nightly: null } })
  t.deepEqual(await why(40.51), ['O valor passa do limite por transação da conta, de R$ 40,50.'])
  t.is(await why(40), undefined)
  t.deepEqual(await why(20.01), ['O valor passa do que resta do limite da conta neste período: R$ 20,00.'])
  worked(await lookUp({ value: 5 }))
  const { token } = merchant
  const twice = { token, body: { keypix: KEY, value: 5 } }
  t.deepEqual(errorsOf(await api.ask('POST', '/recipients', twice)).value, [
    'Uma transferência deste valor para este destino já foi iniciada na última hora.',
  ])
})

test('keeps the duplicate window and the lock of the PIN when the clock goes back an hour', async (t) => {
  const w = await openWithdrawals(t)
  const { api, post } = w
  const direct = (mount: number, pin = PIN) => post('/legacypay/saida-sicred', { mount, keyPix: KEY, pin })
  worked(await direct(10))
  api.clock.advance(-3_600)
  t.deepEqual(Object.keys(errorsOf(await direct(10))), ['value'])
  worked(await direct(11))
  const times = (await api.every(entries)).map(({ datetime }) => datetime)
  t.deepEqual(times, times.toSorted())
  for (let guess = 0; guess < 5; guess += 1) t.is((await direct(12, `20000${guess}`)).body.error_code, 'pin.wrong')
  api.clock.advance(-3_600)
  t.deepEqual([(await direct(12)).status, (await direct(12)).body.error_code], [403, 'pin.locked'])
  t.is((await w.paidOut()).length, 2)
  t.deepEqual(await w.isWhole(), [])
})

test('shows the limits of the day and the night with the paid and pending amounts, without failed ones and fees', async (t) => {
  // 19:59:59 in São Paulo.
  const { api, merchant, post, terms } = await openWithdrawals(t, 1_000, { now: '2026-11-23T22:59:59.000Z' })
  await terms({
    limits: { pix_out_per_transaction: 50, pix_out_daily: 100, pix_out_nightly: 30 },
    taxes: { pix_out: 1 },
  })
  const pay = async (mount: number) => (await post('/legacypay/saida-sicred', { mount, keyPix: KEY, pin: PIN })).status
  const limits = async () =>
    worked(await api.ask('GET', '/v1/account/limits', { token: merchant.token })).limits.map(
      ({ period, limit, used, left, resets_at }: Record<string, unknown>) => [period, limit, used, left, resets_at],
    )
  t.is(await pay(50), 201)
  await api.fail('pay_out', 'refuse')
  t.is(await pay(10), 422)
  await api.fail('pay_out', 'timeout_lost')
  t.is(await pay(9), 202)
  const midnight = '2026-11-24T00:00:00-03:00'
  t.deepEqual(await limits(), [
    ['transaction', 50, null, 50, null],
    ['day', 100, 59, 41, midnight],
    ['night', 30, null, 30, null],
  ])
  // By night both limits apply.
  api.clock.advance(1)
  t.deepEqual([await pay(30.01), await pay(30), await pay(0.01)], [422, 201, 422])
  const byNight = ['night', 30, 30, 0, '2026-11-24T06:00:00-03:00']
  t.deepEqual((await limits()).slice(1), [['day', 100, 89, 11, midnight], byNight])
  // The bank does not have the pending one: it is returned to its day.
  await api.drain(60)
  t.deepEqual((await limits()).slice(1), [['day', 100, 80, 20, midnight], byNight])
})

test('limits unconfirmed look-ups by the hour over all routes, and releases the place of a confirmed one', async (t) => {
  const { api, merchant, post, withdraw, renew } = await openWithdrawals(t)
  const { store } = api.host
  await store.commit([patch(accounts, merchant.id, { set: { document: '12345678909' }, when: always })])
  let asked = 0
  const lookUp = async (path = '/legacypay/withdraws', keypix = `chave${asked++}@example.com`) => {
    const { status, body, headers } = await post(path, { keypix })
    return status === 429 ? [status, body.error_code, headers.get('retry-after')] : status
  }
  const direct = (keyPix: string, more = {}) => post('/legacypay/saida-sicred', { mount: 1, keyPix, pin: PIN, ...more })
  const counted = async () => (await api.every(boundedCounts)).map(({ count }) => count)
  // Half of them at once: each place is counted once.
  const atOnce = await Promise.all(Array.from({ length: 50 }, () => lookUp()))
  t.deepEqual([...new Set(atOnce)], [200])
  t.is(await lookUp('/recipients'), 200)
  t.is(await lookUp('/legacypay/withdraws', 'inexistente@example.com'), 404)
  t.is((await direct('outra@example.com', { documentoBeneficiario: '52998224725' })).status, 422)
  t.is((await direct('inexistente@example.com')).status, 404)
  t.deepEqual(await counted(), [54])
  // Unanswered, confirmed and reused look-ups take no place.
  await api.fail('lookup_key', 'unavailable')
  t.is(await lookUp(), 500)
  t.is((await withdraw(10)).status, 201)
  t.is((await direct('direta@example.com')).status, 201)
  t.is(await lookUp('/legacypay/withdraws', 'chave0@example.com'), 200)
  t.deepEqual(await counted(), [54])
  const earlier = worked(await post('/legacypay/withdraws', { keypix: 'chave1@example.com' })).data
  const last = await Promise.all(Array.from({ length: 60 }, () => lookUp()))
  t.is(last.filter((status) => status === 200).length, 46)
  const refused = [429, 'key.throttled', '3600']
  for (const answer of [...last.filter((status) => status !== 200), await lookUp('/recipients')])
    t.deepEqual(answer, refused)
  t.is((await direct('mais@example.com')).status, 429)
  t.is((await post('/legacypay/withdraws/bank', { ...BANK, amount: 7 })).status, 200)
  api.clock.advance(3_600)
  await renew()
  t.is(await lookUp(), 200)
  t.deepEqual(await counted(), [1])
  // A place of an earlier window is not released in this one.
  const confirmed = { internal_id: earlier.internal_id, keypix: 'chave1@example.com', value: 2, pin: PIN }
  t.is((await post(CONFIRM, confirmed)).status, 201)
  t.deepEqual(await counted(), [1])
  await store.commit([patch(accounts, merchant.id, { set: { document: '11222333000181' }, when: always })])
  await store.commit([patch(boundedCounts, `key-lookups|${merchant.id}`, { set: { count: 999 }, when: always })])
  t.is(await lookUp(), 200)
  t.is((await direct('fim@example.com')).status, 429)
})

// Also runs on MongoDB, in test:long.
import test, { type ExecutionContext } from 'ava'
import { titles } from '../../../../adapters/bank/fake/books.ts'
import { bankOperations } from '../../../../core/payments/bank/operation.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { MARIA, openTestApi, worked } from '../test-api.ts'

const HOOK = 'https://merchant.example/hook'
const TODAY = '2026-11-23'
/** From five past ten in São Paulo to past midnight: its key lives on. */
const NEXT_DAY_SECONDS = 14 * 3_600
/** Past every wait. */
const LATER_SECONDS = 4 * 3_600

/** A charge that is due today, of which the bank has not answered. */
const unanswered = async (t: ExecutionContext, mode: 'timeout' | 'timeout_lost') => {
  const api = await openTestApi(t)
  const merchant = await api.merchant()
  const body = { ...MARIA, due_date: TODAY, webhook: HOOK }
  const headers = { 'idempotency-key': 'k' }
  const issue = async () => api.ask('POST', '/invoices', { token: (await api.again(merchant)).token, body, headers })
  await api.fail('create_pix', mode)
  const first = await issue()
  t.like(worked(first).data, { status: { title: 'pending' }, pix: null })
  const [charge] = await api.every(charges)
  return {
    ...api,
    issue,
    first,
    txid: charge?.txid ?? '',
    told: () => api.told(HOOK).map(({ type }) => type),
    states: async () =>
      Object.fromEntries((await api.every(bankOperations)).map(({ kind, state }) => [kind, state] as const)),
    status: async () => (await api.every(charges)).map(({ status, operationId }) => [status, operationId]),
    titled: async () => (await api.every(titles)).map(({ status }) => status),
  }
}

test('a title that the bank made for a charge that has expired meanwhile is closed, and never told as created', async (t) => {
  const { clock, drain, told, titled, status, states, issue, first } = await unanswered(t, 'timeout')
  clock.advance(NEXT_DAY_SECONDS)
  await drain()
  t.deepEqual(await titled(), ['cancelled'])
  t.deepEqual(await status(), [['expired', null]])
  t.like(await states(), { 'create-title': 'done', 'cancel-title': 'done' })
  clock.advance(LATER_SECONDS)
  await drain()
  t.deepEqual(told(), ['charge.expired'])
  t.is((await issue()).text, first.text)
})

test('a title that the bank does not know is not asked for any more once its charge has expired', async (t) => {
  const { clock, drain, told, titled, status, states } = await unanswered(t, 'timeout_lost')
  clock.advance(NEXT_DAY_SECONDS)
  await drain()
  t.like(await states(), { 'create-title': 'asking' }, 'what was sent may still be on its way')
  for (let waits = 0; waits < 3; waits += 1) {
    clock.advance(3_600)
    await drain()
  }
  t.like(await states(), { 'create-title': 'withdrawn' })
  t.deepEqual(await titled(), [])
  t.deepEqual(await status(), [['expired', null]])
  t.deepEqual(told(), ['charge.expired'])
})

test('a cancellation that the bank does not answer is asked again until it does', async (t) => {
  const { clock, drain, titled, fail, states, status } = await unanswered(t, 'timeout')
  await fail('cancel_title', 'timeout_lost', 3)
  clock.advance(NEXT_DAY_SECONDS)
  await drain()
  for (const wait of [10, 20]) {
    t.deepEqual(await titled(), ['open'])
    t.like(await states(), { 'cancel-title': 'asking' })
    clock.advance(wait)
    await drain()
  }
  clock.advance(40)
  await drain()
  t.deepEqual(await titled(), ['cancelled'])
  t.deepEqual(await status(), [['expired', null]])
})

test('a charge that the bank cancels before it has answered for its title is told as cancelled alone', async (t) => {
  const { clock, drain, told, ask, txid, states, status } = await unanswered(t, 'timeout')
  worked(await ask('POST', '/fake-bank/cancellations', { body: { txid } }))
  clock.advance(5)
  await drain()
  t.deepEqual(told(), ['charge.cancelled'])
  t.deepEqual(await status(), [['cancelled', null]])
  t.is((await states())['cancel-title'], undefined, 'it is closed already')
})

// Also runs on MongoDB, in test:long.
// Runs alone.

import test from 'ava'
import { entries, type LedgerAccount, ledgerAccounts } from '../../../../core/payments/ledger/ledger.ts'
import { verifyReserves } from '../../../../core/payments/reserves/verify-reserves.ts'
import { inLanes, numbers } from '../../processes/lanes.ts'
import { CARDS, cardBody } from '../given/cards.ts'
import { PIN, pluck, worked } from '../test-api.ts'
import { BANK, openWithdrawals, type Withdrawing } from './withdrawing.ts'

const REQUESTS = 200
const LANES = 50
const FEE_CENTS = 100
const START_CENTS = 70_000
/** Longer than the lease of a pay-out. */
const LEASE_SECONDS = 61
/** The net amount of the card sales: about 22 card withdrawals add it to the balance meanwhile. */
const SOLD = 400

interface RouteContext {
  readonly w: Withdrawing
  readonly chargeId: number
  readonly otherKey: string
}

/** `went` if the money left or arrived, at once or after the bank's answer; `no` if the balance was insufficient. */
type Route = (context: RouteContext, value: number) => Promise<string>

const outcome = ({ status, text }: { readonly status: number; readonly text: string }): string => {
  if (status === 200 || status === 201 || status === 202) return 'went'
  return status === 422 || text.includes('transfer.balance') ? 'no' : `${status} ${text}`
}

const ANA = 'ana@example.com'

const confirmed =
  (lookUpAt: string, confirmAt: string, keypix: string): Route =>
  async ({ w }, value) => {
    const looked = await w.post(lookUpAt, { keypix, value })
    if (looked.status !== 200) return outcome(looked)
    const internal_id = looked.body.data.internal_id
    return outcome(await w.post(confirmAt, { internal_id, keypix, value, pin: PIN }))
  }

const paid =
  (path: string, bodyOf: (value: number) => object): Route =>
  async ({ w }, value) =>
    outcome(await w.post(path, bodyOf(value)))

const OUT: readonly Route[] = [
  confirmed('/recipients', '/api/pix/withdraw', ANA),
  confirmed('/legacypay/withdraws', '/legacypay/withdraws/confirm', 'maria@example.com'),
  paid('/api/pix/withdraw-bank', (amount) => ({ ...BANK, amount })),
  paid('/legacypay/withdraws/bank', (amount) => ({ ...BANK, account: '99', amount })),
  paid('/legacypay/saida-sicred', (mount) => ({ mount, keyPix: 'eva@example.com', pin: PIN })),
  paid('/legacypay/pix-out/dataBank', (amount) => ({ ...BANK, branch: '77', account: '5', amount })),
  async ({ w, otherKey }, amount) => outcome(await w.post('/transfers/internal', { token: otherKey, amount })),
  async ({ w, chargeId }, value) => outcome(await w.post(`/invoices/${chargeId}/refund`, { value })),
]

/** The number of the first routes, which have a fee. */
const WITHDRAWALS = 6

const cardIn: Route = async ({ w }, amount) => outcome(await w.post('/transactions/card/withdraw', { amount }))

const ROUTES: readonly Route[] = [...OUT, cardIn]

test.serial('pays out at most the balance by all routes at once, at any instant', async (t) => {
  t.timeout(600_000)
  const w = await openWithdrawals(t, START_CENTS / 100)
  const { api, merchant } = w
  const { token } = merchant
  const [charge] = worked(await w.get('/invoices')).data
  const other = await api.fund(await api.merchant())
  const { account } = worked(await api.ask('GET', '/access/account', { token: other.token }))
  worked(await api.ask('POST', '/invoices', { token, body: cardBody(CARDS.visa, { value: SOLD }) }))
  await w.terms({ taxes: { pix_out: FEE_CENTS / 100 } })

  // Read after each reply while others run, as any reader sees the store.
  const low: LedgerAccount[] = []
  const look = async () => {
    for (const book of await api.every(ledgerAccounts))
      if (book.availableCents < 0 || book.balanceCents < book.availableCents) low.push(book)
  }
  const context: RouteContext = { w, chargeId: charge.id, otherKey: account.token }
  // Each of another value, since an equal one within the hour is rejected.
  const said = await inLanes(LANES, numbers(REQUESTS), async (at) => {
    const route = ROUTES[at % ROUTES.length] ?? cardIn
    const answer = await route(context, (1_000 + at) / 100)
    await look()
    return { route, valueCents: 1_000 + at, said: answer }
  })
  // Some of many simultaneous refunds at the embedded bank are completed by the worker.
  for (let round = 0; round < 3; round += 1) {
    await api.drain(LEASE_SECONDS)
    await look()
  }
  t.deepEqual(low, [])

  t.deepEqual(
    pluck(
      said.filter((each) => each.said !== 'went' && each.said !== 'no'),
      'said',
    ),
    [],
  )
  const went = (route: Route) => said.filter((each) => each.route === route && each.said === 'went')
  const sum = (of: readonly { readonly valueCents: number }[]) => of.reduce((all, each) => all + each.valueCents, 0)
  for (const route of ROUTES) t.true(went(route).length > 0)
  const left = OUT.flatMap(went)
  t.true(left.length < REQUESTS - REQUESTS / ROUTES.length, 'something did not fit')
  const fees = FEE_CENTS * OUT.slice(0, WITHDRAWALS).flatMap(went).length
  const expected = START_CENTS + sum(went(cardIn)) - sum(left) - fees
  const { balanceCents, availableCents } = await w.book()
  t.deepEqual([balanceCents, availableCents], [expected, expected])
  t.true(expected >= 0)

  const lines = (await api.every(entries)).filter(({ book }) => book === `${merchant.id}:main`)
  const debits = sum(lines.filter(({ valueCents }) => valueCents < 0))
  const credits = sum(lines.filter(({ valueCents }) => valueCents > 0))
  t.true(-debits <= credits)
  t.is(credits + debits, balanceCents)
  t.is(await w.waiting(), 0)
  t.deepEqual(await w.isWhole(), [])
  t.deepEqual((await verifyReserves(api.host.store)).faults, [])
})

// Also runs on MongoDB, in test:long.
// Runs alone.
import test from 'ava'
import { entries, type LedgerAccount, ledgerAccounts } from '../../../../core/payments/ledger/ledger.ts'
import { verifyReserves } from '../../../../core/payments/reserves/verify-reserves.ts'
import { CARDS, cardBody } from '../../given/cards.ts'
import { inLanes, numbers } from '../../processes/merchants.ts'
import { worked } from '../test-api.ts'
import { BANK, openWithdrawals, PIN, rich, type Withdrawing } from './withdrawing.ts'

const REQUESTS = 200
const LANES = 50
const FEE_CENTS = 100
const START_CENTS = 70_000
/** Longer than the bank is waited for. */
const LEASE_SECONDS = 61
/** The net of what was sold by card: some 33 withdrawals of it bring money in meanwhile. */
const SOLD = 400

interface Doors {
  readonly w: Withdrawing
  readonly chargeId: number
  readonly otherKey: string
}

/** `went` where it goes out or came in, at once or when the bank has answered; `no` where there was not enough. */
type Door = (doors: Doors, value: number) => Promise<string>

const outcome = ({ status, text }: { readonly status: number; readonly text: string }): string => {
  if (status === 200 || status === 201 || status === 202) return 'went'
  return status === 422 || text.includes('transfer.balance') ? 'no' : `${status} ${text}`
}

const ANA = 'ana@example.com'

const confirmed =
  (lookUpAt: string, confirmAt: string, keypix: string): Door =>
  async ({ w }, value) => {
    const looked = await w.post(lookUpAt, { keypix, value })
    if (looked.status !== 200) return outcome(looked)
    const internal_id = looked.body.data.internal_id
    return outcome(await w.post(confirmAt, { internal_id, keypix, value, pin: PIN }))
  }

const OUT: readonly Door[] = [
  confirmed('/recipients', '/api/pix/withdraw', ANA),
  confirmed('/legacypay/withdraws', '/legacypay/withdraws/confirm', 'maria@example.com'),
  async ({ w }, value) => outcome(await w.post('/api/pix/withdraw-bank', { ...BANK, amount: value })),
  async ({ w, otherKey }, amount) => outcome(await w.post('/transfers/internal', { token: otherKey, amount })),
  async ({ w, chargeId }, value) => outcome(await w.post(`/invoices/${chargeId}/refund`, { value })),
]

const cardIn: Door = async ({ w }, amount) => outcome(await w.post('/transactions/card/withdraw', { amount }))

const DOORS: readonly Door[] = [...OUT, cardIn]

test.serial('through every door at once no more leaves than there is, at no instant', async (t) => {
  t.timeout(600_000)
  const w = await openWithdrawals(t, START_CENTS / 100)
  const { api, merchant } = w
  const { token } = merchant
  const [charge] = worked(await w.get('/invoices')).data
  const other = await rich(api, 0)
  const { account } = worked(await api.ask('GET', '/access/account', { token: other.token }))
  worked(await api.ask('POST', '/invoices', { token, body: cardBody(CARDS.visa, { value: SOLD }) }))
  await w.terms({ taxes: { pix_out: FEE_CENTS / 100 } })

  // Looked at after each answer, while others run: by whoever reads, not between two steps of one commit.
  const low: LedgerAccount[] = []
  const look = async () => {
    for (const book of await api.every(ledgerAccounts))
      if (book.availableCents < 0 || book.balanceCents < book.availableCents) low.push(book)
  }
  const doors: Doors = { w, chargeId: charge.id, otherKey: account.token }
  // Each of another value, since the same again within the hour is refused.
  const said = await inLanes(LANES, numbers(REQUESTS), async (at) => {
    const door = DOORS[at % DOORS.length] ?? cardIn
    const answer = await door(doors, (1_000 + at) / 100)
    await look()
    return { door, valueCents: 1_000 + at, said: answer }
  })
  // Where many refunds meet at the embedded bank some are held until it is asked again.
  for (let round = 0; round < 3; round += 1) {
    api.clock.advance(LEASE_SECONDS)
    await api.drain()
    await look()
  }
  t.deepEqual(low, [])

  t.deepEqual(
    said.filter((each) => each.said !== 'went' && each.said !== 'no').map((each) => each.said),
    [],
  )
  const went = (door: Door) => said.filter((each) => each.door === door && each.said === 'went')
  const sum = (of: readonly { readonly valueCents: number }[]) => of.reduce((all, each) => all + each.valueCents, 0)
  for (const door of DOORS) t.true(went(door).length > 0)
  const left = OUT.flatMap(went)
  t.true(left.length < REQUESTS - REQUESTS / DOORS.length, 'something did not fit')
  const fees = FEE_CENTS * OUT.slice(0, 3).flatMap(went).length
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

// Also runs on MongoDB.
import test, { type ExecutionContext } from 'ava'
import { entries } from '../../../../core/payments/ledger/ledger.ts'
import { verifyLedger } from '../../../../core/payments/ledger/verify-ledger.ts'
import { transfers } from '../../../../core/payments/transfers/transfer.ts'
import { FULL } from '../../../size.ts'
import { inLanes, numbers } from '../../processes/lanes.ts'
import { type Answer, openTestApi, type TestApi } from '../test-api.ts'
import { bookOf, type Holder, holder, inShort, paidOut, transfer } from './payers.ts'

const LANES = 50

/** Counts equal answers. */
const counted = (answers: readonly Answer[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const answer of answers) {
    const what = inShort(answer).join(' ')
    counts[what] = (counts[what] ?? 0) + 1
  }
  return counts
}

/** Asserts that completed transfers, pay-outs of the bank and entries of both accounts agree. */
const assertAgreement = async (t: ExecutionContext, api: TestApi, holders: readonly Holder[]): Promise<void> => {
  const went = (await api.every(transfers)).filter(({ status }) => status === 'completed').map(({ id }) => id)
  const lines = await api.every(entries)
  const postedAs = (typeId: number) => lines.filter((line) => line.typeId === typeId).map(({ txid }) => txid)
  for (const ids of [postedAs(7), postedAs(8)]) t.deepEqual(ids.toSorted(), went.toSorted())
  t.is((await paidOut(api)).length, Math.min(went.length, 500))
  t.deepEqual((await verifyLedger(api.host.store)).faults, [])
  for (const each of holders) {
    const [balance, available] = await bookOf(api, each)
    t.is(available, balance)
  }
}

test('completes 60 of 200 simultaneous transfers if the balance suffices for 60', async (t) => {
  t.timeout(600_000)
  const api = await openTestApi(t)
  // Amounts differ, since equal transfers are rejected as repeated. Any 60 of them fit, and no 61.
  const [from, to] = [await holder(api, 60_500), await holder(api, 0)]
  const amounts = numbers(200).map((index) => 1_000 + index / 100)
  const answers = await inLanes(LANES, amounts, (amount) => transfer(api, from, to, amount))
  t.deepEqual(counted(answers), { '200 REALIZED': 60, '400 transfer.balance': 140 })
  const sent = answers.flatMap(({ status }, index) => (status === 200 ? [100_000 + index] : []))
  const sum = sent.reduce((all, cents) => all + cents, 0)
  t.deepEqual(await bookOf(api, from), [6_050_000 - sum, 6_050_000 - sum])
  t.deepEqual(await bookOf(api, to), [sum, sum])
  await assertAgreement(t, api, [from, to])
})

test('makes one transfer for 50 requests with one key, and one for 50 equal requests without a key', async (t) => {
  t.timeout(600_000)
  const api = await openTestApi(t)
  const [from, to] = [await holder(api, 1_000), await holder(api, 0)]
  const headers = { 'idempotency-key': 'repasse' }
  const keyed = await inLanes(LANES, numbers(50), () => transfer(api, from, to, 10, { headers }))
  const done = keyed.filter(({ status }) => status === 200)
  t.true(done.length > 0)
  t.is(new Set(done.map(({ body }) => body.data.txid)).size, 1)
  t.true(keyed.every(({ status }) => status === 200 || status === 409))
  t.is((await paidOut(api)).length, 1)
  const plain = await inLanes(LANES, numbers(50), () => transfer(api, from, to, 20))
  t.deepEqual(counted(plain), { '200 REALIZED': 1, '400 transfer.repeated': 49 })
  t.deepEqual(await bookOf(api, from), [97_000, 97_000])
  t.deepEqual(await bookOf(api, to), [3_000, 3_000])
  await assertAgreement(t, api, [from, to])
})

const OPPOSITE = FULL ? 3_000 : 100
const WORKERS = 64

test('completes simultaneous opposite transfers, and keeps the total', async (t) => {
  t.timeout(3_600_000)
  const api = await openTestApi(t)
  const [anna, bia] = [await holder(api, 1_000_000), await holder(api, 1_000_000)]
  const answers = await inLanes(WORKERS, numbers(OPPOSITE), (index) => {
    const [from, to] = index % 2 === 0 ? [anna, bia] : [bia, anna]
    return transfer(api, from, to, (index + 1) / 100)
  })
  t.deepEqual(counted(answers), { '200 REALIZED': OPPOSITE })
  // Each transfer back is a cent larger than the one before it.
  const back = OPPOSITE / 2
  t.deepEqual(await bookOf(api, anna), [100_000_000 + back, 100_000_000 + back])
  t.deepEqual(await bookOf(api, bia), [100_000_000 - back, 100_000_000 - back])
  await assertAgreement(t, api, [anna, bia])
})

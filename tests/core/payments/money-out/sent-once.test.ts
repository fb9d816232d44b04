import test from 'ava'
import { bankOperations } from '../../../../core/payments/bank/operation.ts'
import { events } from '../../../../core/payments/events.ts'
import { notifications } from '../../../../core/payments/inbox/inbox.ts'
import { transfers } from '../../../../core/payments/transfers/transfer.ts'
import { payOutSums } from '../../../../core/payments/withdrawals/limits.ts'
import { withdrawals } from '../../../../core/payments/withdrawals/withdrawal.ts'
import type { BankAnswer, CompletedPayOut, PayOutOrder } from '../../../../core/ports/bank.ts'
import { failureOf, right } from '../world.ts'
import { twoAccounts } from './two-accounts.ts'

const CENTS = 90_000
const BEFORE = 100_000
const FEE = 100
const KEY = 'ana@cliente.test'
const HOURS = 3_600
const UNKNOWN = { outcome: 'unknown' } as const

/** A bank whose first order is lost on its way, until it is let arrive. */
const lossy = async () => {
  const orders: PayOutOrder[] = []
  const asked: string[] = []
  const bank = { arrive: async (): Promise<unknown> => null, isSilent: false }
  const business = await twoAccounts({
    instead: ({ payOuts }, clock) => ({
      payOuts: {
        ...payOuts,
        payOut: async (order): Promise<BankAnswer<CompletedPayOut>> => {
          orders.push(order)
          if (orders.length > 1) return payOuts.payOut(order)
          bank.arrive = () => payOuts.payOut(order)
          return UNKNOWN
        },
        findPayOut: async (id) => {
          asked.push(clock.now())
          return bank.isSilent ? UNKNOWN : payOuts.findPayOut(id)
        },
      },
    }),
  })
  const { pay, from, drain, clock, every } = business
  right(await pay.accounts.setTerms(from.id, { fees: { pixOutCents: FEE } })())
  return {
    ...{ ...business, bank, orders, asked },
    only: async () => (await every(withdrawals))[0],
    operation: async () => (await every(bankOperations)).find(({ kind }) => kind === 'pay-out'),
    withdraw: (valueCents: number) => pay.withdrawals.payKey(from.member, { key: KEY, valueCents })(),
    after: async (seconds: number) => {
      clock.advance(seconds)
      await drain()
    },
    told: async () =>
      (await every(notifications)).flatMap(({ type, accountId, userId, data }) =>
        type === 'pay_out.late' ? [{ accountId, userId, data: JSON.parse(data) }] : [],
      ),
    eventTypes: async () =>
      (await every(events)).map(({ type }) => type).filter((type) => type.startsWith('withdraw.')),
    sums: async () => (await every(payOutSums)).map(({ id, amount }) => `${id} ${amount}`).toSorted(),
  }
}

test('fails a withdrawal that the bank does not know after 60 s, and releases its money', async (t) => {
  const { withdraw, after, orders, books, only, eventTypes, sums, faults } = await lossy()
  t.is(right(await withdraw(CENTS)).withdrawal.status, 'pending')
  for (const seconds of [2, 57]) {
    await after(seconds)
    t.like(await only(), { status: 'pending' })
    t.deepEqual((await books())[0], [BEFORE, BEFORE - CENTS - FEE])
  }
  await after(1)
  t.like(await only(), { status: 'failed', failure: 'O banco não conhece a operação.' })
  t.deepEqual((await books())[0], [BEFORE, BEFORE])
  t.deepEqual(await sums(), ['1|day|2026-11-23 0', '1|waiting 0'])
  t.is(orders.length, 1)
  t.deepEqual(await eventTypes(), ['withdraw.failed'])
  t.deepEqual(await faults(), [])
})

test('posts a failed withdrawal that the bank reports within three hours, below zero if needed, and notifies the ADMINs', async (t) => {
  const { withdraw, after, bank, books, lines, every, eventTypes, told, sums, faults, from, orders } = await lossy()
  t.is(right(await withdraw(CENTS)).withdrawal.status, 'pending')
  await after(60)
  // The money is spent meanwhile, on something else.
  t.is(right(await withdraw(CENTS + 1)).withdrawal.status, 'completed')
  await after(2 * HOURS)
  await bank.arrive()
  await after(60)
  const late = (await every(withdrawals)).find(({ valueCents }) => valueCents === CENTS)
  t.like(late, { status: 'completed', failure: null })
  const left = BEFORE - (CENTS + 1 + FEE) - (CENTS + FEE)
  t.deepEqual((await books())[0], [left, left])
  t.is((await lines()).join(' '), `2,-${CENTS + 1} 4,-${FEE} 2,-${CENTS} 4,-${FEE}`)
  t.deepEqual((await eventTypes()).toSorted(), ['withdraw.completed', 'withdraw.completed', 'withdraw.failed'])
  const data = { txid: orders[0]?.id, end_to_end_id: late?.endToEndId, value: CENTS / 100 }
  t.deepEqual(await told(), [{ accountId: from.id, userId: from.member.userId, data }])
  t.deepEqual(await sums(), [`1|day|2026-11-23 ${2 * CENTS + 1}`, '1|waiting 0'])
  // A completed withdrawal blocks repeats for an hour.
  const again = failureOf(await withdraw(CENTS))
  t.true(again !== null && 'issues' in again && again.issues?.[0]?.code === 'withdrawal.repeated')
  await after(4 * HOURS)
  t.is((await told()).length, 1)
  t.is((await lines()).length, 4)
  t.is(orders.length, 2)
  t.deepEqual(await faults(), [])
})

test('requests the outcome each minute for three more hours', async (t) => {
  const { withdraw, after, asked, operation } = await lossy()
  await withdraw(CENTS)
  await after(60)
  const before = asked.length
  for (let minute = 0; minute < 3 * 60; minute += 1) await after(60)
  t.is(asked.length - before, 3 * 60)
  t.like(await operation(), { state: 'refused', dueAt: null })
  t.not((await operation())?.expiresAt, null)
  await after(2 * HOURS)
  t.is(asked.length - before, 3 * 60)
})

test('retries without an answer after 2 s, doubling to a minute, without end', async (t) => {
  const { withdraw, clock, drain, asked, bank, operation, books } = await lossy()
  bank.isSilent = true
  await withdraw(CENTS)
  const begun = Date.parse(clock.now())
  for (let looks = 0; looks < 9; looks += 1) {
    clock.set((await operation())?.dueAt ?? '')
    await drain()
  }
  const at = asked.map((instant) => Math.round((Date.parse(instant) - begun) / 1_000))
  t.deepEqual(at, [2, 6, 14, 30, 60, 120, 180, 240, 300])
  t.deepEqual((await books())[0], [BEFORE, BEFORE - CENTS - FEE])
  bank.isSilent = false
  clock.advance(60)
  await drain()
  t.deepEqual((await books())[0], [BEFORE, BEFORE])
})

test('a delayed first caller does not send the order any more', async (t) => {
  const { withdraw, pay, clock, orders, books, faults } = await lossy()
  const { commit } = pay.ports.store
  let commits = 0
  Object.assign(pay.ports.store, {
    commit: async (...given: Parameters<typeof commit>) => {
      const outcome = await commit(...given)
      commits += 1
      // The first counts the look-up of the key.
      if (commits === 2) clock.advance(30)
      return outcome
    },
  })
  t.is(failureOf(await withdraw(CENTS))?.code, 'bank.unavailable')
  t.is(orders.length, 0)
  t.deepEqual((await books())[0], [BEFORE, BEFORE])
  t.deepEqual(await faults(), [])
})

test('requests outcomes at once after a start', async (t) => {
  const { withdraw, bank, clock, pay, books } = await lossy()
  await withdraw(CENTS)
  await bank.arrive()
  clock.advance(1)
  const worker = pay.worker()
  await worker.drain()
  t.deepEqual((await books())[0], [BEFORE, BEFORE - CENTS - FEE])
  await worker.prepare()
  await worker.drain()
  t.deepEqual((await books())[0], [BEFORE - CENTS - FEE, BEFORE - CENTS - FEE])
})

test("posts a failed transfer that the bank reports in both accounts, and notifies the sender's ADMINs", async (t) => {
  const { send, after, bank, orders, books, every, told, from, faults } = await lossy()
  t.is(right(await send(CENTS)()).status, 'pending')
  await after(60)
  t.like((await every(transfers))[0], { status: 'failed' })
  t.is((await books()).join(), `${BEFORE},${BEFORE},0,0`)
  await after(2 * HOURS)
  await bank.arrive()
  await after(60)
  const [transfer] = await every(transfers)
  t.like(transfer, { status: 'completed', failure: null })
  t.is((await books()).join(), `${BEFORE - CENTS},${BEFORE - CENTS},${CENTS},${CENTS}`)
  const data = { txid: transfer?.id, end_to_end_id: transfer?.endToEndId, value: CENTS / 100 }
  t.deepEqual(await told(), [{ accountId: from.id, userId: from.member.userId, data }])
  t.is(failureOf(await send(CENTS)())?.code, 'transfer.repeated')
  t.is(orders.length, 1)
  t.deepEqual(await faults(), [])
})

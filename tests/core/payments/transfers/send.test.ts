import test from 'ava'
import { isLeft } from '../../../../core/fp.ts'
import type { BankAnswer, CompletedPayOut, PayOuts } from '../../../../core/ports/bank.ts'
import { failureOf, right } from '../access/test-ports.ts'
import { twoAccounts as accounts, NOW } from '../money-out/two-accounts.ts'

type Calls = Partial<Pick<PayOuts, 'payOut' | 'findPayOut'>>

/** Two accounts whose bank takes pay-outs as `calls` say. */
const twoAccounts = (calls: (payOuts: PayOuts) => Calls = () => ({})) =>
  accounts({ instead: ({ payOuts }) => ({ payOuts: { ...payOuts, ...calls(payOuts) } }) })

test('returns the first transfer for a repeated idempotency key', async (t) => {
  const { pay, from, to, send, books, faults } = await twoAccounts()
  const sent = right(await send(2_500)({ key: 'um' }))
  t.like(sent, { accountId: from.id, toAccountId: to.id, valueCents: 2_500, status: 'completed', failure: null })
  t.deepEqual(right(await send(2_500)({ key: 'um' })), sent)
  t.is(failureOf(await send(2_500)())?.code, 'transfer.repeated')
  const wrong = failureOf(await pay.transfers.send(from.member, { apiKey: '', valueCents: 0 })())
  t.deepEqual(wrong?.tag === 'invalid' ? wrong.issues.map(({ path }) => path) : [], ['apiKey', 'valueCents'])
  t.deepEqual(right(await pay.transfers.resume(sent.id)()), sent)
  t.is(failureOf(await pay.transfers.resume('nenhuma')())?.code, 'transfer.unknown')
  t.deepEqual(await books(), [
    [97_500, 97_500],
    [2_500, 2_500],
  ])
  t.deepEqual(await faults(), [])
})

test('does not credit a Pix again that the bank reports after the transfer', async (t) => {
  const { pay, to, send, lines, faults } = await twoAccounts()
  const { endToEndId } = right(await send(2_500)())
  const told = {
    endToEndId: endToEndId ?? '',
    txid: null,
    pixKey: to.pixKey,
    valueCents: 2_500,
    paidAt: NOW,
    payer: null,
  }
  t.deepEqual(right(await pay.bank.received(told)()), { accountId: to.id, posted: false })
  t.deepEqual(await lines(), [
    [8, -2_500],
    [7, 2_500],
  ])
  t.deepEqual(await faults(), [])
})

test('does not credit a Pix again that the bank has reported before its answer', async (t) => {
  let tell: (paid: CompletedPayOut) => Promise<unknown> = async () => null
  const { pay, to, send, lines, books, faults } = await twoAccounts((payOuts) => ({
    payOut: async (order) => {
      const answer = await payOuts.payOut(order)
      if (answer.outcome === 'done') await tell(answer.value)
      return answer
    },
  }))
  tell = ({ endToEndId }) =>
    pay.bank.received({ endToEndId, txid: null, pixKey: to.pixKey, valueCents: 2_500, paidAt: NOW, payer: null })()
  t.is(right(await send(2_500)()).status, 'completed')
  t.deepEqual(await lines(), [
    [1, 2_500],
    [8, -2_500],
  ])
  t.deepEqual(await books(), [
    [97_500, 97_500],
    [2_500, 2_500],
  ])
  t.deepEqual(await faults(), [])
})

test('a slow first caller leaves the outcome to the later caller', async (t) => {
  let letGo: (answer: BankAnswer<CompletedPayOut>) => void = () => {}
  const orders: string[] = []
  const { pay, clock, send, books, lines, faults } = await twoAccounts((payOuts) => ({
    payOut: (order) => {
      orders.push(order.id)
      // It is paid, and its answer is late.
      return payOuts.payOut(order).then(
        () =>
          new Promise((resolve) => {
            letGo = resolve
          }),
      )
    },
  }))
  const first = send(2_500)()
  while (orders.length === 0) await new Promise((resolve) => setImmediate(resolve))
  t.deepEqual(await books(), [
    [100_000, 97_500],
    [0, 0],
  ])
  clock.advance(60)
  await pay.worker().drain()
  t.is(orders.length, 1)
  letGo({ outcome: 'unavailable' })
  t.is(right(await first).status, 'completed')
  t.deepEqual(await lines(), [
    [8, -2_500],
    [7, 2_500],
  ])
  t.deepEqual(await faults(), [])
})

test('posts a refused transfer that the bank has paid after all', async (t) => {
  let letGo = (): void => {}
  let calls = 0
  const { pay, clock, send, books, faults } = await twoAccounts((payOuts) => ({
    payOut: async (order) => {
      calls += 1
      if (calls > 1) return { outcome: 'refused', reason: 'Não.' }
      await new Promise<void>((resolve) => {
        letGo = resolve
      })
      return payOuts.payOut(order)
    },
  }))
  const first = send(2_500)()
  while (calls === 0) await new Promise((resolve) => setImmediate(resolve))
  clock.advance(60)
  await pay.worker().drain()
  t.deepEqual(await books(), [
    [100_000, 100_000],
    [0, 0],
  ])
  letGo()
  const sent = await first
  t.is(isLeft(sent) ? sent.left.code : sent.right.status, 'completed')
  t.deepEqual(await books(), [
    [97_500, 97_500],
    [2_500, 2_500],
  ])
  t.deepEqual(await faults(), [])
})

test('accepts only as many simultaneous transfers as the balance allows', async (t) => {
  const { send, books, faults } = await twoAccounts()
  // Any 6 of them fit, and no 7.
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => send(15_000 + index)()))
  const codes = answers.flatMap((answer) => (isLeft(answer) ? [answer.left.code] : []))
  t.deepEqual([codes.length, new Set(codes)], [34, new Set(['transfer.balance'])])
  const sum = answers.reduce((all, answer) => (isLeft(answer) ? all : all + answer.right.valueCents), 0)
  t.deepEqual(await books(), [
    [100_000 - sum, 100_000 - sum],
    [sum, sum],
  ])
  t.deepEqual(await faults(), [])
})

import test from 'ava'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { collectionsOf } from '../../../../apps/host/host.ts'
import { payments } from '../../../../apps/payments/app.ts'
import { transfers } from '../../../../core/payments/transfers/transfer.ts'
import type { CompletedPayOut } from '../../../../core/ports/bank.ts'
import { beforeCommits, deferred, until } from '../../kernel/running/tasks.ts'
import { twoAccounts } from '../money-out/two-accounts.ts'
import { failureOf, NOW, right } from '../world.ts'

/** The balances after transfers of a sum: no money is reserved. */
const after = (cents: number) => [100_000 - cents, cents].map((balance) => [balance, balance])

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
  t.deepEqual(await books(), after(2_500))
  t.deepEqual(await faults(), [])
})

for (const [when, lines] of [
  ['after the transfer', '8,-2500 7,2500'],
  ['before its answer', '1,2500 8,-2500'],
] as const)
  test(`does not credit a Pix again that the bank reports ${when}`, async (t) => {
    let report = async (_: Pick<CompletedPayOut, 'endToEndId'>): Promise<unknown> => null
    const business = await twoAccounts({
      instead: ({ payOuts }) => ({
        payOuts: {
          ...payOuts,
          payOut: async (order) => {
            const answer = await payOuts.payOut(order)
            if (answer.outcome === 'done' && when === 'before its answer') await report(answer.value)
            return answer
          },
        },
      }),
    })
    const { pay, to, send } = business
    const pix = { txid: null, pixKey: to.pixKey, valueCents: 2_500, paidAt: NOW, payer: null }
    report = ({ endToEndId }) => pay.bank.received({ ...pix, endToEndId })()
    const { status, endToEndId } = right(await send(2_500)())
    t.is(status, 'completed')
    const again = right(await pay.bank.received({ ...pix, endToEndId: endToEndId ?? '' })())
    t.deepEqual(again, { accountId: to.id, posted: false })
    t.is((await business.lines()).join(' '), lines)
    t.deepEqual(await business.books(), after(2_500))
    t.deepEqual(await business.faults(), [])
  })

test('does not credit a Pix again that the bank reports between its answer and the outcome', async (t) => {
  const shared = memoryStore(collectionsOf([payments]))
  let report = async (_: unknown): Promise<unknown> => null
  const store = beforeCommits(shared, async (changes) => {
    const outcome = changes.find((change) => change.kind === 'patch' && change.at[0] === transfers.name)
    if (outcome?.kind === 'patch' && outcome.set?.endToEndId) await report(outcome.set.endToEndId)
  })
  const { pay, to, send, lines, books, faults, clock, drain } = await twoAccounts({ store })
  report = async (endToEndId) => {
    report = async () => null
    const pix = { txid: null, pixKey: to.pixKey, valueCents: 2_500, paidAt: NOW, payer: null }
    right(await pay.bank.received({ ...pix, endToEndId: `${endToEndId}` })())
  }
  t.is(failureOf(await send(2_500)())?.code, 'store.busy')
  clock.advance(60)
  await drain()
  t.is((await lines()).join(' '), '1,2500 8,-2500')
  t.deepEqual(await books(), after(2_500))
  t.deepEqual(await faults(), [])
})

test('a slow first caller leaves the outcome to the later caller', async (t) => {
  let orders = 0
  const late = deferred()
  const { pay, clock, send, books, lines, faults } = await twoAccounts({
    instead: ({ payOuts }) => ({
      payOuts: {
        ...payOuts,
        payOut: async (order) => {
          orders += 1
          // The bank pays, and its answer is late.
          await payOuts.payOut(order)
          await late.promise
          return { outcome: 'unavailable' }
        },
      },
    }),
  })
  const first = send(2_500)()
  await until(() => orders > 0)
  t.is((await books()).join(' '), '100000,97500 0,0')
  clock.advance(60)
  await pay.worker().drain()
  t.is(orders, 1)
  late.resolve()
  t.is(right(await first).status, 'completed')
  t.is((await lines()).join(' '), '8,-2500 7,2500')
  t.deepEqual(await faults(), [])
})

import test from 'ava'
import { fakeBankCollections, refunds as givenBack } from '../../../../adapters/bank/fake/books.ts'
import { digest } from '../../../../adapters/crypto/cipher.ts'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { findings } from '../../../../apps/audit/findings.ts'
import { isLeft } from '../../../../core/failure.ts'
import { always, type Change, patch } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { refundOperations } from '../../../../core/payments/charges/refund.ts'
import { isPastDeadline, refundablePix, refunds } from '../../../../core/payments/charges/refund-records.ts'
import { entries } from '../../../../core/payments/ledger/ledger.ts'
import { paymentsCollections } from '../../../../core/payments/payments.ts'
import { splitShares } from '../../../../core/payments/splits/share.ts'
import type { BankAnswer, BankRefund, RefundOrder } from '../../../../core/ports/bank.ts'
import type { Store } from '../../../../core/ports/store.ts'
import { justBefore, turn } from '../../kernel/running/tasks.ts'
import { type MoneyOut, twoAccounts, twoEmptyAccounts } from '../money-out/two-accounts.ts'
import { column, NOW, PAYER, right } from '../world.ts'

test('completes three of fifty concurrent refunds of a Pix that covers three', async (t) => {
  const { pay, every, from, charge, paid, books, lines, faults } = await twoAccounts()
  // The balance exceeds the Pix, so that its refundable amount is the limit.
  await paid(from, 5_000_000)
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => pay.charges.refund(from.member, charge.id, { valueCents: 30_000 })()),
  )
  const refused = answers.flatMap((answer) => (isLeft(answer) ? [answer.left] : []))
  t.is(refused.length, 47)
  for (const failure of refused)
    t.like(failure, { tag: 'invalid', issues: [{ path: 'valueCents', code: 'refund.left' }] })
  t.deepEqual((await lines()).slice(1), [
    [5, -30_000],
    [5, -30_000],
    [5, -30_000],
  ])
  t.deepEqual((await books())[0], [5_010_000, 5_010_000])
  const [made, refundable, returned] = [await every(refunds), await every(refundablePix), await every(givenBack)]
  t.deepEqual(column(made, 'status'), ['completed', 'completed', 'completed'])
  t.deepEqual(column(refundable, 'refundableCents'), [10_000])
  t.deepEqual(returned.map(({ id }) => id).toSorted(), made.map(({ id }) => id).toSorted())
  t.deepEqual(await faults(), [])
})

const returned = (returnId: string) =>
  ({ outcome: 'done', value: { status: 'returned', reason: null, returnId } }) as const

/** A bank that answers refunds with the reason `late` when told to, and says meanwhile that they failed. */
const lateRefunds = () => {
  const late: { answer: () => void }[] = []
  const instead = ({ refunds: own }: MoneyOut) => ({
    refunds: {
      ...own,
      refund: (order: RefundOrder) =>
        order.reason === 'late'
          ? new Promise<BankAnswer<BankRefund>>((answer) => late.push({ answer: () => answer(returned(order.id)) }))
          : Promise.resolve(returned(order.id)),
      findRefund: async () =>
        ({ outcome: 'done', value: { status: 'failed', reason: 'Não.', returnId: null } }) as const,
    },
  })
  return { instead, late }
}

const PIX_ORDER = { valueCents: 10_000, paymentMethod: 'PIX', dueDate: '2099-12-31', payer: PAYER } as const

test('counts and shares the next payments less what the bank returned more than was paid', async (t) => {
  const { instead, late } = lateRefunds()
  const { pay, from, to, store, clock, every, books } = await twoEmptyAccounts({ instead })
  await store.commit([patch(accounts, from.id, { set: { acceptPartial: true }, when: always })])
  const { key } = right(await pay.splitReceivers.create(to.member, { name: 'Chave', issuers: [] })())
  const splits = [{ key, percentHundredths: 3_000, amountCents: null }]
  const { id, txid } = right(await pay.charges.issue(from.member, { ...PIX_ORDER, splits })()).charge
  const paid = async (valueCents: number, endToEndId: string) => {
    const notice = {
      txid: txid ?? '',
      endToEndId,
      method: 'pix',
      valueCents,
      paidAt: clock.now(),
      payer: null,
    } as const
    // The bank notifies of each payment twice.
    for (const posted of [true, false]) t.deepEqual(right(await pay.bank.paid(notice)()), { chargeId: id, posted })
    const [charge] = await every(charges)
    return [
      charge?.status,
      charge?.received?.map(({ cents }) => cents),
      charge?.amountPaidCents,
      (await books())[1]?.[0],
    ]
  }
  t.deepEqual(await paid(4_000, 'E1'), ['pending', [4_000], 4_000, 1_200])
  const first = pay.charges.refund(from.member, id, { reason: 'late' })()
  while (late.length === 0) await turn()
  const [begun] = await every(refunds)
  await refundOperations(pay.ports).resume(begun?.id ?? '')()
  t.is((await every(refunds))[0]?.status, 'failed')
  right(await pay.charges.refund(from.member, id, {})())
  t.deepEqual(await books(), [
    [0, 0],
    [0, 0],
  ])
  late[0]?.answer()
  await first
  // The bank returned 80 reais of 40.
  t.deepEqual(await books(), [
    [-4_000, -4_000],
    [0, 0],
  ])
  t.deepEqual(await paid(3_000, 'E2'), ['pending', [], 7_000, 0])
  t.deepEqual(await paid(3_000, 'E3'), ['pending', [2_000], 10_000, 600])
  t.deepEqual(await paid(8_000, 'E4'), ['paid', [10_000], 18_000, 3_000])
  t.is((await every(charges))[0]?.refundedCents, 8_000)
  t.deepEqual((await books())[0], [7_000, 7_000])
  const said: string[] = []
  for await (const { faults } of findings({ store, digest }, paymentsCollections)) said.push(...faults)
  const entry = (await every(entries)).find(({ endToEnd, valueCents }) => endToEnd === 'E1' && valueCents === 4_000)
  t.deepEqual(said, [`the Pix of entry ${entry?.id} has 4000, and refunds of 8000`])
})

test('counts a refund that is completed just before another one fails or is returned late', async (t) => {
  const { instead, late } = lateRefunds()
  let outcome = ''
  const meanwhile = justBefore((changes) =>
    changes.some(({ at: [name], ...each }) => name === refunds.name && 'set' in each && each.set?.status === outcome),
  )
  const store = meanwhile.on(memoryStore([...paymentsCollections, ...fakeBankCollections]))
  const { pay, from, to, bank, every, books, faults } = await twoEmptyAccounts({ instead, store })
  const { key } = right(await pay.splitReceivers.create(to.member, { name: 'Chave', issuers: [] })())
  const splits = [{ key, percentHundredths: null, amountCents: 5_000 }]
  const { id, txid } = right(await pay.charges.issue(from.member, { ...PIX_ORDER, splits })()).charge
  right(await bank.pay({ txid: txid ?? '', valueCents: 13_000 })())
  const refund = (valueCents: number, reason: string | null = null) =>
    pay.charges.refund(from.member, id, { valueCents, reason })()
  const kept = async () => {
    const [share] = await every(splitShares)
    return (share?.creditedCents ?? 0) - (share?.calledCents ?? 0) + (share?.restoredCents ?? 0)
  }
  const first = refund(3_000, 'late')
  while (late.length === 0) await turn()
  const [begun] = await every(refunds)
  outcome = 'failed'
  meanwhile.act = async () => right(await refund(2_000))
  await refundOperations(pay.ports).resume(begun?.id ?? '')()
  t.deepEqual([await kept(), (await books())[1]], [5_000, [5_000, 5_000]])
  const again = async () => right(await refund(1_000))
  // The first commit is stale, because its refund has failed since it began.
  outcome = 'completed'
  meanwhile.act = async () => (meanwhile.act = again)
  late[0]?.answer()
  right(await first)
  // The issuer pays for the share of a late refund.
  t.deepEqual([await kept(), (await books())[1]], [3_500, [5_000, 5_000]])
  t.deepEqual(await faults(), [])
})

test('a Pix can be refunded until the ninetieth day after it', (t) => {
  const day = '2026-01-01'
  t.deepEqual(
    ['2026-04-01', '2026-04-02'].map((today) => isPastDeadline({ day }, today)),
    [false, true],
  )
})

test('returns a refund whose outcome cannot be stored as pending, and completes it later', async (t) => {
  const shared = memoryStore([...paymentsCollections, ...fakeBankCollections])
  let isStale = true
  const outcomeIn = (changes: readonly Change[]) =>
    changes.find((change) => change.kind === 'patch' && change.at[0] === refunds.name)
  const commit: Store['commit'] = async (changes, extra) => {
    const outcome = isStale && outcomeIn(changes)
    return outcome ? { ok: false, stale: outcome.at } : shared.commit(changes, extra)
  }
  const { pay, from, charge, books, lines, faults, clock, drain } = await twoAccounts({ store: { ...shared, commit } })
  const { isAnswered } = right(await pay.charges.refund(from.member, charge.id, { valueCents: 5_000 })())
  t.false(isAnswered)
  t.deepEqual((await books())[0], [100_000, 95_000])
  isStale = false
  clock.advance(60)
  await drain()
  t.deepEqual(await lines(), [[5, -5_000]])
  t.deepEqual(await faults(), [])
})

test('credits a Pix without a charge to one of two accounts for which it is reported at the same time', async (t) => {
  const { pay, from, to, books, faults } = await twoAccounts()
  const pix = { txid: null, endToEndId: 'E1', valueCents: 2_500, paidAt: NOW, payer: null }
  await Promise.all([from, to].map(({ pixKey }) => pay.bank.received({ ...pix, pixKey })()))
  const sum = (await books()).reduce((all, [balance = 0]) => all + balance, 0)
  t.is(sum, 102_500)
  t.deepEqual(await faults(), [])
})

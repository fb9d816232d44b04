import test from 'ava'
import { eq } from '../../../../core/kernel/records/record.ts'
import { dayOf } from '../../../../core/kernel/values/day.ts'
import { entries } from '../../../../core/payments/ledger/ledger.ts'
import { listOf } from '../../../../core/ports/store.ts'
import { failureOf, right } from '../world.ts'
import { twoAccounts } from './two-accounts.ts'

// More than is read at once.
const PAYMENTS = 110
const PARTS = 210
const ACCOUNTS = 510

test('refunds a Pix by its id after many others', async (t) => {
  const { pay, bank, store, from, charge, faults } = await twoAccounts()
  for (let count = 1; count <= PAYMENTS; count += 1)
    right(await bank.pay({ txid: charge.txid ?? '', valueCents: 100 })())
  const refund = (asked: object) => pay.charges.refund(from.member, charge.id, asked)()
  const [entry] = (await store.list(listOf(entries, { where: eq('valueCents', 100_000), limit: 1 }))).records
  t.like(failureOf(await refund({ valueCents: 50_000 })), { issues: [{ path: 'endToEndId', code: 'refund.several' }] })
  const endToEndId = entry?.endToEnd ?? null
  const [first] = right(await refund({ endToEndId, valueCents: 50_000 })).refunds
  t.like(first, { valueCents: 50_000, status: 'completed' })
  const again = right(await refund({ endToEndId, valueCents: 1 }))
  t.deepEqual(new Set(again.refunds.map(({ entryId }) => entryId)), new Set([first?.entryId]))
  const tooMuch = failureOf(await refund({ endToEndId, valueCents: 50_000 }))
  t.like(tooMuch, { issues: [{ code: 'refund.left', params: { max: 'R$ 499,99' } }] })
  const unknown = failureOf(await refund({ endToEndId: 'E0000000020260101000000000000000' }))
  t.like(unknown, { issues: [{ path: 'endToEndId', code: 'unknown' }] })
  t.deepEqual(await faults(), [])
})

test("a Pix with hundreds of refunds equals the bank's list", async (t) => {
  const { pay, from, charge, clock } = await twoAccounts()
  for (let part = 1; part <= PARTS; part += 1)
    right(await pay.charges.refund(from.member, charge.id, { valueCents: 1 })())
  const day = dayOf(clock.now())
  clock.advance(86_400)
  const compared = right(await pay.reconciliation.reconcile({ day })())
  t.like(compared, { missing: 0, extra: 0, different: 0 })
})

test('lists a party with hundreds of recipients whole, and the other parties', async (t) => {
  const { pay, from } = await twoAccounts()
  const to = { name: 'Fulano', ispb: '341', branch: '1', valueCents: 1 }
  const paid = async (document: string, account: string) =>
    right(await pay.withdrawals.payAccount(from.member, { ...to, document, account })())
  await paid('52998224725', '1-0')
  for (let number = 1; number <= ACCOUNTS; number += 1) await paid('12345678909', `${number}-1`)
  const { records } = right(await pay.withdrawals.listPaidParties(from.member, {})())
  const counts = records.map(({ document, recipients }) => `${document} ${recipients.length}`)
  t.deepEqual(counts, [`12345678909 ${ACCOUNTS}`, '52998224725 1'])
})

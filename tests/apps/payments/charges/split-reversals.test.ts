// Also runs on MongoDB, in test:long.
import test from 'ava'
import { payments } from '../../../../adapters/bank/fake/books.ts'
import type { Host } from '../../../../apps/host/host.ts'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { refunds } from '../../../../core/payments/charges/refund-records.ts'
import { entries, SPLIT_OUT } from '../../../../core/payments/ledger/ledger.ts'
import { splitShares } from '../../../../core/payments/splits/share.ts'
import { textOf } from '../../../adapters/documents/printed-page.ts'
import { justBefore, writesTo } from '../../../core/kernel/running/tasks.ts'
import { type Merchant, pluck, worked } from '../test-api.ts'
import { openSplit } from './split-fixtures.ts'

test('promises an amount again after a refund, and never more than it', async (t) => {
  const { api, issuer, keys, lines, sound, first, show } = await openSplit(t)
  await api.host.store.commit([patch(accounts, issuer.id, { set: { acceptPartial: true }, when: always })])
  const charge = await api.charge(issuer, { value: 100, splits: [{ account: keys[0], amount: 50 }] })
  const { token } = issuer
  const pay = async (value: number) => {
    const { pix } = await show(charge.id)
    await api.pay(pix?.txid ?? charge.pix.txid, { value })
    await api.drain()
  }
  const refund = async (value: number) => {
    worked(await api.ask('POST', `/invoices/${charge.id}/refund`, { token, body: { value } }))
    await api.drain()
  }
  await pay(50)
  await refund(20)
  await refund(30)
  for (const value of [50, 80]) await pay(value)
  t.deepEqual(await lines(first), [
    ...['split-in 25 25', 'split-return -10 15', 'split-return -15 0'],
    ...['split-in 25 25', 'split-in 25 50'],
  ])
  await sound()
})

test('never shares more than an amount of the payments of a canceled charge', async (t) => {
  const { api, issuer, keys, lines, balances, sound, first: receiver } = await openSplit(t)
  const { id, pix } = await api.charge(issuer, { value: 100, splits: [{ account: keys[0], amount: 30 }] })
  worked(await api.ask('DELETE', `/invoices/${id}`, { token: issuer.token }))
  await Promise.all([50, 50, 50].map((value) => api.pay(pix.txid, { value })))
  t.deepEqual(await lines(receiver), ['split-in 15 15', 'split-in 15 30'])
  for (const { id: end_to_end_id } of await api.every(payments))
    worked(await api.ask('POST', `/invoices/${id}/refund`, { token: issuer.token, body: { end_to_end_id } }))
  t.deepEqual(pluck([await balances(issuer), await balances(receiver)], 'balance'), [0, 0])
  await api.pay(pix.txid, { value: 50 })
  t.is((await balances(receiver)).balance, 15)
  await sound()
})

test('reverses each share of a refund up to the balance of its receiver, and the rest from the issuer', async (t) => {
  const { api, issuer, keys, lines, balances, sound, first, second, show, refund } = await openSplit(t, 2)
  await api.paid(issuer, { value: 100 })
  const charge = await api.paid(issuer, { value: 100, splits: keys.map((account) => ({ account, percent: 30 })) })
  const e2e = (await api.every(payments)).find(({ txid }) => txid === charge.pix.txid)?.id
  const [shown] = worked(await refund(charge.id, { value: 33.33, end_to_end_id: e2e })).data.refunds
  t.deepEqual(shown.splits, { returned: 20, owed: 0 })
  t.deepEqual((await lines(first)).at(-1), 'split-return -10 20')
  t.deepEqual((await lines(second)).at(-1), 'split-return -10 20')
  // The second account spends all but one real on a boleto.
  worked(await api.ask('PUT', `/fake-bank/accounts/${second.id}`, { body: { taxes: { boleto: 19 } } }))
  await api.charge(second, { payment_method: 'BOLETO' })
  await api.fail('refund', 'timeout')
  t.is((await refund(charge.id)).status, 202)
  t.deepEqual(await balances(second), { balance: 1, available: 0, reserved: 1, card: 0 })
  t.deepEqual(await balances(first), { balance: 20, available: 0, reserved: 20, card: 0 })
  await sound()
  await api.drain(10)
  const { refunds } = await show(charge.id)
  const rest = refunds.find(({ value }: { readonly value: number }) => value === 66.67)
  t.like(rest, { status: 'completed', splits: { returned: 21, owed: 19 } })
  t.deepEqual((await lines(issuer)).slice(-3), ['pix-refund -66.67 60', 'split-return 20 80', 'split-return 1 81'])
  for (const account of [first, second]) t.is((await balances(account)).balance, 0)
  await sound()
  // 0.18.0 posted a share with the payer of its charge, who did not pay the issuer the amount of the share.
  const old = (await api.every(entries)).find(({ typeId }) => typeId === SPLIT_OUT.id)
  const former = { payer: old?.payer ? { ...old.payer, name: 'Maria' } : null, receiver: null }
  await api.host.store.commit([patch(entries, old?.id ?? 0, { set: former, when: always })])
  const receipts = async ({ token }: Merchant) => {
    const { data } = (await api.ask('GET', '/consolidation/transactions?per_page=50', { token })).body
    const drawn = data.map(async ({ id, type }: { readonly id: number; readonly type: { readonly slug: string } }) => {
      const path = `${api.url}/consolidation/transaction/${id}/generate-pdf`
      const file = await fetch(path, { headers: { authorization: `Bearer ${token}` } })
      const text = textOf(new Uint8Array(await file.arrayBuffer()))
      const [from, to] = ['pagou', 'recebeu'].map((side) => new RegExp(`Quem ${side}\\s+Nome\\s+(.*)`).exec(text)?.[1])
      return `${type.slug} ${from} > ${to}`
    })
    return [...new Set(await Promise.all(drawn))].toSorted()
  }
  t.deepEqual(await receipts(issuer), [
    'pix-in Fulano de Tal > Escola Aurora',
    'pix-refund Escola Aurora > Fulano de Tal',
    ...['split-out Escola Aurora > Loja 1', 'split-out undefined > undefined'],
    ...['split-return Loja 0 > Escola Aurora', 'split-return Loja 1 > Escola Aurora'],
  ])
  t.deepEqual(await receipts(first), ['split-in Escola Aurora > Loja 0', 'split-return Loja 0 > Escola Aurora'])
})

test('leaves a fixed amount with its receiver while the charge stays paid in full', async (t) => {
  const { api, issuer, keys, lines, sound, first } = await openSplit(t)
  const charge = await api.charge(issuer, { value: 100, splits: [{ account: keys[0], amount: 50 }] })
  await api.pay(charge.pix.txid, { value: 130 })
  const refund = async (value: number) => {
    const body = { value }
    const { refunds } = worked(
      await api.ask('POST', `/invoices/${charge.id}/refund`, { token: issuer.token, body }),
    ).data
    return refunds.find((each: { readonly value: number }) => each.value === value).splits
  }
  t.deepEqual(await refund(30), { returned: 0, owed: 0 })
  t.deepEqual(await refund(20), { returned: 10, owed: 0 })
  t.deepEqual(await refund(80), { returned: 40, owed: 0 })
  const taken = ['split-in 50 50', 'split-return -10 40', 'split-return -40 0']
  t.deepEqual(await lines(first), taken)
  await sound()
})

test('takes a share back once where two refunds of two payments, or a refund and a payment, meet', async (t) => {
  const meanwhile = justBefore(writesTo(refunds, splitShares))
  const instead = ({ store }: Host) => ({ store: meanwhile.on(store) })
  const { api, issuer, keys, balances, sound, first: receiver } = await openSplit(t, 1, { instead })
  const splits = [{ account: keys[0], amount: 50 }]
  const pay = async (txid: string, value: number, id: string) => {
    const end_to_end_id = `E01181521202611231305${id.padStart(11, '0')}`
    await api.pay(txid, { value, end_to_end_id })
    return end_to_end_id
  }
  const refund = async (id: number, value: number, end_to_end_id: string) =>
    worked(await api.ask('POST', `/invoices/${id}/refund`, { token: issuer.token, body: { value, end_to_end_id } }))
  const kept = async () => (await balances(receiver)).balance
  const twice = await api.charge(issuer, { value: 100, splits })
  const [one, other] = [await pay(twice.pix.txid, 100, 'A'), await pay(twice.pix.txid, 30, 'B')]
  meanwhile.act = () => refund(twice.id, 30, other)
  await refund(twice.id, 30, one)
  t.is(await kept(), 35)
  await refund(twice.id, 70, one)
  t.is(await kept(), 0)
  const again = await api.charge(issuer, { value: 100, splits })
  const first = await pay(again.pix.txid, 100, 'C')
  meanwhile.act = () => pay(again.pix.txid, 30, 'D')
  await refund(again.id, 30, first)
  t.is(await kept(), 50)
  meanwhile.act = () => refund(again.id, 30, first)
  await pay(again.pix.txid, 30, 'E')
  t.is(await kept(), 50)
  await sound()
})

test('corrects the shares of other refunds and payments after a refund has failed', async (t) => {
  const { api, issuer, keys, balances, lines, sound, first: receiver, refund } = await openSplit(t)
  const splits = [{ account: keys[0], amount: 50 }]
  const isPending = async (id: number, body: object) => {
    await api.fail('refund', 'timeout_lost')
    t.is((await refund(id, body)).status, 202)
  }
  const allFail = async (times: number) => {
    await api.fail('refund', 'refuse', times)
    await api.drain(10)
  }
  const kept = async () => {
    await sound()
    return (await balances(receiver)).balance
  }
  const twice = await api.charge(issuer, { value: 100, splits })
  await api.pay(twice.pix.txid, { value: 130 })
  await isPending(twice.id, { value: 30 })
  const { refunds: made } = worked(await refund(twice.id, { value: 20 })).data
  t.like(
    made.find(({ value }: { readonly value: number }) => value === 20),
    { status: 'completed', splits: { returned: 10, owed: 0 } },
  )
  t.is(await kept(), 40)
  await allFail(1)
  t.deepEqual(await lines(receiver), ['split-in 50 50', 'split-return -10 40', 'split-return 10 50'])
  t.deepEqual((await lines(issuer)).slice(-2), ['split-return 10 70', 'split-return -10 60'])
  await isPending(twice.id, { value: 30 })
  await isPending(twice.id, { value: 20 })
  t.deepEqual(await balances(receiver), { balance: 50, available: 30, reserved: 20, card: 0 })
  await allFail(2)
  t.deepEqual(await balances(receiver), { balance: 50, available: 50, reserved: 0, card: 0 })
  worked(await refund(twice.id, {}))
  t.is(await kept(), 0)
  const paid = await api.charge(issuer, { value: 100, splits })
  const pay = async (value: number, id: string) => {
    const end_to_end_id = `E01181521202611231305${id.padStart(11, '0')}`
    await api.pay(paid.pix.txid, { value, end_to_end_id })
    return end_to_end_id
  }
  const end_to_end_id = await pay(100, 'F')
  await isPending(paid.id, { value: 40, end_to_end_id })
  await pay(40, 'G')
  t.is(await kept(), 70)
  await allFail(1)
  t.is(await kept(), 50)
  t.deepEqual((await lines(receiver)).slice(-2), ['split-in 20 70', 'split-return -20 50'])
})

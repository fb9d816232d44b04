import test from 'ava'
import { fakeBank } from '../../../adapters/bank/fake/bank.ts'
import { payments, titles } from '../../../adapters/bank/fake/books.ts'
import { failure, isLeft, left } from '../../../core/failure.ts'
import { isCpf } from '../../../core/kernel/values/tax-id.ts'
import { bankByIspb } from '../../../core/payments/banks.ts'
import { isEndToEndId, openTxidOf } from '../../../core/payments/pix/pix-id.ts'
import type { BankAccountHolder, PayOutOrder, PayOuts, PayOutTarget } from '../../../core/ports/bank.ts'
import { byId, StoreUnavailable } from '../../../core/ports/store.ts'
import { doneBy } from '../../contracts/bank-money-out.ts'
import { beforeCommits } from '../../core/kernel/running/tasks.ts'
import { accepted, BUSY, FAULTS, NOW, openFakeBank } from './open-fake-bank.ts'
import { aTitleOrder } from './title-order.ts'

const order = aTitleOrder({ txid: 'T1', payer: null, valueCents: 1_000 })
const HOLDER: BankAccountHolder = {
  ...{ name: 'Maria da Silva', document: '12345678909', ispb: '60701190', branch: '0001' },
  ...{ account: '12345-6', accountType: 'PAGAMENTO' as const },
}
const payingOut = (id: string, to: PayOutTarget = { key: 'maria@example.com' }): PayOutOrder => ({
  ...{ id, to, valueCents: 500, message: null },
  from: { name: 'Loja', document: '11222333000181', agency: '0101', account: '12345-6', pixKey: null },
})

/** The bank, which has a title and pays out. */
const open = async () => {
  const opened = openFakeBank()
  await opened.bank.createTitle(order)
  return { ...opened, payOuts: opened.bank.payOuts as PayOuts }
}

test('a repeated order of another amount changes nothing, and a title is found after a restart', async (t) => {
  const { bank, runtime } = await open()
  const title = await bank.findTitle('T1')
  t.deepEqual(await bank.createTitle({ ...order, valueCents: 1 }), title as never)
  t.like(await runtime.store.find(byId(titles, 'T1')), { valueCents: 1_000, status: 'open' })
  t.deepEqual(await fakeBank(runtime).findTitle('T1'), title)
})

test('lists every payment of a title, oldest first', async (t) => {
  const { bank, clock, pay } = await open()
  const first = accepted(await pay())
  clock.advance(1)
  const second = accepted(await pay({ valueCents: 5, payer: { name: 'Zé', document: '1' } }))
  const known = doneBy(await bank.findTitle('T1'))?.payments ?? []
  t.deepEqual(
    known.map(({ endToEndId, valueCents, method }) => [endToEndId, valueCents, method]),
    [
      [first.endToEndId, 1_234, 'pix'],
      [second.endToEndId, 5, 'pix'],
    ],
  )
  t.like(known[1]?.payer, { name: 'Zé', document: '1' })
  t.true(isEndToEndId(first.endToEndId))
})

test('notifies of a payment by open code without a title until the platform accepts it, once per id', async (t) => {
  const { bank, paid, received, script, runAfter, pay } = await open()
  const reference = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
  const { pixKey } = doneBy(await bank.openAccount({ reference, name: 'Loja', document: '11222333000181' }))
  const code = { txid: openTxidOf(reference), valueCents: 700 }
  script.push(BUSY)
  const first = accepted(await pay(code))
  t.is(first.notice, 'not yet')
  t.deepEqual(await runAfter(5, 3_600), [1, 0])
  const { endToEndId } = first
  t.is(received.length, 2)
  for (const pix of received)
    t.like(pix, { ...code, pixKey, endToEndId, paidAt: NOW, payer: { name: 'Fulano de Tal' } })
  t.deepEqual(accepted(await pay({ ...code, endToEndId })), { endToEndId, notice: 'taken' })
  t.deepEqual(paid, [])
  t.like(await bank.findTitle(code.txid), { value: null })
})

test('does not notify the platform of its own cancellation, and refuses to cancel an unknown title', async (t) => {
  const { bank, cancelled } = await open()
  t.deepEqual(await bank.cancelTitle('T1'), { outcome: 'done', value: null })
  t.like(await bank.cancelTitle('T2'), { outcome: 'refused' })
  t.deepEqual(cancelled, [])
})

for (const [mode, outcome, isDone] of FAULTS)
  test(`the fault ${mode} answers ${outcome}, and the operation ${isDone ? 'was' : 'was not'} executed`, async (t) => {
    const { bank, bankConsole, fail, payOuts } = await open()
    const isOpen = async (txid: string) => doneBy(await bank.findTitle(txid))?.cancelled === false
    await fail('create_pix', mode, 2)
    t.is((await bank.createTitle({ ...order, txid: 'T2' })).outcome, outcome)
    t.is(await isOpen('T2'), isDone)
    t.is((await bank.createTitle({ ...order, txid: 'T3' })).outcome, outcome)
    t.is((await bank.createTitle({ ...order, txid: 'T4' })).outcome, 'done')

    await fail('cancel_title', mode)
    t.is((await bank.cancelTitle('T4')).outcome, outcome)
    t.is(await isOpen('T4'), !isDone)
    t.is((await bank.cancelTitle('T4')).outcome, 'done')

    await fail('pay_out', mode)
    t.is((await payOuts.payOut(payingOut('P1'))).outcome, outcome)
    t.is(accepted(await bankConsole.payOuts('P1')()).length, isDone ? 1 : 0)

    await fail('lookup_key', mode)
    t.is((await payOuts.findKey('maria@example.com')).outcome, outcome)
    t.is((await payOuts.findKey('maria@example.com')).outcome, 'done')
    t.is((await bank.openAccount({ reference: 'r', name: 'n', document: 'd' })).outcome, 'done')
  })

test('a fault fails the given number of concurrent orders', async (t) => {
  const { bank, fail } = await open()
  await fail('create_pix', 'refuse', 3)
  const orders = Array.from({ length: 12 }, (_, index) => ({ ...order, txid: `N${index}` }))
  const answers = await Promise.all(orders.map((title) => bank.createTitle(title)))
  const outcomes = answers.map(({ outcome }) => outcome).toSorted()
  t.deepEqual(outcomes, [...Array(9).fill('done'), ...Array(3).fill('refused')])
})

test('notifies of a payment until the platform accepts it', async (t) => {
  const { paid, script, pay, runAfter } = await open()
  script.push(BUSY, BUSY)
  const { endToEndId, notice } = accepted(await pay())
  t.is(notice, 'not yet')
  t.deepEqual(await runAfter(0, 5, 30, 3_600), [0, 1, 1, 0])
  const notified = paid.map((payment) => payment.endToEndId)
  t.deepEqual(notified, Array(3).fill(endToEndId))
  t.deepEqual(accepted(await pay({ endToEndId })), { endToEndId, notice: 'taken' })
})

test('stores the code of a refused notification, and does not send it again', async (t) => {
  const { bank, runtime, paid, script, pay, runAfter } = await open()
  const [elsewhere, contradictory] = ['payment.elsewhere', 'payment.contradictory'].map((code) =>
    left(failure('conflict', code)),
  ) as [never, never]
  await bank.createTitle({ ...order, txid: 'T2' })
  const { endToEndId } = accepted(await pay())
  script.push(BUSY, elsewhere)
  t.deepEqual(accepted(await pay({ txid: 'T2', endToEndId })), { endToEndId, notice: 'not yet' })
  t.deepEqual(await runAfter(5, 3_600), [1, 0])
  const notices = paid.map((notice) => `${notice.txid} ${notice.endToEndId}`)
  t.deepEqual(
    notices,
    ['T1', 'T2', 'T2'].map((txid) => `${txid} ${endToEndId}`),
  )
  t.like(await runtime.store.find(byId(payments, `${endToEndId}|T2`)), { refusal: 'payment.elsewhere', dueAt: null })
  t.like(await runtime.store.find(byId(payments, endToEndId)), { refusal: null, dueAt: null })
  script.push(elsewhere, contradictory)
  t.deepEqual(accepted(await pay({ txid: 'T2', endToEndId })), { endToEndId, notice: 'refused' })
  t.deepEqual(accepted(await pay({ endToEndId, valueCents: 9_900 })), { endToEndId, notice: 'refused' })
  t.like(paid.at(-1), { txid: 'T1', endToEndId, valueCents: 9_900 })
})

test('notifies of a cancellation until the platform accepts it', async (t) => {
  const { cancelled, script, bankConsole, runAfter } = await open()
  script.push(left(failure('conflict', 'busy')))
  accepted(await bankConsole.cancel('T1')())
  t.deepEqual(await runAfter(5, 3_600), [1, 0])
  t.deepEqual(cancelled, ['T1', 'T1'])
  t.true(isLeft(await bankConsole.cancel('T2')()))
})

test('an order is unknown, and an account unavailable, while the store is unavailable', async (t) => {
  const { runtime } = openFakeBank()
  const cut = () => {
    let commits = 0
    const store = beforeCommits(runtime.store, () => {
      commits += 1
      if (commits === 1) throw new StoreUnavailable('unavailable')
    })
    return fakeBank({ ...runtime, store })
  }
  t.deepEqual(await cut().createTitle(order), { outcome: 'unknown' })
  t.is((await cut().openAccount({ reference: 'r', name: 'n', document: 'd' })).outcome, 'unavailable')
})

test('lists pay-outs, newest first or by id', async (t) => {
  const { bankConsole, clock, payOuts } = await open()
  await payOuts.payOut(payingOut('P1'))
  clock.advance(1)
  await payOuts.payOut(payingOut('P2', { holder: HOLDER }))
  const listed = accepted(await bankConsole.payOuts()())
  t.deepEqual(
    listed.map(({ id, key, valueCents }) => [id, key, valueCents]),
    [
      ['P2', null, 500],
      ['P1', 'maria@example.com', 500],
    ],
  )
  t.deepEqual(accepted(await bankConsole.payOuts('P1')()), listed.slice(1))
})

test('a key of any kind has an owner with its document, unless it is unregistered', async (t) => {
  const { payOuts } = await open()
  const owner = async (key: string) => doneBy(await payOuts.findKey(key))
  for (const document of ['12345678909', '00038166000105']) t.is((await owner(document))?.document, document)
  for (const key of ['maria@example.com', '+5561912345678', '123e4567-e12b-12d1-a456-426655440000']) {
    const { document = '', ispb = '' } = (await owner(key)) ?? {}
    t.true(isCpf(document), key)
    t.not(bankByIspb(ispb), null, key)
  }
  t.is(await owner('inexistente.2@example.com'), null)
  t.not(await owner('nao.inexistente@example.com'), null)
})

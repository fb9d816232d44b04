import test from 'ava'
import { fakeBank } from '../../../adapters/bank/fake/bank.ts'
import { type Fault, fakeBankCollections, payments, titles } from '../../../adapters/bank/fake/books.ts'
import { fakeBankConsole } from '../../../adapters/bank/fake/console.ts'
import { fakeBankQueues } from '../../../adapters/bank/fake/notifications.ts'
import { setClock } from '../../../adapters/clock/set-clock.ts'
import { seededRandom } from '../../../adapters/crypto/random.ts'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { type Either, type Failure, failure, isLeft, left, right } from '../../../core/failure.ts'
import { idPool } from '../../../core/kernel/running/ids.ts'
import { unavailable } from '../../../core/kernel/running/use-case.ts'
import { worker } from '../../../core/kernel/running/worker.ts'
import { isCpf } from '../../../core/kernel/values/tax-id.ts'
import { bankByIspb } from '../../../core/payments/banks.ts'
import { isEndToEndId, openTxidOf } from '../../../core/payments/pix/pix-id.ts'
import type {
  BankAnswer,
  BankNotifications,
  PaymentNotice,
  PayOutOrder,
  PayOutTarget,
  ReceivedPix,
} from '../../../core/ports/bank.ts'
import { byId, StoreUnavailable } from '../../../core/ports/store.ts'
import { beforeCommits } from '../../core/kernel/running/tasks.ts'
import { aTitleOrder } from './title-order.ts'

const NOW = '2026-11-23T13:05:09.123Z'
const order = aTitleOrder({ txid: 'T1', payer: null, valueCents: 1_000 })

/** A bank with its console, and a platform that records notifications and answers them by a script. */
const open = () => {
  const store = memoryStore(fakeBankCollections)
  const clock = setClock(NOW)
  const runtime = { store, clock, random: seededRandom(7), ids: idPool(store) }
  const paid: PaymentNotice[] = []
  const received: ReceivedPix[] = []
  const cancelled: string[] = []
  const script: Either<Failure, null>[] = []
  const recordIn =
    <T>(into: T[]) =>
    (notice: T) =>
    async () => {
      into.push(notice)
      return script.shift() ?? right(null)
    }
  const notifications: Omit<BankNotifications, 'unreadable'> = {
    paid: recordIn(paid),
    received: recordIn(received),
    cancelled: recordIn(cancelled),
    amountDue: () => async () => right(1_234),
  }
  const bankConsole = fakeBankConsole(runtime, notifications)
  const work = worker({
    runtime,
    queues: fakeBankQueues(runtime, notifications),
    report: (error) => {
      throw error
    },
  })
  const pay = (over: object = {}) => bankConsole.pay({ txid: 'T1', ...over })()
  const fail = (id: Fault['id'], mode: Fault['mode'], times = 1) => bankConsole.fail({ id, mode, times })()
  return { runtime, clock, paid, received, cancelled, script, bankConsole, work, pay, fail, bank: fakeBank(runtime) }
}

const accepted = <A>(either: Either<Failure, A>): A => {
  if (isLeft(either)) throw new Error(either.left.code)
  return either.right
}

test('a repeated order of another amount changes nothing, and a title is found after a restart', async (t) => {
  const { bank, runtime } = open()
  const answer = await bank.createTitle(order)
  t.deepEqual(await bank.createTitle({ ...order, valueCents: 1 }), answer)
  t.like(await runtime.store.find(byId(titles, 'T1')), { valueCents: 1_000, status: 'open' })
  t.deepEqual(await fakeBank(runtime).findTitle('T1'), answer)
})

test('lists every payment of a title, oldest first', async (t) => {
  const { bank, clock, pay } = open()
  await bank.createTitle(order)
  const first = accepted(await pay())
  clock.advance(1)
  const second = accepted(await pay({ valueCents: 5, payer: { name: 'Zé', document: '1' } }))
  const known = await bank.findTitle('T1')
  if (known.outcome !== 'done' || !known.value) return t.fail(known.outcome)
  t.deepEqual(
    known.value.payments.map(({ endToEndId, valueCents, method }) => [endToEndId, valueCents, method]),
    [
      [first.endToEndId, 1_234, 'pix'],
      [second.endToEndId, 5, 'pix'],
    ],
  )
  t.like(known.value.payments[1]?.payer, { name: 'Zé', document: '1' })
  t.true(isEndToEndId(first.endToEndId))
  t.not(first.endToEndId, second.endToEndId)
})

test('notifies of a payment by open code without a title until the platform accepts it, once per id', async (t) => {
  const { bank, clock, paid, received, script, work, pay } = open()
  const reference = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
  const opened = await bank.openAccount({ reference, name: 'Loja', document: '11222333000181' })
  if (opened.outcome !== 'done') return t.fail(opened.outcome)
  const txid = openTxidOf(reference)
  script.push(left(unavailable('store.busy')))
  const first = accepted(await pay({ txid, valueCents: 700 }))
  t.is(first.notice, 'not yet')
  clock.advance(5)
  await work.drain()
  const notice = { txid, pixKey: opened.value.pixKey, endToEndId: first.endToEndId, valueCents: 700, paidAt: NOW }
  t.is(received.length, 2)
  for (const pix of received) t.like(pix, { ...notice, payer: { name: 'Fulano de Tal' } })
  clock.advance(3_600)
  await work.drain()
  t.is(received.length, 2)
  t.deepEqual(accepted(await pay({ txid, valueCents: 700, endToEndId: first.endToEndId })), {
    ...first,
    notice: 'taken',
  })
  t.deepEqual(paid, [])
  t.like(await bank.findTitle(txid), { value: null })
})

test('does not notify the platform of its own cancellation, and refuses to cancel an unknown title', async (t) => {
  const { bank, cancelled } = open()
  await bank.createTitle(order)
  t.deepEqual(await bank.cancelTitle('T1'), { outcome: 'done', value: null })
  t.like(await bank.cancelTitle('T2'), { outcome: 'refused' })
  t.deepEqual(cancelled, [])
})

const faults: readonly (readonly [mode: Fault['mode'], outcome: BankAnswer<null>['outcome'], isDone: boolean])[] = [
  ['refuse', 'refused', false],
  ['unavailable', 'unavailable', false],
  ['timeout', 'unknown', true],
  ['timeout_lost', 'unknown', false],
]
for (const [mode, outcome, isDone] of faults)
  test(`the fault ${mode} answers ${outcome}, and the operation ${isDone ? 'was' : 'was not'} executed`, async (t) => {
    const { bank, fail } = open()
    const isOpen = async (txid: string) => {
      const known = await bank.findTitle(txid)
      return known.outcome === 'done' && known.value !== null && !known.value.cancelled
    }
    await fail('create_pix', mode, 2)
    t.is((await bank.createTitle(order)).outcome, outcome)
    t.is(await isOpen('T1'), isDone)
    t.is((await bank.createTitle({ ...order, txid: 'T2' })).outcome, outcome)
    t.is((await bank.createTitle({ ...order, txid: 'T3' })).outcome, 'done')

    await fail('cancel_title', mode)
    t.is((await bank.cancelTitle('T3')).outcome, outcome)
    t.is(await isOpen('T3'), !isDone)
    t.is((await bank.cancelTitle('T3')).outcome, 'done')
    t.is((await bank.openAccount({ reference: 'r', name: 'n', document: 'd' })).outcome, 'done')
  })

test('a fault fails the given number of concurrent orders', async (t) => {
  const { bank, fail } = open()
  await fail('create_pix', 'refuse', 3)
  const orders = Array.from({ length: 12 }, (_, index) => ({ ...order, txid: `T${index}` }))
  const answers = await Promise.all(orders.map((title) => bank.createTitle(title)))
  t.is(answers.filter(({ outcome }) => outcome === 'refused').length, 3)
  t.is(answers.filter(({ outcome }) => outcome === 'done').length, 9)
})

test('opens accounts with a number and a random Pix key', async (t) => {
  const { bank } = open()
  const openAccount = (reference: string) => bank.openAccount({ reference, name: 'Loja', document: '11222333000181' })
  const [first, other] = [await openAccount('a'), await openAccount('b')]
  if (first.outcome !== 'done' || other.outcome !== 'done') return t.fail()
  t.regex(first.value.agency, /^\d{1,4}$/)
  t.regex(first.value.account, /^\d{5}-\d$/)
  t.regex(first.value.pixKey ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.not(first.value.pixKey, other.value.pixKey)
  t.is(bank.compe, '748')
})

test('notifies of a payment until the platform accepts it', async (t) => {
  const { bank, clock, paid, script, pay, work } = open()
  await bank.createTitle(order)
  const busy: Either<Failure, null> = left(unavailable('store.busy'))
  script.push(busy, busy)
  const { endToEndId, notice } = accepted(await pay())
  t.is(notice, 'not yet')
  t.is(await work.drain(), 0)
  clock.advance(5)
  t.is(await work.drain(), 1)
  clock.advance(30)
  t.is(await work.drain(), 1)
  clock.advance(3_600)
  t.is(await work.drain(), 0)
  t.deepEqual(
    paid.map((payment) => payment.endToEndId),
    Array(3).fill(endToEndId),
  )
  t.deepEqual(accepted(await pay({ endToEndId })), { endToEndId, notice: 'taken' })
})

test('stores the code of a refused notification, and does not send it again', async (t) => {
  const { bank, runtime, clock, paid, script, pay, work } = open()
  await bank.createTitle(order)
  await bank.createTitle({ ...order, txid: 'T2' })
  const endToEndId = accepted(await pay()).endToEndId
  script.push(left(unavailable('store.busy')), left(failure('conflict', 'payment.elsewhere')))
  t.deepEqual(accepted(await pay({ txid: 'T2', endToEndId })), { endToEndId, notice: 'not yet' })
  clock.advance(5)
  t.is(await work.drain(), 1)
  clock.advance(3_600)
  t.is(await work.drain(), 0)
  t.deepEqual(
    paid.map((notice) => [notice.txid, notice.endToEndId]),
    [
      ['T1', endToEndId],
      ['T2', endToEndId],
      ['T2', endToEndId],
    ],
  )
  t.like(await runtime.store.find(byId(payments, `${endToEndId}|T2`)), { refusal: 'payment.elsewhere', dueAt: null })
  t.like(await runtime.store.find(byId(payments, endToEndId)), { refusal: null, dueAt: null })
  script.push(left(failure('conflict', 'payment.elsewhere')))
  t.deepEqual(accepted(await pay({ txid: 'T2', endToEndId })), { endToEndId, notice: 'refused' })
  script.push(left(failure('conflict', 'payment.contradictory')))
  t.deepEqual(accepted(await pay({ endToEndId, valueCents: 9_900 })), { endToEndId, notice: 'refused' })
  t.like(paid.at(-1), { txid: 'T1', endToEndId, valueCents: 9_900 })
})

test('notifies of a cancellation until the platform accepts it', async (t) => {
  const { bank, clock, cancelled, script, bankConsole, work } = open()
  await bank.createTitle(order)
  script.push(left(failure('conflict', 'busy')))
  accepted(await bankConsole.cancel('T1')())
  clock.advance(5)
  t.is(await work.drain(), 1)
  clock.advance(3_600)
  t.is(await work.drain(), 0)
  t.deepEqual(cancelled, ['T1', 'T1'])
  t.true(isLeft(await bankConsole.cancel('T2')()))
})

test('an order is unknown, and an account unavailable, while the store is unavailable', async (t) => {
  const { runtime } = open()
  const cut = (which: number) => {
    let commits = 0
    const store = beforeCommits(runtime.store, () => {
      commits += 1
      if (commits === which) throw new StoreUnavailable('unavailable')
    })
    return fakeBank({ ...runtime, store })
  }
  t.deepEqual(await cut(1).createTitle(order), { outcome: 'unknown' })
  t.is((await cut(1).openAccount({ reference: 'r', name: 'n', document: 'd' })).outcome, 'unavailable')
})

const HOLDER = {
  name: 'Maria da Silva',
  document: '12345678909',
  ispb: '60701190',
  branch: '0001',
  account: '12345-6',
  accountType: 'PAGAMENTO',
} as const
const payingOut = (id: string, to: PayOutTarget = { key: 'maria@example.com' }): PayOutOrder => ({
  id,
  from: { name: 'Loja', document: '11222333000181', agency: '0101', account: '12345-6', pixKey: null },
  to,
  valueCents: 500,
  message: null,
})

test('lists executed pay-outs, newest first or by id', async (t) => {
  const { bank, bankConsole, clock, fail } = open()
  const payOuts = bank.payOuts
  if (!payOuts) throw new Error('the bank has no pay-outs')
  await payOuts.payOut(payingOut('P1'))
  for (const [id, mode, outcome] of [
    ['P2', 'timeout', 'unknown'],
    ['P3', 'timeout_lost', 'unknown'],
    ['P4', 'unavailable', 'unavailable'],
    ['P5', 'refuse', 'refused'],
  ] as const) {
    await fail('pay_out', mode)
    clock.advance(1)
    t.is((await payOuts.payOut(payingOut(id, { holder: HOLDER }))).outcome, outcome)
  }
  const listed = accepted(await bankConsole.payOuts()())
  t.deepEqual(
    listed.map(({ id, key, valueCents }) => [id, key, valueCents]),
    [
      ['P2', null, 500],
      ['P1', 'maria@example.com', 500],
    ],
  )
  t.deepEqual(accepted(await bankConsole.payOuts('P1')()), listed.slice(1))
  t.deepEqual(accepted(await bankConsole.payOuts('P3')()), [])
})

test('a key of any kind has the same owner every time, unless it is unregistered', async (t) => {
  const { bank } = open()
  const owner = async (key: string) => {
    const answer = await bank.payOuts?.findKey(key)
    return answer?.outcome === 'done' ? answer.value : null
  }
  t.is((await owner('12345678909'))?.document, '12345678909')
  t.is((await owner('00038166000105'))?.document, '00038166000105')
  for (const key of ['maria@example.com', '+5561912345678', '123e4567-e12b-12d1-a456-426655440000']) {
    const found = await owner(key)
    t.true(isCpf(found?.document ?? ''))
    t.not(bankByIspb(found?.ispb ?? ''), null)
    t.deepEqual(await owner(key), found)
  }
  t.is(await owner('inexistente@example.com'), null)
  t.is(await owner('inexistente.2@example.com'), null)
  t.not(await owner('nao.inexistente@example.com'), null)
})

test('a key lookup fails as the console orders', async (t) => {
  const { bank, fail } = open()
  for (const [mode, outcome] of [
    ['refuse', 'refused'],
    ['timeout', 'unknown'],
    ['unavailable', 'unavailable'],
  ] as const) {
    await fail('lookup_key', mode)
    t.is((await bank.payOuts?.findKey('maria@example.com'))?.outcome, outcome)
  }
  t.is((await bank.payOuts?.findKey('maria@example.com'))?.outcome, 'done')
})

import test from 'ava'
import { fakeBank } from '../../../adapters/bank/fake/bank.ts'
import { type Fault, fakeBankCollections, payments, titles } from '../../../adapters/bank/fake/books.ts'
import { fakeBankConsole } from '../../../adapters/bank/fake/console.ts'
import { fakeBankQueues } from '../../../adapters/bank/fake/notifications.ts'
import { setClock } from '../../../adapters/clock/set-clock.ts'
import { seededRandom } from '../../../adapters/crypto/random.ts'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { type Failure, failure } from '../../../core/failure.ts'
import { type Either, isLeft, left, right } from '../../../core/fp.ts'
import { idPool } from '../../../core/kernel/running/fresh.ts'
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
  TitleOrder,
} from '../../../core/ports/bank.ts'
import { byId, StoreUnavailable } from '../../../core/ports/store.ts'

const NOW = '2026-11-23T13:05:09.123Z'
const order: TitleOrder = {
  txid: 'T1',
  method: 'PIX',
  payeeDocument: '11222333000181',
  agency: '0101',
  account: '12345-6',
  payer: null,
  amountRateHundredths: null,
  typeRate: null,
  discountHundredths: null,
  typeDiscount: null,
  daysDiscount: null,
  pixKey: 'loja@example.com',
  payeeName: 'Loja',
  payeeCity: 'BRASIL',
  valueCents: 1_000,
  dueDate: '2026-11-30',
}

/** A bank with its console, and a platform that writes down what it is told and answers by script. */
const open = () => {
  const store = memoryStore(fakeBankCollections)
  const clock = setClock(NOW)
  const runtime = { store, clock, random: seededRandom(7), ids: idPool(store) }
  const paid: PaymentNotice[] = []
  const received: ReceivedPix[] = []
  const cancelled: string[] = []
  const script: Either<Failure, null>[] = []
  const notifications: Omit<BankNotifications, 'unreadable'> = {
    paid: (notice) => async () => {
      paid.push(notice)
      return script.shift() ?? right(null)
    },
    received: (pix) => async () => {
      received.push(pix)
      return script.shift() ?? right(null)
    },
    cancelled: (txid) => async () => {
      cancelled.push(txid)
      return script.shift() ?? right(null)
    },
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

const taken = <A>(either: Either<Failure, A>): A => {
  if (isLeft(either)) throw new Error(either.left.code)
  return either.right
}

test('a title is made once, however often it is ordered, and outlives a restart', async (t) => {
  const { bank, runtime } = open()
  const answer = await bank.createTitle(order)
  t.deepEqual(answer, {
    outcome: 'done',
    value: { txid: 'T1', dynamicCode: null, boleto: null, cancelled: false, payments: [] },
  })
  t.deepEqual(await Promise.all([bank.createTitle(order), bank.createTitle({ ...order, valueCents: 1 })]), [
    answer,
    answer,
  ])
  t.like(await runtime.store.find(byId(titles, 'T1')), { valueCents: 1_000, status: 'open' })
  t.deepEqual(await fakeBank(runtime).findTitle('T1'), answer)
  t.deepEqual(await bank.findTitle('T2'), { outcome: 'done', value: null })
})

test('a title tells every payment that reached it, oldest first', async (t) => {
  const { bank, clock, pay } = open()
  await bank.createTitle(order)
  const first = taken(await pay())
  clock.advance(1)
  const second = taken(await pay({ valueCents: 5, payer: { name: 'Zé', document: '1' } }))
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

test('money by an open code is told without a title, again until it is heard, and by one id once', async (t) => {
  const { bank, clock, paid, received, script, work, pay } = open()
  const reference = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
  const opened = await bank.openAccount({ reference, name: 'Loja', document: '11222333000181' })
  if (opened.outcome !== 'done') return t.fail(opened.outcome)
  const txid = openTxidOf(reference)
  script.push(left(unavailable('store.busy')))
  const first = taken(await pay({ txid, valueCents: 700 }))
  t.is(first.notice, 'not yet')
  clock.advance(5)
  await work.drain()
  const told = { txid, pixKey: opened.value.pixKey, endToEndId: first.endToEndId, valueCents: 700, paidAt: NOW }
  t.is(received.length, 2)
  for (const pix of received) t.like(pix, { ...told, payer: { name: 'Fulano de Tal' } })
  clock.advance(3_600)
  await work.drain()
  t.is(received.length, 2)
  t.deepEqual(taken(await pay({ txid, valueCents: 700, endToEndId: first.endToEndId })), { ...first, notice: 'taken' })
  t.deepEqual(paid, [])
  t.like(await bank.findTitle(txid), { value: null })
})

test('a title is cancelled once, and an unknown one is refused', async (t) => {
  const { bank, cancelled } = open()
  await bank.createTitle(order)
  t.deepEqual(await bank.cancelTitle('T1'), { outcome: 'done', value: null })
  t.deepEqual(await bank.cancelTitle('T1'), { outcome: 'done', value: null })
  t.like(await bank.findTitle('T1'), { value: { cancelled: true } })
  t.like(await bank.cancelTitle('T2'), { outcome: 'refused' })
  // Who asked for it need not be told.
  t.deepEqual(cancelled, [])
})

const faults: readonly (readonly [mode: Fault['mode'], outcome: BankAnswer<null>['outcome'], isDone: boolean])[] = [
  ['refuse', 'refused', false],
  ['unavailable', 'unavailable', false],
  ['timeout', 'unknown', true],
  ['timeout_lost', 'unknown', false],
]
for (const [mode, outcome, isDone] of faults)
  test(`${mode}: ${outcome}, and the bank ${isDone ? 'did' : 'did not do'} what it was asked`, async (t) => {
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

test('of many orders at once, just so many fail', async (t) => {
  const { bank, fail } = open()
  await fail('create_pix', 'refuse', 3)
  const orders = Array.from({ length: 12 }, (_, index) => ({ ...order, txid: `T${index}` }))
  const answers = await Promise.all(orders.map((each) => bank.createTitle(each)))
  t.is(answers.filter(({ outcome }) => outcome === 'refused').length, 3)
  t.is(answers.filter(({ outcome }) => outcome === 'done').length, 9)
})

test('an account is opened once by our own reference, with a random Pix key', async (t) => {
  const { bank } = open()
  const ask = (reference: string) => bank.openAccount({ reference, name: 'Loja', document: '11222333000181' })
  const [first, again, other] = [await ask('a'), await ask('a'), await ask('b')]
  if (first.outcome !== 'done' || other.outcome !== 'done') return t.fail()
  t.deepEqual(again, first)
  t.regex(first.value.agency, /^\d{1,4}$/)
  t.regex(first.value.account, /^\d{5}-\d$/)
  t.regex(first.value.pixKey ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.not(first.value.pixKey, other.value.pixKey)
  t.is(bank.compe, '748')
})

test('a payment is told until it is taken, and then no more', async (t) => {
  const { bank, clock, paid, script, pay, work } = open()
  await bank.createTitle(order)
  const busy: Either<Failure, null> = left(unavailable('store.busy'))
  script.push(busy, busy)
  const { endToEndId, notice: heard } = taken(await pay())
  t.is(heard, 'not yet')
  t.is(await work.drain(), 0)
  clock.advance(5)
  t.is(await work.drain(), 1)
  clock.advance(30)
  t.is(await work.drain(), 1)
  clock.advance(3_600)
  t.is(await work.drain(), 0)
  t.deepEqual(
    paid.map((notice) => notice.endToEndId),
    Array(3).fill(endToEndId),
  )
  t.deepEqual(taken(await pay({ endToEndId })), { endToEndId, notice: 'taken' })
})

test('a payment that the platform refuses is no more told, and its record says why', async (t) => {
  const { bank, runtime, clock, paid, script, pay, work } = open()
  await bank.createTitle(order)
  await bank.createTitle({ ...order, txid: 'T2' })
  const endToEndId = taken(await pay()).endToEndId
  script.push(left(unavailable('store.busy')), left(failure('conflict', 'payment.elsewhere')))
  t.deepEqual(taken(await pay({ txid: 'T2', endToEndId })), { endToEndId, notice: 'not yet' })
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
  t.deepEqual(taken(await pay({ txid: 'T2', endToEndId })), { endToEndId, notice: 'refused' })
  script.push(left(failure('conflict', 'payment.contradictory')))
  t.deepEqual(taken(await pay({ endToEndId, valueCents: 9_900 })), { endToEndId, notice: 'refused' })
  t.like(paid.at(-1), { txid: 'T1', endToEndId, valueCents: 9_900 })
})

test('a cancellation by the bank likewise', async (t) => {
  const { bank, clock, cancelled, script, bankConsole, work } = open()
  await bank.createTitle(order)
  script.push(left(failure('conflict', 'busy')))
  taken(await bankConsole.cancel('T1')())
  clock.advance(5)
  t.is(await work.drain(), 1)
  clock.advance(3_600)
  t.is(await work.drain(), 0)
  t.deepEqual(cancelled, ['T1', 'T1'])
  t.true(isLeft(await bankConsole.cancel('T2')()))
})

test('a bank whose store is away was not asked, or is not known to have done it', async (t) => {
  const { runtime } = open()
  const cut = (which: number) => {
    let commits = 0
    const store = {
      ...runtime.store,
      commit: async (...args: Parameters<typeof runtime.store.commit>) => {
        commits += 1
        if (commits === which) throw new StoreUnavailable('away')
        return runtime.store.commit(...args)
      },
    }
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

test('what was paid out is shown, newest first or by its id, after a time-out too and not after a lost one', async (t) => {
  const { bank, bankConsole, clock, fail } = open()
  const payOuts = bank.payOuts
  if (!payOuts) throw new Error('it pays out')
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
  const shown = taken(await bankConsole.payOuts()())
  t.deepEqual(
    shown.map(({ id, key, valueCents }) => [id, key, valueCents]),
    [
      ['P2', null, 500],
      ['P1', 'maria@example.com', 500],
    ],
  )
  t.deepEqual(taken(await bankConsole.payOuts('P1')()), shown.slice(1))
  t.deepEqual(taken(await bankConsole.payOuts('P3')()), [])
})

test('a key is the same person every time, of every kind, unless it is nobody’s', async (t) => {
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

test('a look-up of a key fails as the console says', async (t) => {
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

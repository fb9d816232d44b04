import test from 'ava'
import { type Fault, fakeBankCollections, payments, titles } from '../../../adapters/bank/fake/books.ts'
import { fakeBankConsole } from '../../../adapters/bank/fake/console.ts'
import { fakeBank } from '../../../adapters/bank/fake/fake-bank.ts'
import { fakeBankQueues } from '../../../adapters/bank/fake/fake-bank-queue.ts'
import { setClock } from '../../../adapters/clock/set-clock.ts'
import { seededRandom } from '../../../adapters/crypto/seeded-random.ts'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { type Failure, failure } from '../../../core/failure.ts'
import { type Either, isLeft, left, right } from '../../../core/fp.ts'
import { idPool } from '../../../core/kernel/running/fresh/ids.ts'
import { unavailable } from '../../../core/kernel/running/use-case.ts'
import { worker } from '../../../core/kernel/running/worker.ts'
import { isEndToEndId } from '../../../core/payments/pix/end-to-end-id.ts'
import type { BankAnswer, PaymentNotice } from '../../../core/ports/bank.ts'
import type { BankNotifications } from '../../../core/ports/bank-notifications.ts'
import { byId, StoreUnavailable } from '../../../core/ports/store.ts'

const NOW = '2026-11-23T13:05:09.123Z'
const order = {
  txid: 'T1',
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
  const cancelled: string[] = []
  const script: Either<Failure, null>[] = []
  const notifications: BankNotifications = {
    paid: (notice) => async () => {
      paid.push(notice)
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
  return { runtime, clock, paid, cancelled, script, bankConsole, work, pay, fail, bank: fakeBank(runtime) }
}

const taken = <A>(either: Either<Failure, A>): A => {
  if (isLeft(either)) throw new Error(either.left.code)
  return either.right
}

test('a title is made once, however often it is ordered, and outlives a restart', async (t) => {
  const { bank, runtime } = open()
  const answer = await bank.createPix(order)
  t.deepEqual(answer, { outcome: 'done', value: { txid: 'T1', dynamicCode: null, cancelled: false, payments: [] } })
  t.deepEqual(await Promise.all([bank.createPix(order), bank.createPix({ ...order, valueCents: 1 })]), [answer, answer])
  t.like(await runtime.store.find(byId(titles, 'T1')), { valueCents: 1_000, status: 'open' })
  t.deepEqual(await fakeBank(runtime).findPix('T1'), answer)
  t.deepEqual(await bank.findPix('T2'), { outcome: 'done', value: null })
})

test('a title tells every payment that reached it, oldest first', async (t) => {
  const { bank, clock, pay } = open()
  await bank.createPix(order)
  const first = taken(await pay())
  clock.advance(1)
  const second = taken(await pay({ valueCents: 5, payer: { name: 'Zé', document: '1' } }))
  const known = await bank.findPix('T1')
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

test('a title is cancelled once, and an unknown one is refused', async (t) => {
  const { bank, cancelled } = open()
  await bank.createPix(order)
  t.deepEqual(await bank.cancelTitle('T1'), { outcome: 'done', value: null })
  t.deepEqual(await bank.cancelTitle('T1'), { outcome: 'done', value: null })
  t.like(await bank.findPix('T1'), { value: { cancelled: true } })
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
      const known = await bank.findPix(txid)
      return known.outcome === 'done' && known.value !== null && !known.value.cancelled
    }
    await fail('create_pix', mode, 2)
    t.is((await bank.createPix(order)).outcome, outcome)
    t.is(await isOpen('T1'), isDone)
    t.is((await bank.createPix({ ...order, txid: 'T2' })).outcome, outcome)
    t.is((await bank.createPix({ ...order, txid: 'T3' })).outcome, 'done')

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
  const answers = await Promise.all(orders.map((each) => bank.createPix(each)))
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
  await bank.createPix(order)
  const busy: Either<Failure, null> = left(unavailable('store.busy'))
  script.push(busy, busy)
  const { endToEndId, heard } = taken(await pay())
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
  t.deepEqual(taken(await pay({ endToEndId })), { endToEndId, heard: 'taken' })
})

test('a payment that the platform refuses is no more told, and its record says why', async (t) => {
  const { bank, runtime, clock, paid, script, pay, work } = open()
  await bank.createPix(order)
  await bank.createPix({ ...order, txid: 'T2' })
  const endToEndId = taken(await pay()).endToEndId
  script.push(left(unavailable('store.busy')), left(failure('conflict', 'payment.elsewhere')))
  t.deepEqual(taken(await pay({ txid: 'T2', endToEndId })), { endToEndId, heard: 'not yet' })
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
  t.deepEqual(taken(await pay({ txid: 'T2', endToEndId })), { endToEndId, heard: 'refused' })
  script.push(left(failure('conflict', 'payment.contradictory')))
  t.deepEqual(taken(await pay({ endToEndId, valueCents: 9_900 })), { endToEndId, heard: 'refused' })
  t.like(paid.at(-1), { txid: 'T1', endToEndId, valueCents: 9_900 })
})

test('a cancellation by the bank likewise', async (t) => {
  const { bank, clock, cancelled, script, bankConsole, work } = open()
  await bank.createPix(order)
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
  t.deepEqual(await cut(1).createPix(order), { outcome: 'unknown' })
  t.is((await cut(1).openAccount({ reference: 'r', name: 'n', document: 'd' })).outcome, 'unavailable')
})

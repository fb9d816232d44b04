import test from 'ava'
import { fakeAcquirer, fakeAcquirerConsole, fakeAcquirerQueues } from '../../../adapters/bank/fake/acquirer.ts'
import { chargedCards, type Fault, fakeBankCollections } from '../../../adapters/bank/fake/books.ts'
import { fakeBankConsole } from '../../../adapters/bank/fake/console.ts'
import { setClock } from '../../../adapters/clock/set-clock.ts'
import { seededRandom } from '../../../adapters/crypto/random.ts'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { type Either, type Failure, failure, isLeft, left, right } from '../../../core/failure.ts'
import { always } from '../../../core/kernel/records/record.ts'
import { idPool } from '../../../core/kernel/running/ids.ts'
import { unavailable } from '../../../core/kernel/running/use-case.ts'
import { worker } from '../../../core/kernel/running/worker.ts'
import type { CardDecision, CardNotice, CardNumber, CardOrder } from '../../../core/ports/acquirer.ts'
import type { BankAnswer } from '../../../core/ports/bank.ts'

const [VISA, MASTERCARD, OTHER] = ['4111111111111111', '5555555555554444', '4242424242424242']
const [DECLINED, PENDING] = ['4000000000000002', '4000000000000259']

const anOrder = (id: string): CardOrder => ({
  id,
  valueCents: 15_050,
  installments: 3,
  brand: 'visa',
  last4: '1111',
  payeeName: 'Loja',
})

const aCard = (number: string): CardNumber => ({
  number,
  cvv: '123',
  expiryMonth: 12,
  expiryYear: 2030,
  holder: 'MARIA',
  document: null,
})

/** An acquirer with its console, and a platform that records notifications and answers them by a script. */
const open = () => {
  const store = memoryStore(fakeBankCollections)
  const clock = setClock('2026-11-23T13:05:09.123Z')
  const runtime = { store, clock, random: seededRandom(7), ids: idPool(store) }
  const notices: CardNotice[] = []
  const script: Either<Failure, null>[] = []
  const notifications = {
    decided: (notice: CardNotice) => async () => {
      notices.push(notice)
      return script.shift() ?? right(null)
    },
  }
  const acquirer = fakeAcquirer(runtime)
  const work = worker({
    runtime,
    queues: fakeAcquirerQueues(runtime, notifications),
    report: (error) => {
      throw error
    },
  })
  const bankConsole = fakeBankConsole(runtime, {
    paid: () => async () => right(null),
    received: () => async () => right(null),
    cancelled: () => async () => right(null),
    amountDue: () => async () => right(0),
  })
  return {
    store,
    clock,
    notices,
    script,
    acquirer,
    work,
    console: fakeAcquirerConsole(runtime, notifications),
    charge: (id: string, number: string) => acquirer.charge(anOrder(id), aCard(number)),
    fail: (id: Fault['id'], mode: Fault['mode']) => bankConsole.fail({ id, mode, times: 1 })(),
  }
}

const statusOf = (answer: BankAnswer<CardDecision | null>): string =>
  answer.outcome === 'done' ? (answer.value?.status ?? 'none') : answer.outcome

test('declines or leaves pending the test cards, and approves any other', async (t) => {
  const { charge, acquirer } = open()
  const numbers = [VISA, MASTERCARD, OTHER, DECLINED, PENDING]
  const answers = await Promise.all(numbers.map((number, at) => charge(`c${at}`, number)))
  t.deepEqual(answers.map(statusOf), ['approved', 'approved', 'approved', 'declined', 'pending'])
  for (const [at, answer] of answers.entries()) t.deepEqual(await acquirer.find(`c${at}`), answer)
  t.is(statusOf(await acquirer.find('another')), 'none')
  t.like(answers[3], { value: { reason: 'Não autorizado pelo emissor.' } })
})

test('charges an id once, and stores neither the card number nor the CVV', async (t) => {
  const { charge, store } = open()
  const answers = await Promise.all([charge('c', VISA), charge('c', VISA), charge('c', DECLINED)])
  t.deepEqual(answers[1], answers[0])
  t.deepEqual(answers[2], answers[0])
  const stored = []
  for await (const record of store.scan(chargedCards, always)) stored.push(record)
  t.is(stored.length, 1)
  t.notRegex(JSON.stringify(stored), /4111111111111111|123"/)
})

test('voids a charge repeatedly, leaves a declined one declined, and refuses an unknown one', async (t) => {
  const { charge, acquirer } = open()
  for (const [id, number] of Object.entries({ a: VISA, p: PENDING })) {
    await charge(id, number)
    t.deepEqual(await acquirer.void(id), { outcome: 'done', value: null })
    t.deepEqual(await acquirer.void(id), { outcome: 'done', value: null })
    t.is(statusOf(await acquirer.find(id)), 'voided')
  }
  await charge('d', DECLINED)
  t.is((await acquirer.void('d')).outcome, 'done')
  t.is(statusOf(await acquirer.find('d')), 'declined')
  t.is((await acquirer.void('x')).outcome, 'refused')
})

const faults: readonly (readonly [mode: Fault['mode'], outcome: BankAnswer<null>['outcome'], known: string])[] = [
  ['refuse', 'refused', 'none'],
  ['unavailable', 'unavailable', 'none'],
  ['timeout', 'unknown', 'approved'],
  ['timeout_lost', 'unknown', 'none'],
]
for (const [mode, outcome, known] of faults)
  test(`the fault ${mode} answers ${outcome}, and the charge is then ${known}`, async (t) => {
    const { charge, acquirer, fail } = open()
    await fail('charge_card', mode)
    t.is((await charge('c', VISA)).outcome, outcome)
    t.is(statusOf(await acquirer.find('c')), known)
    t.is((await charge('other', VISA)).outcome, 'done')
    await fail('cancel_title', mode)
    t.is((await acquirer.void('other')).outcome, outcome)
  })

test('decides a pending charge once, and notifies until the platform accepts it', async (t) => {
  const { charge, acquirer, console, notices, script, work, clock } = open()
  await charge('c', PENDING)
  await charge('a', VISA)
  script.push(left(unavailable('store.busy')), left(unavailable('store.busy')))
  t.false(isLeft(await console.decide({ code: 'c', outcome: 'approve' })()))
  t.is(await work.drain(), 0)
  clock.advance(5)
  await work.drain()
  clock.advance(30)
  await work.drain()
  clock.advance(3_600)
  t.is(await work.drain(), 0)
  t.deepEqual(
    notices.map(({ id, status }) => `${id} ${status}`),
    Array(3).fill('c approved'),
  )
  t.is(statusOf(await acquirer.find('c')), 'approved')
  // A decided, an approved and an unknown charge.
  for (const code of ['c', 'a', 'x']) {
    const again = await console.decide({ code, outcome: 'decline' })()
    t.is(isLeft(again) ? again.left.code : null, 'charge.unknown')
  }
})

test('does not repeat a notification that the platform refused', async (t) => {
  const { charge, console, notices, script, work, clock } = open()
  await charge('c', PENDING)
  script.push(left(failure('not-found', 'charge.unknown')))
  await console.decide({ code: 'c', outcome: 'decline' })()
  clock.advance(3_600)
  t.is(await work.drain(), 0)
  t.like(notices, [{ status: 'declined', reason: 'Não autorizado pelo emissor.' }])
})

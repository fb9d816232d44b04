import test from 'ava'
import { chargedCards } from '../../../adapters/bank/fake/books.ts'
import { failure, isLeft, left } from '../../../core/failure.ts'
import { always } from '../../../core/kernel/records/record.ts'
import type { CardDecision } from '../../../core/ports/acquirer.ts'
import type { BankAnswer } from '../../../core/ports/bank.ts'
import { BUSY, FAULTS, openFakeBank } from './open-fake-bank.ts'

const [VISA, MASTERCARD, OTHER] = ['4111111111111111', '5555555555554444', '4242424242424242']
const [DECLINED, PENDING] = ['4000000000000002', '4000000000000259']
const ORDER = { valueCents: 15_050, installments: 3, brand: 'visa', last4: '1111', payeeName: 'Loja' } as const
const CARD = { cvv: '123', expiryMonth: 12, expiryYear: 2030, holder: 'MARIA', document: null }

const open = () => {
  const opened = openFakeBank()
  const { acquirer } = opened
  return { ...opened, charge: (id: string, number: string) => acquirer.charge({ id, ...ORDER }, { number, ...CARD }) }
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
  const { charge, runtime } = open()
  const answers = await Promise.all([charge('c', VISA), charge('c', VISA), charge('c', DECLINED)])
  for (const again of answers.slice(1)) t.deepEqual(again, answers[0])
  const stored = []
  for await (const record of runtime.store.scan(chargedCards, always)) stored.push(record)
  t.is(stored.length, 1)
  t.notRegex(JSON.stringify(stored), /4111111111111111|123"/)
})

test('voids a charge repeatedly, leaves a declined one declined, and refuses an unknown one', async (t) => {
  const { charge, acquirer } = open()
  for (const [id, number] of Object.entries({ a: VISA, p: PENDING })) {
    await charge(id, number)
    for (const _ of [1, 2]) t.deepEqual(await acquirer.void(id), { outcome: 'done', value: null })
    t.is(statusOf(await acquirer.find(id)), 'voided')
  }
  await charge('d', DECLINED)
  t.is((await acquirer.void('d')).outcome, 'done')
  t.is(statusOf(await acquirer.find('d')), 'declined')
  t.is((await acquirer.void('x')).outcome, 'refused')
})

for (const [mode, outcome, isDone] of FAULTS)
  test(`the fault ${mode} answers ${outcome}, and the card ${isDone ? 'was' : 'was not'} charged`, async (t) => {
    const { charge, acquirer, fail } = open()
    await fail('charge_card', mode)
    t.is((await charge('c', VISA)).outcome, outcome)
    t.is(statusOf(await acquirer.find('c')), isDone ? 'approved' : 'none')
    t.is((await charge('other', VISA)).outcome, 'done')
    await fail('cancel_title', mode)
    t.is((await acquirer.void('other')).outcome, outcome)
  })

test('decides a pending charge once, and notifies until the platform accepts it', async (t) => {
  const { charge, acquirer, acquirerConsole, decided, script, runAfter } = open()
  await charge('c', PENDING)
  await charge('a', VISA)
  script.push(BUSY, BUSY)
  t.false(isLeft(await acquirerConsole.decide({ code: 'c', outcome: 'approve' })()))
  t.deepEqual(await runAfter(0, 5, 30, 3_600), [0, 1, 1, 0])
  const notices = decided.map(({ id, status }) => `${id} ${status}`)
  t.deepEqual(notices, Array(3).fill('c approved'))
  t.is(statusOf(await acquirer.find('c')), 'approved')
  // A decided, an approved and an unknown charge.
  for (const code of ['c', 'a', 'x'])
    t.like(await acquirerConsole.decide({ code, outcome: 'decline' })(), { left: { code: 'charge.unknown' } })
})

test('does not repeat a notification that the platform refused', async (t) => {
  const { charge, acquirerConsole, decided, script, runAfter } = open()
  await charge('c', PENDING)
  script.push(left(failure('not-found', 'charge.unknown')))
  await acquirerConsole.decide({ code: 'c', outcome: 'decline' })()
  t.deepEqual(await runAfter(3_600), [0])
  t.like(decided, [{ status: 'declined', reason: 'Não autorizado pelo emissor.' }])
})

import test from 'ava'
import { findKeyOwner } from '../../../../adapters/bank/fake/money-out.ts'
import { isLeft } from '../../../../core/fp.ts'
import { type Change, insert } from '../../../../core/kernel/records/change.ts'
import { MAX_WAITING_WITHDRAWALS } from '../../../../core/limits.ts'
import { accountPayment, keyLookup } from '../../../../core/payments/withdrawals/inputs.ts'
import {
  limitWindowsOf,
  payOutSums,
  sentId,
  sentWithdrawals,
  waitingSumId,
} from '../../../../core/payments/withdrawals/limits.ts'
import { destinationOf, shownDocument } from '../../../../core/payments/withdrawals/withdrawal.ts'
import { byId } from '../../../../core/ports/store.ts'
import { right } from '../access/test-ports.ts'
import { inShort } from '../commands-tried.ts'
import { type TwoAccounts, twoAccounts } from '../money-out/two-accounts.ts'

// São Paulo is three hours behind.
for (const [instant, day, night] of [
  ['2026-11-23T02:59:59.999Z', '2026-11-22', '2026-11-22'],
  ['2026-11-23T03:00:00.000Z', '2026-11-23', '2026-11-22'],
  ['2026-11-23T08:59:59.999Z', '2026-11-23', '2026-11-22'],
  ['2026-11-23T09:00:00.000Z', '2026-11-23', null],
  ['2026-11-23T22:59:59.999Z', '2026-11-23', null],
  ['2026-11-23T23:00:00.000Z', '2026-11-23', '2026-11-23'],
  ['2027-01-01T04:00:00.000Z', '2027-01-01', '2026-12-31'],
] as const)
  test(`${instant} is on the day of ${day}, and in the night of ${night}`, (t) =>
    t.deepEqual(limitWindowsOf(instant), { day, night }))

const DONE = '2026-11-23T13:00:00.000Z'

test('refuses a repeat while the first is pending, and for an hour after its completion', (t) => {
  const completed = { pendingId: null, completedAt: DONE }
  t.true(sentWithdrawals.isDuplicate(completed, '2026-11-23T13:59:59.999Z'))
  t.false(sentWithdrawals.isDuplicate(completed, '2026-11-23T14:00:00.000Z'))
  t.true(sentWithdrawals.isDuplicate({ pendingId: 7, completedAt: null }, '2027-11-23T14:00:00.000Z'))
  t.false(sentWithdrawals.isDuplicate({ pendingId: null, completedAt: null }, DONE))
  t.false(sentWithdrawals.isDuplicate(null, DONE))
})

const AT = { key: null, ispb: '60701190', branch: '1', account: '12345-6' }

test('returns one destination for all notations of an account', (t) => {
  for (const same of [{}, { branch: '0001' }, { account: '123456' }, { account: '0012345-6' }])
    t.is(destinationOf({ ...AT, ...same }), destinationOf(AT))
  const others = [{ ispb: '60746948' }, { branch: '10' }, { account: '12345-7' }, { account: '123450-6' }]
  for (const other of [...others, { key: 'maria@example.com' }])
    t.not(destinationOf({ ...AT, ...other }), destinationOf(AT))
  t.is(destinationOf({ ...AT, key: 'maria@example.com' }), 'maria@example.com')
})

for (const [document, shown] of [
  ['12345678909', '***.456.789-**'],
  ['12345678000195', '**.345.678/0001-**'],
  ['12ABC34501DE35', '**.ABC.345/01DE-**'],
] as const)
  test(`${document} of a key is shown as ${shown}, and whole to who gave it`, (t) => {
    t.is(shownDocument({ key: 'maria@example.com', document }), shown)
    t.is(shownDocument({ key: null, document }), document)
  })

test('decodes each kind of key to its normal form', (t) => {
  for (const [keypix, key] of [
    ['123.456.789-09', '12345678909'],
    ['00.038.166/0001-05', '00038166000105'],
    ['Maria@Example.COM', 'maria@example.com'],
    ['(61) 91234-5678', '+5561912345678'],
    ['123E4567-E12B-12D1-A456-426655440000', '123e4567-e12b-12d1-a456-426655440000'],
  ] as const)
    t.is(right(keyLookup.decode({ keypix, value: 1 })).key, key)
})

test('decodes a bank by its COMPE code, with or without zeros, and by its ISPB', (t) => {
  const sent = { amount: 1, agency: '1', account: '1', beneficiary_name: 'A', beneficiary_document: '12345678909' }
  const ispbOf = (bank_code: string) => {
    const read = accountPayment.decode({ ...sent, bank_code })
    return isLeft(read) ? read.left.map(({ code }) => code) : read.right.ispb
  }
  for (const code of ['001', '1', '00000000']) t.is(ispbOf(code), '00000000')
  for (const code of ['0000', '999', 'abc', '1234567']) t.deepEqual(ispbOf(code), ['unknown'])
})

test('the embedded bank returns the same owner for a key each time', (t) => {
  t.deepEqual(findKeyOwner('maria@example.com'), findKeyOwner('maria@example.com'))
  t.not(findKeyOwner('maria@example.com')?.document, findKeyOwner('rui@example.com')?.document)
})

const PAYEE = { name: 'Rui', document: '12345678909', ispb: '341', branch: '1', account: '12345-6' }

/** The results of withdrawals that start at the same time. */
const payAtOnce = async ({ pay, from }: TwoAccounts, ...values: readonly number[]) => {
  const paid = values.map((valueCents) => pay.withdrawals.payAccount(from.member, { ...PAYEE, valueCents })())
  return (await Promise.all(paid)).map((each) => inShort(each, ({ withdrawal }) => withdrawal.status))
}

for (const limit of ['pixOutDailyCents', 'pixOutNightlyCents'] as const)
  test(`rejects one of two simultaneous withdrawals that exceed ${limit} together`, async (t) => {
    const business = await twoAccounts()
    business.clock.set('2026-11-24T01:00:00.000Z')
    right(await business.pay.accounts.setTerms(business.from.id, { limits: { [limit]: 10_000 } })())
    t.deepEqual(await payAtOnce(business, 6_000, 5_000), ['completed', 'valueCents withdrawal.limit-left'])
  })

test('rejects one of two simultaneous withdrawals if one more may wait for the bank', async (t) => {
  const business = await twoAccounts({
    instead: ({ payOuts }) => ({ payOuts: { ...payOuts, payOut: async () => ({ outcome: 'unknown' }) } }),
  })
  const { store, from } = business
  const id = waitingSumId(from.id)
  const waiting = { id, accountId: from.id, amount: MAX_WAITING_WITHDRAWALS - 1, expiresAt: null }
  await store.commit([insert(payOutSums, waiting)])
  t.deepEqual(await payAtOnce(business, 6_000, 5_000), ['pending', 'withdrawals.waiting'])
})

test('sends a withdrawal once if two confirmations name different values at the same time', async (t) => {
  const { pay, from, books } = await twoAccounts()
  const key = 'maria@example.com'
  const lookUp = async (of: string) => right(await pay.withdrawals.lookUp(from.member, { key: of })()).withdrawal.id
  // Another look-up is open, so that the count of look-ups rejects neither confirmation.
  await lookUp('rui@example.com')
  const internalId = await lookUp(key)
  const confirmed = [6_000, 5_000].map((valueCents) =>
    pay.withdrawals.confirm(from.member, { internalId, key, valueCents })(),
  )
  const results = (await Promise.all(confirmed)).map((each) => inShort(each, ({ withdrawal }) => withdrawal.status))
  t.deepEqual(results, ['completed', 'withdrawal.used'])
  t.deepEqual((await books())[0], [94_000, 94_000])
})

test('sends at most 140 characters of the message of a look-up', async (t) => {
  const { pay, from } = await twoAccounts()
  const [key, valueCents] = ['maria@example.com', 6_000]
  const looked = await pay.withdrawals.lookUp(from.member, { key, valueCents, message: `${'😀'.repeat(140)}.` })()
  const { id: internalId } = right(looked).withdrawal
  const { withdrawal } = right(await pay.withdrawals.confirm(from.member, { internalId, key, valueCents })())
  t.is(withdrawal.message, '😀'.repeat(140))
})

test('does not count a withdrawal that the bank refused in the limits of day and night', async (t) => {
  let orders = 0
  const business = await twoAccounts({
    instead: ({ payOuts }) => ({
      payOuts: {
        ...payOuts,
        payOut: async (order) => (orders++ === 0 ? { outcome: 'refused', reason: 'Não.' } : payOuts.payOut(order)),
      },
    }),
  })
  business.clock.set('2026-11-24T01:00:00.000Z')
  const limits = { pixOutDailyCents: 10_000, pixOutNightlyCents: 10_000 }
  right(await business.pay.accounts.setTerms(business.from.id, { limits })())
  t.deepEqual(await payAtOnce(business, 10_000), ['bank.refused'])
  t.deepEqual(await payAtOnce(business, 10_000), ['completed'])
})

test('rejects a look-up whose value and fee exceed the balance', async (t) => {
  const { pay, from } = await twoAccounts()
  right(await pay.accounts.setTerms(from.id, { fees: { pixOutCents: 100 } })())
  const lookUp = async (valueCents: number) =>
    inShort(await pay.withdrawals.lookUp(from.member, { key: 'maria@example.com', valueCents })())
  t.deepEqual([await lookUp(99_901), await lookUp(99_900)], ['valueCents balance.insufficient', 'done'])
})

test('a guard against repeats belongs to one payment at a time', async (t) => {
  const { store } = await twoAccounts()
  const one = { id: 1, accountId: 7, destination: 'maria@example.com', valueCents: 5 }
  const two = { ...one, id: 2 }
  const isCommitted = async (...changes: readonly Change[]) => (await store.commit(changes)).ok
  const guard = () => store.find(byId(sentWithdrawals.collection, sentId(one)))
  t.true(await isCommitted(...sentWithdrawals.reserve(one, DONE)))
  t.false(await isCommitted(...sentWithdrawals.reserve(two, DONE)))
  t.false(await isCommitted(sentWithdrawals.release(two, DONE, true)))
  t.true(await isCommitted(...sentWithdrawals.completeLate(two, await guard(), DONE)))
  t.like(await guard(), { pendingId: 1, completedAt: DONE, expiresAt: null })
})

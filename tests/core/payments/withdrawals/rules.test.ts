import test from 'ava'
import { findKeyOwner } from '../../../../adapters/bank/fake/money-out.ts'
import { isLeft } from '../../../../core/fp.ts'
import { accountPayment, keyLookup } from '../../../../core/payments/withdrawals/inputs.ts'
import { limitWindowsOf, sentWithdrawals } from '../../../../core/payments/withdrawals/limits.ts'
import { destinationOf, shownDocument } from '../../../../core/payments/withdrawals/withdrawal.ts'
import { right } from '../access/test-ports.ts'

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

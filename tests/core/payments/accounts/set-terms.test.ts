import test from 'ava'
import { isLeft } from '../../../../core/failure.ts'
import type { DecodedOf } from '../../../../core/kernel/input/input.ts'
import { insert } from '../../../../core/kernel/records/record.ts'
import { type Account, accounts, type ShownAccount, shownAccount } from '../../../../core/payments/accounts/account.ts'
import { decideTerms, setTerms, type terms } from '../../../../core/payments/accounts/set-terms.ts'
import { anAccount } from '../records.ts'
import { failureOf, NOW, openPayments, right } from '../world.ts'

type Terms = DecodedOf<typeof terms>

const decide = (given: Terms, over: Partial<Account> = {}) =>
  decideTerms(anAccount(over), given, null, openPayments().fresh())
const setBy = (given: Terms, over: Partial<Account> = {}): ShownAccount => {
  const made = decide(given, over)
  if (isLeft(made)) throw new Error(made.left.code)
  return made.right.value(() => null)
}

test('sets the sent fields one by one, and keeps the others', (t) => {
  const { taxes, limits } = anAccount()
  const before = {
    taxes: { ...taxes, pixInCents: 5, boletoCents: 7 },
    limits: { ...limits, chargeMinCents: 1, chargeMaxCents: 9 },
  }
  const after = setBy({ fees: { pixInCents: 99 }, limits: { chargeMinCents: null } }, before)
  t.deepEqual(after, {
    ...shownAccount(anAccount()),
    fees: { ...before.taxes, pixInCents: 99 },
    limits: { ...before.limits, chargeMinCents: null },
    updatedAt: after.updatedAt,
  })
  t.deepEqual({ ...setBy({}), updatedAt: NOW }, shownAccount(anAccount()))
})

test('stores a Pix key in the form of the DICT, and removes it for null', (t) => {
  t.is(setBy({ pixKey: '+55 61 91234-5678' }).pixKey, '+5561912345678')
  t.is(setBy({ pixKey: null }, { pixKey: 'loja@example.com' }).pixKey, null)
  t.is(setBy({}, { pixKey: 'loja@example.com' }).pixKey, 'loja@example.com')
})

test('accepts a bank by its three digits', (t) => {
  t.is(setBy({ bankCode: '1' }).bankCode, '001')
  t.is(setBy({ bankCode: '748' }, { bankCode: '001' }).bankCode, '748')
})

test('reports both an unknown bank and a malformed Pix key', (t) => {
  t.deepEqual(failureOf(decide({ bankCode: '999', pixKey: 'minha chave' })), {
    tag: 'invalid',
    code: 'fields',
    issues: [
      { path: 'bankCode', code: 'unknown' },
      { path: 'pixKey', code: 'pix-key' },
    ],
  })
  t.like(failureOf(decide({ bankCode: '' })), { code: 'fields' })
})

test('returns account.unknown for a missing and for a removed account', (t) => {
  t.like(failureOf(decideTerms(null, {}, null, openPayments().fresh())), { code: 'account.unknown' })
  t.like(failureOf(decide({}, { removedAt: NOW })), { code: 'account.unknown' })
})

test('loses none of many simultaneous changes, even if the clock does not advance', async (t) => {
  const { ports, every } = openPayments()
  await ports.store.commit([insert(accounts, anAccount())])
  const keys = ['pixInCents', 'pixOutCents', 'boletoInCents', 'boletoCents'] as const
  const all = await Promise.all(keys.map((key, index) => setTerms(ports)(1, { fees: { [key]: index + 1 } })()))
  for (const each of all) right(each)
  t.like((await every(accounts))[0], { taxes: { pixInCents: 1, pixOutCents: 2, boletoInCents: 3, boletoCents: 4 } })
})

import test from 'ava'
import { isLeft } from '../../../../../core/fp.ts'
import { insert } from '../../../../../core/kernel/records/change.ts'
import { type Account, accounts } from '../../../../../core/payments/accounts/account.ts'
import { decideTerms, setTerms, type Terms } from '../../../../../core/payments/accounts/settings/set-terms.ts'
import { anAccount, failureOf, NOW, right, testPorts } from '../../access/test-ports.ts'

const decide = (terms: Terms, over: Partial<Account> = {}) =>
  decideTerms(anAccount(over), terms, null, testPorts().fresh())
const setBy = (terms: Terms, over: Partial<Account> = {}): Account => {
  const made = decide(terms, over)
  if (isLeft(made)) throw new Error(made.left.code)
  return made.right.value(() => null)
}

test('what is given is set, key by key, and what is not stays', (t) => {
  const { taxes, limits } = anAccount()
  const before = {
    taxes: { ...taxes, pixInCents: 5, boletoCents: 7 },
    limits: { ...limits, chargeMinCents: 1, chargeMaxCents: 9 },
  }
  const after = setBy({ taxes: { pixInCents: 99 }, limits: { chargeMinCents: null } }, before)
  t.deepEqual(after, {
    ...anAccount(),
    taxes: { ...before.taxes, pixInCents: 99 },
    limits: { ...before.limits, chargeMinCents: null },
    updatedAt: after.updatedAt,
  })
  t.deepEqual({ ...setBy({}), updatedAt: NOW }, anAccount())
})

test('a Pix key is kept in the form of the DICT; null removes it', (t) => {
  for (const [typed, key] of [
    ['Loja@Example.com', 'loja@example.com'],
    ['123.456.789-09', '12345678909'],
    ['+55 61 91234-5678', '+5561912345678'],
    ['12.ABC.345/01DE-35', '12ABC34501DE35'],
  ] as const)
    t.is(setBy({ pixKey: typed }).pixKey, key)
  t.is(setBy({ pixKey: null }, { pixKey: 'loja@example.com' }).pixKey, null)
  t.is(setBy({}, { pixKey: 'loja@example.com' }).pixKey, 'loja@example.com')
})

test('a bank is named by its three digits', (t) => {
  t.is(setBy({ bankCode: '1' }).bankCode, '001')
  t.is(setBy({ bankCode: '748' }, { bankCode: '001' }).bankCode, '748')
})

test('an unknown bank and a text that is no Pix key are both named', (t) => {
  t.deepEqual(failureOf(decide({ bankCode: '999', pixKey: 'minha chave' })), {
    tag: 'invalid',
    code: 'fields',
    issues: [
      { path: 'bank_code', code: 'unknown' },
      { path: 'pix_key', code: 'pix-key' },
    ],
  })
  t.like(failureOf(decide({ bankCode: '' })), { code: 'fields' })
})

test('an account that is not there or was removed is unknown', (t) => {
  t.like(failureOf(decideTerms(null, {}, null, testPorts().fresh())), { code: 'account.unknown' })
  t.like(failureOf(decide({}, { removedAt: NOW })), { code: 'account.unknown' })
})

test('of many at once none is lost, even where the clock stands still', async (t) => {
  const { ports, every } = testPorts()
  await ports.store.commit([insert(accounts, anAccount())])
  const keys = ['pixInCents', 'pixOutCents', 'boletoInCents', 'boletoCents'] as const
  const all = await Promise.all(keys.map((key, index) => setTerms(ports)(1, { taxes: { [key]: index + 1 } })()))
  for (const each of all) right(each)
  t.like((await every(accounts))[0], { taxes: { pixInCents: 1, pixOutCents: 2, boletoInCents: 3, boletoCents: 4 } })
})

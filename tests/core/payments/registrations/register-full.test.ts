import test from 'ava'
import { authenticate } from '../../../../core/payments/access/authenticate.ts'
import { logIn } from '../../../../core/payments/access/log-in.ts'
import { sessions } from '../../../../core/payments/access/session.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { bankByCode } from '../../../../core/payments/banks.ts'
import { claims } from '../../../../core/payments/claim.ts'
import { users } from '../../../../core/payments/members/user.ts'
import { mails } from '../../../../core/payments/office.ts'
import { beginRegistration } from '../../../../core/payments/registrations/register.ts'
import { registerFull, signedInOwnerView } from '../../../../core/payments/registrations/register-full.ts'
import { registrations } from '../../../../core/payments/registrations/registration.ts'
import { onWire } from '../../kernel/input/reads.ts'
import { column, failureOf, ORIGIN, PASSWORD, right } from '../world.ts'
import { MARIA, registrationFixtures } from './registration-fixtures.ts'

const ANA = {
  name: 'Ana',
  email: 'ana@example.com',
  phone: '11 98888-0000',
  document: '11222333000181',
  password: PASSWORD,
  bankId: null,
}

const full = () => {
  const here = registrationFixtures()
  return {
    ...here,
    register: (over: Partial<typeof ANA> | { bankId: number } = {}) =>
      registerFull(here.ports)({ ...ANA, ...over }, ORIGIN)(),
  }
}

test('creates user, account and organization, signs the user in, and mails neither code nor link', async (t) => {
  const { register, every, ports, mailsTo } = full()
  const entered = right(await register())
  const view = onWire(signedInOwnerView, entered)
  t.like(view, { time: 3600, roles: [{ id: 1, name: 'ADMIN' }] })
  t.like(view.account, { id: 1, name: 'Ana', document: ANA.document, status: { code: 1, title: 'Ativa' }, bank: '748' })
  t.regex(view.account.token ?? '', /^\w{40}$/)
  t.deepEqual(view.user, {
    id: 1,
    name: 'Ana',
    email: ANA.email,
    phone: ANA.phone,
    document: ANA.document,
    status: 'ACTIVE',
  })
  t.like(right(await authenticate(ports)(view.token)()), { userId: 1, tokenAccountId: 1 })
  t.like((await every(users))[0], { passwordHash: `hash of ${PASSWORD}`, emailVerifiedAt: null })
  t.like((await every(registrations))[0], { state: 'APPROVED', passwordHash: null, address: null })
  const [only = '', ...more] = await mailsTo(ANA.email)
  t.deepEqual(more, [])
  t.notRegex(only, /token=|^[A-Z]{4}$|\d{6}/m)
})

test('stores the address and device of the origin, not its signal', async (t) => {
  const { ports, every } = registrationFixtures()
  const { signal } = new AbortController()
  right(await registerFull(ports)(ANA, { ...ORIGIN, signal })())
  right(await beginRegistration(ports)(MARIA, { ...ORIGIN, signal })())
  t.deepEqual(column(await every(registrations), 'origin'), [ORIGIN, ORIGIN])
})

test('accepts only the bank of the installation, and reports every wrong field', async (t) => {
  const { register, every, begin } = full()
  const ours = bankByCode('748')?.id ?? 0
  right(await begin({ name: 'Ana', email: ANA.email, address: 'x', document: ANA.document })())
  for (const bankId of [ours + 1, 99_999]) {
    const issues = [
      { path: 'email', code: 'email.taken' },
      { path: 'document', code: 'document.taken' },
      { path: 'bankId', code: 'bank.other' },
    ]
    t.deepEqual(failureOf(await register({ bankId })), { tag: 'invalid', code: 'fields', issues })
  }
  const other = { email: 'b@example.com', document: '52998224725' }
  t.is(right(await register({ ...other, bankId: ours })).account.account.id, 1)
  t.is((await every(accounts)).length, 1)
})

test('returns the reason of a refusal, and releases all claims', async (t) => {
  const { register, bank, every } = full()
  bank.script.push({ outcome: 'refused', reason: 'Documento irregular.' })
  const refused = { tag: 'refused', code: 'bank.refused', reason: 'Documento irregular.' }
  t.deepEqual(failureOf(await register()), refused)
  t.deepEqual([await every(claims), await every(users), await every(sessions)], [[], [], []])
  t.like((await every(registrations))[0], { state: 'REJECTED', passwordHash: null })
  t.is(right(await register()).signed.user.id, 1)
})

test('completes an unanswered registration in the worker, with the password of which it stored the hash', async (t) => {
  const { register, bank, every, clock, review, ports } = full()
  bank.script.push({ outcome: 'unknown' })
  const unreached = { tag: 'unavailable', code: 'bank.unavailable', retryAfterSeconds: 2 }
  t.deepEqual(failureOf(await register()), unreached)
  t.deepEqual([await every(users), await every(sessions)], [[], []])
  const kept = JSON.stringify([await every(registrations), await every(mails)])
  t.true(kept.includes(`hash of ${PASSWORD}`))
  t.false(kept.replaceAll(`hash of ${PASSWORD}`, '').includes(PASSWORD))
  t.is(failureOf(await register())?.code, 'fields')
  clock.advance(2)
  t.is(await review(), 1)
  const signed = right(await logIn(ports)({ email: ANA.email, password: PASSWORD }, ORIGIN, 'the newest account')())
  t.is(signed.roleId, 1)
})

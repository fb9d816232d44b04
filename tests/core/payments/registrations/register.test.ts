import test from 'ava'
import { authenticate } from '../../../../core/payments/access/authenticate.ts'
import { logIn } from '../../../../core/payments/access/log-in.ts'
import { register } from '../../../../core/payments/access/register.ts'
import { sessions } from '../../../../core/payments/access/session.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { bankByCode } from '../../../../core/payments/banks.ts'
import { claims } from '../../../../core/payments/claim.ts'
import { users } from '../../../../core/payments/members/user.ts'
import { mails } from '../../../../core/payments/office.ts'
import { openAccount } from '../../../../core/payments/registrations/opening.ts'
import { beginRegistration, decideExpiry, decideResend } from '../../../../core/payments/registrations/register.ts'
import { registerFull, signedInOwnerView } from '../../../../core/payments/registrations/register-full.ts'
import {
  registrationMoves,
  registrations,
  registrationView,
} from '../../../../core/payments/registrations/registration.ts'
import { byId } from '../../../../core/ports/store.ts'
import { onWire } from '../../kernel/input/reads.ts'
import { column, failureOf, failuresOf, NOW, ORIGIN, PASSWORD, right, taken } from '../world.ts'
import { BAKERY, IMAGES, MARIA, pairOf, registrationFixtures } from './registration-fixtures.ts'

const otherThan = (letters: string): string => (letters === 'AAAA' ? 'AAAB' : 'AAAA')

const UNKNOWN = { tag: 'not-found', code: 'registration.unknown' }

test('begins a registration: claims e-mail and document, and mails four letters', async (t) => {
  const { begin, every, lettersTo } = registrationFixtures()
  const begun = right(await begin(MARIA)())
  t.deepEqual(onWire(registrationView, begun), {
    id: 1,
    ...MARIA,
    account_type: 'PF',
    account_status: 'PENDING_EMAIL',
    created_at: '2026-11-23T10:05:09-03:00',
  })
  t.is(onWire(registrationView, right(await begin(BAKERY)())).account_type, 'PJ')
  const held = (await every(claims)).filter(({ holder }) => holder === begun.uuid).map(({ id }) => id)
  t.deepEqual(held.sort(), ['document:52998224725', 'email:maria@example.com', 'user-document:52998224725'])
  const letters = await lettersTo(MARIA.email)
  t.regex(letters, /^[A-Z]{4}$/)
  t.false(JSON.stringify(await every(registrations)).includes(letters))
})

test('rejects a document with the length of neither a CPF nor a CNPJ', async (t) => {
  const { begin, every } = registrationFixtures()
  for (const document of ['', '1', '5299822472', '529982247250', '112223330001819']) {
    t.deepEqual(failureOf(await begin({ ...MARIA, document })()), { tag: 'refused', code: 'document.kind' }, document)
  }
  t.deepEqual(await every(registrations), [])
})

test('rejects an e-mail or document of another registration, user or organization', async (t) => {
  const { begin, person, ports } = registrationFixtures()
  right(await begin(MARIA)())
  t.deepEqual(failureOf(await begin(MARIA)()), taken('email', 'document'))
  t.deepEqual(failureOf(await begin({ ...MARIA, email: 'other@example.com' })()), taken('document'))
  const { caller } = await person('joao@example.com')
  t.deepEqual(failureOf(await begin({ ...BAKERY, email: 'joao@example.com' })()), taken('email'))
  right(await openAccount(ports)(caller, { name: 'Padaria', email: null, document: BAKERY.document })())
  t.deepEqual(failureOf(await begin(BAKERY)()), taken('document'))
})

test('rejects a user and an organization with the e-mail or document of a registration', async (t) => {
  const { begin, person, ports } = registrationFixtures()
  right(await begin(MARIA)())
  const again = { name: 'M', email: MARIA.email, password: PASSWORD, phone: null }
  t.deepEqual(failureOf(await register(ports)(again, ORIGIN)()), taken('email'))
  const { caller } = await person('joao@example.com')
  const organization = { name: 'M', email: null, document: MARIA.document }
  t.deepEqual(failureOf(await openAccount(ports)(caller, organization)()), taken('document'))
})

test('begins one of ten simultaneous registrations of one document', async (t) => {
  const { begin, every } = registrationFixtures()
  const emails = Array.from({ length: 10 }, (_, index) => `maria${index}@example.com`)
  const all = await Promise.all(emails.map((email) => begin({ ...MARIA, email })()))
  t.deepEqual(failuresOf(all), Array(9).fill(taken('document')))
  t.is((await every(registrations)).length, 1)
})

test('confirms the e-mail once, by the letters in upper or lower case', async (t) => {
  const { begin, confirm, lettersTo } = registrationFixtures()
  const pair = pairOf(right(await begin(MARIA)()))
  const letters = await lettersTo(MARIA.email)
  t.like(right(await confirm(pair, letters.toLowerCase())()), { state: 'PENDING_DOCUMENTS', confirmedAt: NOW })
  t.is(failureOf(await confirm(pair, letters)())?.code, 'code.invalid')
})

test('rejects the right letters from an address after five wrong tries, also if simultaneous', async (t) => {
  for (const inTurn of [true, false]) {
    const { begin, confirm, lettersTo, every } = registrationFixtures()
    const pair = pairOf(right(await begin(MARIA)()))
    const letters = await lettersTo(MARIA.email)
    const wrong = otherThan(letters)
    const guess = () => confirm(pair, wrong, ORIGIN)()
    if (inTurn) for (let tries = 0; tries < 5; tries += 1) t.is(failureOf(await guess())?.code, 'code.invalid')
    else await Promise.all(Array.from({ length: 9 }, guess))
    t.is((await every(registrations))[0]?.codeTriesLeft, 15)
    t.is(failureOf(await confirm(pair, letters, ORIGIN)())?.code, 'code.invalid')
    const elsewhere = { ...ORIGIN, address: '203.0.113.8' }
    t.is(right(await confirm(pair, letters, elsewhere)()).state, 'PENDING_DOCUMENTS')
  }
})

test('mails a long code after thirty wrong tries, with no limit of tries', async (t) => {
  const { begin, confirm, resend, mailsTo, clock, lettersTo } = registrationFixtures()
  const pair = pairOf(right(await begin(MARIA)()))
  const from = (place: number) => ({ ...ORIGIN, address: `203.0.113.${place}` })
  const wrong = otherThan(await lettersTo(MARIA.email))
  for (let tries = 0; tries < 30; tries += 1)
    t.is(failureOf(await confirm(pair, wrong, from(tries))())?.code, 'code.invalid')
  clock.advance(120)
  right(await resend(pair)())
  const long = (await mailsTo(MARIA.email)).flatMap((mail) => /^[A-Z2-9]{20}$/m.exec(mail)?.[0] ?? [])[0] ?? ''
  for (let tries = 0; tries < 50; tries += 1)
    t.is(failureOf(await confirm(pair, 'A'.repeat(20), from(99))())?.code, 'code.invalid')
  t.is(failureOf(await confirm(pair, wrong, from(98))())?.code, 'code.invalid')
  t.is(right(await confirm(pair, long.toLowerCase(), from(99))()).state, 'PENDING_DOCUMENTS')
})

test('accepts the letters after four wrong tries, and until an hour has passed', async (t) => {
  const { begin, confirm, lettersTo, clock } = registrationFixtures()
  const pair = pairOf(right(await begin(MARIA)()))
  const letters = await lettersTo(MARIA.email)
  for (let tries = 0; tries < 4; tries += 1) await confirm(pair, otherThan(letters))()
  clock.advance(3_599)
  t.is(right(await confirm(pair, letters)()).state, 'PENDING_DOCUMENTS')
  const other = pairOf(right(await begin(BAKERY)()))
  clock.advance(3_600)
  t.is(failureOf(await confirm(other, await lettersTo(BAKERY.email))())?.code, 'code.invalid')
})

test('mails new letters after two minutes with five new tries, and rejects the old ones', async (t) => {
  const { begin, confirm, resend, lettersTo, clock } = registrationFixtures()
  const pair = pairOf(right(await begin(MARIA)()))
  const first = await lettersTo(MARIA.email)
  clock.advance(119)
  t.deepEqual(failureOf(await resend(pair)()), { tag: 'throttled', code: 'code.soon', retryAfterSeconds: 1 })
  for (let tries = 0; tries < 5; tries += 1) await confirm(pair, otherThan(first))()
  clock.advance(1)
  const both = await Promise.all([resend(pair)(), resend(pair)()])
  t.is(both.filter((each) => failureOf(each) === null).length, 1)
  const second = await lettersTo(MARIA.email)
  t.not(second, first)
  t.is(failureOf(await confirm(pair, first)())?.code, 'code.invalid')
  t.is(right(await confirm(pair, second)()).state, 'PENDING_DOCUMENTS')
  clock.advance(120)
  const issues = [{ path: 'registrationId', code: 'registration.confirmed' }]
  t.deepEqual(failureOf(await resend(pair)()), { tag: 'invalid', code: 'fields', issues })
})

test('returns registration.unknown if the document is not that of the id', async (t) => {
  const { begin, confirm, resend, submit, status } = registrationFixtures()
  const begun = right(await begin(MARIA)())
  right(await begin(BAKERY)())
  for (const pair of [
    { registrationId: begun.id, document: BAKERY.document },
    { registrationId: 99, document: MARIA.document },
  ]) {
    t.deepEqual(failureOf(await confirm(pair, 'AAAA')()), UNKNOWN)
    t.deepEqual(failureOf(await resend(pair)()), UNKNOWN)
    t.deepEqual(failureOf(await submit(pair, IMAGES)()), UNKNOWN)
  }
  t.deepEqual(failureOf(await status('12345678909')()), UNKNOWN)
  t.is(right(await status(MARIA.document)()).id, begun.id)
})

const STATES = ['PENDING_EMAIL', 'PENDING_DOCUMENTS', 'UNDER_REVIEW', 'APPROVED', 'REJECTED'] as const

test('ends in APPROVED or REJECTED, and skips no step', (t) => {
  t.deepEqual(
    STATES.filter((state) => registrationMoves.isFinal(state)),
    ['APPROVED', 'REJECTED'],
  )
  t.false(registrationMoves.can('PENDING_EMAIL', 'UNDER_REVIEW'))
  t.true(registrationMoves.can('UNDER_REVIEW', 'UNDER_REVIEW'))
})

const DAY = 24 * 3_600

test('removes a registration that is unconfirmed after a day, which no new code extends, and releases its claims', async (t) => {
  for (const isResent of [false, true]) {
    const { begin, resend, review, every, clock, confirm, lettersTo } = registrationFixtures()
    const begun = right(await begin(MARIA)())
    clock.advance(DAY - 1)
    if (isResent) right(await resend(pairOf(begun))())
    t.is(await review(), 0)
    clock.advance(1)
    t.is(await review(), 1)
    t.deepEqual([await every(registrations), await every(claims)], [[], []])
    const letters = await lettersTo(MARIA.email)
    t.like(failureOf(await confirm(pairOf(begun), letters)()), { code: 'registration.unknown' })
    t.is(right(await begin(MARIA)()).state, 'PENDING_EMAIL')
  }
})

test('removes a confirmed registration without images after 30 days', async (t) => {
  const { confirmed, submit, review, every, clock } = registrationFixtures()
  const waiting = await confirmed()
  clock.advance(30 * DAY - 1)
  t.is(await review(), 0)
  clock.advance(1)
  await review()
  t.deepEqual([await every(registrations), await every(claims)], [[], []])
  t.like(failureOf(await submit(pairOf(waiting), IMAGES)()), { code: 'registration.unknown' })
})

test('mails no new code if the last one is confirmed at the same time', async (t) => {
  const { begin, confirm, ports, fresh, every, clock, lettersTo } = registrationFixtures()
  const begun = right(await begin(MARIA)())
  clock.advance(120)
  const found = await ports.store.find(byId(registrations, begun.id))
  const { changes } = right(decideResend(ports, { found, tries: null }, fresh()))
  const { dueAt } = right(await confirm(pairOf(begun), await lettersTo(MARIA.email))())
  t.false((await ports.store.commit(changes)).ok)
  t.is((await every(registrations))[0]?.dueAt, dueAt)
})

test('keeps a registration that continues at the same time, and one that is decided', async (t) => {
  const { confirmed } = registrationFixtures()
  const waiting = await confirmed()
  const { dueAt } = waiting
  t.is(right(decideExpiry(waiting, { dueAt })).changes.length, 4)
  t.is(right(decideExpiry({ ...waiting, dueAt: '2030-01-01T00:00:00.000Z' }, { dueAt })).changes.length, 0)
  for (const state of ['UNDER_REVIEW', 'APPROVED', 'REJECTED'] as const)
    t.is(right(decideExpiry({ ...waiting, state }, { dueAt })).changes.length, 0)
  t.is(right(decideExpiry(null, { dueAt })).changes.length, 0)
})

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
